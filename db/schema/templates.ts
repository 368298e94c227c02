import { sql } from "drizzle-orm";
import { check, foreignKey, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { channels } from "./channels";
import { createdAt, id, time } from "./columns";

export const TEMPLATE_STATES = ["pending", "approved", "rejected", "paused", "disabled"] as const;
export type TemplateState = (typeof TEMPLATE_STATES)[number];

/** Template submissions: a message form that WhatsApp approves for one account, as one channel may use it. */
export const templates = pgTable(
  "templates",
  {
    /** The `template_submission_id` of the public API. */
    id: id(),
    organizationId: uuid().notNull(),
    channelId: uuid().notNull(),
    name: text().notNull(),
    /** Such as `en_US`. */
    language: text().notNull(),
    category: text(),
    state: text({ enum: TEMPLATE_STATES }).notNull(),
    /** The reason for a rejection, pause or disabling, in the upstream's words. */
    stateReason: text(),
    /** The upstream's own description: text, placeholders, buttons. */
    components: jsonb().$type<readonly unknown[]>().notNull(),
    /** Names of the values that a message must provide, in order. */
    variables: text().array().notNull().default([]),
    upstreamId: text(),
    createdAt: createdAt(),
    updatedAt: time().notNull().defaultNow(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.channelId],
      foreignColumns: [channels.organizationId, channels.id],
    }),
    unique("templates_id_organization_id_unique").on(t.id, t.organizationId),
    unique("templates_name_unique").on(t.channelId, t.name, t.language),
    check(
      "templates_state_check",
      sql`${t.state} in ('pending', 'approved', 'rejected', 'paused', 'disabled')`,
    ),
  ],
);
