import { randomUUID } from "node:crypto";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import type { InboundContent } from "@/server/adapters/whatsapp/inbound-content";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { receiveMessage } from "@/server/domain/messages/receive/receive";
import { readConversationTimeline, type TimelineEntry, timelineInput } from "./timeline";

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

/** Returns all entries of a conversation, newest first, read in pages of one message each. */
export async function readInPages(ctx: Context<MemberActor>, threadId: string): Promise<TimelineEntry[]> {
  const entries: TimelineEntry[] = [];
  for (let cursor: string | undefined; ;) {
    const input = parseInput(timelineInput, {
      threadId,
      limit: "1",
      ...(cursor === undefined ? {} : { cursor }),
    });
    const { data, next_cursor: next } = await readConversationTimeline({ ctx, input });
    entries.push(...data);
    if (next === null) return entries;
    cursor = next;
  }
}
