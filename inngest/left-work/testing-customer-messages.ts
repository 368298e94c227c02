import { randomInt } from "node:crypto";
import { z } from "zod";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { type CallableChannel, callerOf } from "@/server/domain/channels/caller";
import { receiveFile } from "@/server/domain/customer-files/testing";
import { uploadMedia } from "@/server/adapters/whatsapp/media-client";
import { markRead } from "@/server/domain/messages/marks/mark-read";
import { receiveText } from "@/server/domain/messages/receive/receive";
import { SAMPLES, storedFileOf } from "@/server/domain/uploads/testing";

/** Of a customer's message that the upstream knows. */
export async function leaveMark(
  ctx: Context<SystemActor>,
  channelId: string,
  simulatorUrl: string,
): Promise<string> {
  const [channel] = await ctx.services.sql<{ phoneNumberId: string }[]>`
    select phone_number_id as "phoneNumberId" from channels where id = ${channelId}`;
  const from = `4915${randomInt(10 ** 5, 10 ** 6)}00007`;
  const response = await fetch(`${simulatorUrl}/simulator/inbound`, {
    method: "POST",
    body: JSON.stringify({ phone_number_id: channel?.phoneNumberId, from, text: { body: "Hello" } }),
  });
  const { wamid: upstreamId } = z.object({ wamid: z.string() }).parse(await response.json());
  const said = { channelId, from, profileName: null, upstreamId, body: "Hello", at: new Date() };
  const { messageId, conversationId } = await receiveText({ ctx, input: said });
  await markRead({ ctx, input: { id: messageId } });
  return conversationId;
}

/** A customer's message whose file the upstream got as an upload. */
export async function leaveFile(ctx: Context<SystemActor>, channelId: string): Promise<string> {
  const { services } = ctx;
  const [channel] = await services.sql<CallableChannel[]>`
    select id, upstream, phone_number_id as "phoneNumberId", access_token_encrypted as "accessTokenEncrypted"
    from channels where id = ${channelId}`;
  if (!channel) throw new Error("The channel is gone");
  const caller = callerOf(services, channel);
  if ("kind" in caller) throw new Error("The channel can't be called");
  const upload = await uploadMedia({ ...caller, mimeType: "image/png", file: storedFileOf(SAMPLES.png) });
  if (upload.kind !== "ready") throw new Error("The upstream refused the file");
  return (await receiveFile(ctx, channelId, { media: { id: upload.mediaId } })).fileId;
}
