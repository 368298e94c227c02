import { randomUUID } from "node:crypto";
import type { InboundContent } from "@/server/adapters/whatsapp/inbound-content";
import type { Context } from "@/server/core/context";
import { receiveMessage } from "@/server/domain/messages/receive/receive";
import type { SystemActor } from "@/server/core/actor";

/** The customer of a conversation writes. @returns Waypost's id and WhatsApp's. */
export async function write(
  ctx: Context<SystemActor>,
  channelId: string,
  from: string,
  content: InboundContent,
  at = new Date(),
): Promise<{ id: string; upstreamId: string }> {
  const upstreamId = `wamid.${randomUUID()}`;
  const { messageId } = await receiveMessage({
    ctx,
    input: {
      channelId,
      from: { number: from, userId: null, parentUserId: null },
      profileName: null,
      upstreamId,
      content,
      at,
      opensWindow: true,
      becomes: null,
    },
  });
  return { id: messageId, upstreamId };
}

export const said = (body: string): InboundContent => ({ type: "text", text: { body } });
