import { sql } from "drizzle-orm";
import { boolean, check, jsonb, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { createdAt, id, time } from "./columns";
import { organizations } from "./organizations";

/** A WhatsApp number of an organization. */
export const channels = pgTable(
  "channels",
  {
    id: id(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    name: text().notNull(),
    /** The Cloud API that serves it: Meta's, or the simulator's. */
    upstream: text({ enum: ["meta", "simulator"] }).notNull(),
    phoneNumberId: text().notNull(),
    wabaId: text().notNull(),
    displayPhoneNumber: text().notNull(),
    accessTokenEncrypted: text().notNull(),
    appSecretEncrypted: text().notNull(),
    /** SHA-256, hex. Meta sends the token itself when it verifies the callback address. */
    verifyTokenHash: text().notNull(),
    isDefault: boolean().notNull().default(false),
    disabledAt: time(),
    pausedAt: time(),
    /** Stable reason of the pause, from the outcome table. Null if not paused. */
    pauseReason: text(),
    /** The upstream's own code and error text at the time of the pause. */
    pauseDetail: jsonb().$type<Record<string, unknown>>(),
    /** When the next probe of a paused channel is due. */
    nextProbeAt: time(),
    /** Until then, a contact who never wrote counts as inside the customer window (for a number already in use). */
    unknownWindowOpenUntil: time(),
    /** When Meta last verified the callback address. Null until then. */
    callbackVerifiedAt: time(),
    /** When the latest signed callback arrived, to the minute. Null until the first one. */
    lastCallbackAt: time(),
    /** When the account's templates were last requested. */
    templatesAskedAt: time(),
    /** When they were last received. */
    templatesSyncedAt: time(),
    /** Error of the latest request for them. Null if it succeeded. */
    templatesFailure: text(),
    createdAt: createdAt(),
  },
  (t) => [
    unique("channels_id_organization_id_unique").on(t.id, t.organizationId),
    unique("channels_phone_number_unique").on(t.upstream, t.phoneNumberId),
    uniqueIndex("channels_default_unique")
      .on(t.organizationId)
      .where(sql`${t.isDefault}`),
    check("channels_upstream_check", sql`${t.upstream} in ('meta', 'simulator')`),
    check("channels_pause_check", sql`(${t.pausedAt} is null) = (${t.pauseReason} is null)`),
  ],
);
