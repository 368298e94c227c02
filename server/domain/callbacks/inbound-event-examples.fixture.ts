import type { InboundExample } from "./inbound-examples.fixture";

/**
 * The payloads in Meta's webhook references that aren't messages of their own: events about another message or the
 * customer, and content that can't be passed on.
 */
export const INBOUND_EVENT_EXAMPLES: readonly InboundExample[] = [
  {
    type: "reaction",
    message: { reaction: { message_id: "wamid.question", emoji: "👍" } },
    content: { reaction: { upstream_id: "wamid.question", emoji: "👍" } },
    opensWindow: false,
  },
  {
    type: "reaction",
    message: { reaction: { message_id: "wamid.question" } },
    content: { reaction: { upstream_id: "wamid.question", emoji: null } },
    opensWindow: false,
  },
  {
    type: "edit",
    message: {
      edit: {
        original_message_id: "wamid.question",
        message: { context: { id: "M0" }, type: "text", text: { body: "In blue, I mean" } },
      },
    },
    content: {
      edits: { upstream_id: "wamid.question", content: { type: "text", text: { body: "In blue, I mean" } } },
    },
    opensWindow: false,
  },
  {
    type: "revoke",
    message: { revoke: { original_message_id: "wamid.question" } },
    content: { revokes: { upstream_id: "wamid.question" } },
    opensWindow: false,
  },
  {
    type: "unsupported",
    message: {
      errors: [
        {
          code: 131051,
          title: "Message type unknown",
          message: "Message type unknown",
          error_data: { details: "Message type is currently not supported." },
        },
      ],
      unsupported: { type: "poll_creation" },
    },
    content: { unsupported: { kind: "poll_creation", reason: "Message type is currently not supported." } },
    opensWindow: true,
  },
  {
    type: "system",
    message: { system: { body: "Sheena Nelson changed their identity", type: "customer_identity_changed" } },
    content: { event: { kind: "customer_identity_changed", text: "Sheena Nelson changed their identity" } },
    opensWindow: false,
  },
  {
    type: "system",
    message: {
      system: {
        body: "User Sheena Nelson changed from 16505551234 to 12195555358",
        wa_id: "12195555358",
        type: "user_changed_number",
      },
    },
    content: {
      event: {
        kind: "user_changed_number",
        text: "User Sheena Nelson changed from 16505551234 to 12195555358",
      },
    },
    opensWindow: false,
  },
];
