import createClient from "openapi-fetch";
import { Webhook } from "standardwebhooks";
import type { components, paths } from "./openapi-typescript.js";
import { check, file, settings } from "./settings.js";

type SendMessageRequest = components["schemas"]["SendMessageRequest"];
type Event = components["schemas"]["Event"];

const client = createClient<paths>({
  baseUrl: settings.baseUrl,
  headers: { Authorization: `Bearer ${settings.key}` },
});

const message: SendMessageRequest = {
  client_message_id: "openapi-fetch-1",
  type: "text",
  to: { kind: "whatsapp", handle: settings.handle },
  text: { body: "Hello" },
};
// @ts-expect-error A text needs its text.
const incomplete: SendMessageRequest = { client_message_id: "openapi-fetch-2", type: "text", to: message.to };

const sent = await client.POST("/messages", { body: message });
check(sent.response.status === 201 && sent.data?.deduplicated === false, "sends");
const again = await client.POST("/messages", { body: message });
check(again.response.status === 200 && again.data?.deduplicated === true, "sends again");
const refused = await client.POST("/messages", { body: incomplete });
check(
  refused.error?.error.code === "validation_failed" && refused.error.error.resend === "never",
  "is refused",
);

const found = await client.GET("/messages/{id}", { params: { path: { id: sent.data?.message_id ?? "" } } });
check(found.data?.client_message_id === message.client_message_id, "gets");
const listed = await client.GET("/messages", {
  params: { query: { limit: 1 } },
});
check(listed.data?.data.length === 1, "lists");

const uploaded = await client.POST("/uploads", {
  // This generator knows no other type for bytes.
  body: file.bytes as unknown as string,
  bodySerializer: (bytes) => bytes,
  headers: { "Content-Type": file.type },
  params: { header: { "X-Filename": "order.pdf" } },
});
check(uploaded.data?.mime_type === file.type, "uploads");

/** The type of an event selects its data. */
function describe(event: Event): string {
  switch (event.type) {
    case "message.received":
      return event.data.content.type === "text" ? event.data.content.text.body : event.data.content.type;
    case "message.failed":
      return event.data.error?.code ?? "";
    case "webhook.test":
      return event.data.message;
    case "contact.opted_out":
    case "contact.opted_in":
      return event.data.source;
    case "contact.changed":
      return event.data.new.handle ?? "";
    default:
      return event.data.delivery_state;
  }
}
const { secret, body, headers } = settings.webhook;
// Verified: it is what the document describes.
const event = new Webhook(secret).verify(body, headers) as Event;
check(event.type === "message.sent" && describe(event) === "sent", "verifies");
