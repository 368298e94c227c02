import type { ReplayInput } from "./replay/replay-schemas";
import type { CreateWebhookInput, SetWebhookInput } from "./endpoints/schemas";

/** Bodies of POST /webhooks, as in the OpenAPI document. */
export const CREATE_WEBHOOK_EXAMPLES = {
  posted: {
    summary: "Events are posted to a URL",
    value: {
      url: "https://www.example.com/waypost",
      events: ["message.delivered", "message.failed"],
      description: "Order service",
    },
  },
  fetched: {
    summary: "Events are fetched",
    value: { url: null, description: "Behind a firewall" },
  },
} as const satisfies Record<string, { readonly summary: string; readonly value: CreateWebhookInput }>;

/** The same for PATCH /webhooks/{id}. */
export const UPDATE_WEBHOOK_EXAMPLES = {
  enabled: {
    summary: "Enable the endpoint again",
    value: { enabled: true },
  },
  events: {
    summary: "Choose other events",
    value: { events: ["message.failed", "message.received"] },
  },
} as const satisfies Record<
  string,
  { readonly summary: string; readonly value: Omit<SetWebhookInput, "id"> }
>;

/** The same for POST /webhooks/{id}/replay. */
export const REPLAY_WEBHOOKS_EXAMPLES = {
  count: {
    summary: "Count failures since yesterday",
    value: { since: "2026-01-30T00:00:00Z", only: "failed", dry_run: true },
  },
  skipped: {
    summary: "Replay skipped deliveries",
    value: { since: "2026-01-30T00:00:00Z", only: "skipped" },
  },
  all: {
    summary: "Replay all deliveries of one hour, once",
    value: {
      since: "2026-01-31T11:00:00Z",
      until: "2026-01-31T12:00:00Z",
      only: "all",
      replay_id: "0198f0b3-2c44-7f6a-8f0d-7e5b1c9a4d20",
    },
  },
} as const satisfies Record<string, { readonly summary: string; readonly value: Omit<ReplayInput, "id"> }>;
