import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { channels } from "./channels";
import { createdAt, id, time } from "./columns";
import { messages } from "./messages";

/**
 * Files that customers sent, one for each of their messages with a file. The upstream keeps a file for days: it is
 * fetched soon after the message arrived. The bytes are in the store of customers' files, under the row's own id.
 */
export const customerFiles = pgTable(
  "customer_files",
  {
    id: id(),
    organizationId: uuid().notNull(),
    messageId: uuid().notNull(),
    channelId: uuid().notNull(),
    /** The upstream's id of the file. Null once it is erased. */
    mediaId: text(),
    /** `pending` is fetched, or tried again, at `next_attempt_at`. `stored` and `gone` have no further attempt. */
    state: text({ enum: ["pending", "stored", "gone"] })
      .notNull()
      .default("pending"),
    /**
     * The reason why it is gone: the upstream no longer has it, the quota was used up for as long as it did, it is too
     * large, or it was erased.
     */
    goneReason: text({ enum: ["expired", "no_room", "too_large", "erased"] }),
    /** Started attempts. */
    attempts: integer().notNull().default(0),
    /** While an attempt runs, the time at which its process counts as dead. */
    nextAttemptAt: time().notNull().defaultNow(),
    /** The attempt that may store the file. */
    claimToken: uuid(),
    /** Until this time the upstream keeps the file. */
    expiresAt: time().notNull(),
    /** The reason why the last attempt failed, for staff. */
    failure: text(),
    /** Determined from the bytes. */
    mimeType: text(),
    size: bigint({ mode: "number" }),
    /** In hex. */
    sha256: text(),
    /** The store may have bytes under the id: an attempt has started, and nobody has removed them since. */
    mayHaveBytes: boolean().notNull().default(false),
    createdAt: createdAt(),
    storedAt: time(),
  },
  (t) => [
    foreignKey({
      columns: [t.messageId, t.organizationId],
      foreignColumns: [messages.id, messages.organizationId],
    }),
    foreignKey({
      columns: [t.organizationId, t.channelId],
      foreignColumns: [channels.organizationId, channels.id],
    }),
    unique("customer_files_message_unique").on(t.messageId, t.organizationId),
    index("customer_files_due_index")
      .on(t.channelId, t.nextAttemptAt)
      .where(sql`${t.state} = 'pending'`),
    index("customer_files_removable_index")
      .on(t.id)
      .where(sql`${t.state} = 'gone' and ${t.mayHaveBytes}`),
    check("customer_files_state_check", sql`${t.state} in ('pending', 'stored', 'gone')`),
    check("customer_files_size_check", sql`(${t.state} = 'stored') = (${t.size} is not null)`),
    check("customer_files_reason_check", sql`(${t.state} = 'gone') = (${t.goneReason} is not null)`),
  ],
);
