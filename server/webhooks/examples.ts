import type { CreateWebhookInput } from "./schemas";

/** Bodies of POST /webhooks, as the OpenAPI document shows them. */
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
    summary: "Events wait to be fetched",
    value: { url: null, description: "Behind a firewall" },
  },
} as const satisfies Record<string, { readonly summary: string; readonly value: CreateWebhookInput }>;
