import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { time } from "./columns";
import { conversations } from "./contacts";
import { messages } from "./messages";

/** Why WhatsApp was never told of a mark. */
export const READ_MARK_FAILURES = ["rejected", "expired", "not_markable"] as const;
export type ReadMarkFailure = (typeof READ_MARK_FAILURES)[number];

/**
 * The last customer's message of a conversation that was marked as read. The row is its own outbox, and stays: a mark
 * never goes back to an earlier message.
 */
export const readMarks = pgTable(
  "read_marks",
  {
    conversationId: uuid().notNull(),
    organizationId: uuid().notNull(),
    channelId: uuid().notNull(),
    messageId: uuid().notNull(),
    /** The message's `accept_seq`: a mark of an earlier message changes nothing. */
    acceptSeq: bigint({ mode: "number" }).notNull(),
    /** When the typing indicator was last requested. */
    typingAt: time(),
    /** When the mark, or the typing indicator, was last requested. */
    requestedAt: time().notNull(),
    /** True until WhatsApp has it, or never will. */
    isPending: boolean().notNull(),
    /** Due if in the past. */
    nextAttemptAt: time().notNull(),
    /** Calls since it was last requested. */
    attempts: integer().notNull().default(0),
    claimToken: uuid(),
    claimedUntil: time(),
    /** Null while it is pending, and once WhatsApp has it. */
    failure: text({ enum: READ_MARK_FAILURES }),
  },
  (t) => [
    primaryKey({ name: "read_marks_pk", columns: [t.conversationId, t.organizationId] }),
    foreignKey({
      name: "read_marks_conversation_fk",
      columns: [t.conversationId, t.organizationId, t.channelId],
      foreignColumns: [conversations.id, conversations.organizationId, conversations.channelId],
    }),
    foreignKey({
      name: "read_marks_message_fk",
      columns: [t.messageId, t.organizationId],
      foreignColumns: [messages.id, messages.organizationId],
    }),
    index("read_marks_due_index")
      .on(t.channelId, t.nextAttemptAt)
      .where(sql`${t.isPending}`),
  ],
);
