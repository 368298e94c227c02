import examples from "./received-examples.json";
import { z } from "zod";
import type { WebhookEventType } from "@/db/schema";
import type { PreferenceEventData } from "@/server/domain/contacts/announce";
import { MESSAGE_EXAMPLE } from "@/server/domain/messages/model/schemas";
import { ERRORS } from "@/server/platform/errors";
import {
  type StateEventData,
  TEST_EVENT_MESSAGE,
  type WebhookEventOf,
  WEBHOOK_EVENT_SCHEMAS,
} from "./event-schemas";
import { RECEIVED_KINDS } from "@/server/domain/messages/model/received-content-schemas";

/**
 * An event of each kind of content, as received by a test: server/domain/callbacks/received-events.test.ts, which
 * rewrites the file when run with `-u`.
 */
export const RECEIVED_EXAMPLES = z
  .record(z.enum(RECEIVED_KINDS), WEBHOOK_EVENT_SCHEMAS["message.received"])
  .parse(examples);

const delivered = {
  ...MESSAGE_EXAMPLE,
  previous_state: "sent",
  sequence: 2,
  inferred: false,
} as const satisfies StateEventData;

const accepted = {
  ...delivered,
  delivery_state: "queued",
  sent_at: null,
  delivered_at: null,
  previous_state: "queued",
  sequence: 1,
} as const;

const sent = { ...accepted, delivery_state: "sent", sent_at: delivered.sent_at } as const;

const preference = {
  contact_id: "0198f0a4-5b5f-7d21-8a3e-1c2b3a4d5e6f",
  identities: [
    { kind: "whatsapp", handle: "4915112345678" },
    { kind: "whatsapp_user", handle: "DE.1184712064853217" },
  ],
} satisfies Pick<PreferenceEventData, "contact_id" | "identities">;

/** A body of every type, as in the documentation. */
export const WEBHOOK_EVENT_EXAMPLES = {
  "message.sent": {
    id: "0198f0a4-6010-7b0e-a5f3-0d2e9c41b7a1",
    type: "message.sent",
    timestamp: "2026-01-31T12:00:01.204Z",
    data: sent,
  },
  "message.delivered": {
    id: "0198f0a4-6919-7d64-8c27-3b7f50e6d182",
    type: "message.delivered",
    timestamp: "2026-01-31T12:00:03.518Z",
    data: delivered,
  },
  "message.read": {
    id: "0198f0a8-a49d-7e21-9f58-1c6b2d7e4a90",
    type: "message.read",
    timestamp: "2026-01-31T12:04:40.077Z",
    data: {
      ...delivered,
      delivery_state: "read",
      read_at: "2026-01-31T12:04:39.000Z",
      previous_state: "delivered",
      sequence: 3,
    },
  },
  "message.failed": {
    id: "0198f0a4-66bb-7f90-9b3e-6c1d84a2e05f",
    type: "message.failed",
    timestamp: "2026-01-31T12:00:02.911Z",
    data: {
      ...sent,
      delivery_state: "failed",
      error: {
        code: "undeliverable",
        message: ERRORS.undeliverable.message,
        resend: ERRORS.undeliverable.resend,
        resend_after: null,
        doc_url: "https://waypost.example.com/docs/errors#undeliverable",
        upstream: { code: 131026, title: "Message undeliverable" },
      },
      failed_at: "2026-01-31T12:00:02.000Z",
      previous_state: "sent",
      sequence: 2,
    },
  },
  "message.received": RECEIVED_EXAMPLES.text,
  "contact.opted_out": {
    id: "0198f0b1-11c0-7a52-8d3f-2b4c6d8e0f13",
    type: "contact.opted_out",
    timestamp: "2026-01-31T12:14:01.310Z",
    data: {
      ...preference,
      sequence: 1,
      marketing_opt_out: true,
      source: "word",
      at: "2026-01-31T12:14:00.000Z",
    },
  },
  "contact.opted_in": {
    id: "0198f0c2-22d1-7b63-9e40-3c5d7e9f1a24",
    type: "contact.opted_in",
    timestamp: "2026-01-31T12:32:38.644Z",
    data: {
      ...preference,
      sequence: 2,
      marketing_opt_out: false,
      source: "whatsapp",
      at: "2026-01-31T12:32:37.000Z",
    },
  },
  "contact.changed": {
    id: "0198f0d3-33e2-7c74-8f51-4d6e8fa02b35",
    type: "contact.changed",
    timestamp: "2026-01-31T12:51:15.978Z",
    data: {
      contact_id: preference.contact_id,
      sequence: 3,
      old: { kind: "whatsapp", handle: "4915112345678", user_id: "DE.1184712064853217" },
      new: { kind: "whatsapp", handle: "4915187654321", user_id: "DE.2290183647512093" },
      at: "2026-01-31T12:51:14.000Z",
    },
  },
  "webhook.test": {
    id: "0198f09f-8001-7c5b-8d12-5a9e0f6b3c77",
    type: "webhook.test",
    timestamp: "2026-01-31T11:58:00.000Z",
    data: {
      endpoint_id: "0198f09f-7c11-7d08-9b64-1e5a2c7f3d46",
      message: TEST_EVENT_MESSAGE,
    },
  },
} as const satisfies { [Type in WebhookEventType]: WebhookEventOf<Type> };
