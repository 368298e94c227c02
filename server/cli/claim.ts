import { eq } from "drizzle-orm";
import type { Orm } from "@/db/client";
import { conversations } from "@/db/schema";

/** A conversation of whichever organization, for an operator's command; null when there is none. */
export async function findConversation(orm: Orm, id: string) {
  const [found] = await orm
    .select({
      status: conversations.status,
      assigneeId: conversations.assigneeId,
      lastInboundAt: conversations.lastInboundAt,
    })
    .from(conversations)
    .where(eq(conversations.id, id));
  return found ?? null;
}
