import { createClient, createConfig } from "./hey-api/client/index.js";
import { createUpload, getMessage, listMessages, sendMessage } from "./hey-api/sdk.gen.js";
import type { Event, SendMessageRequest } from "./hey-api/types.gen.js";
import { check, file, settings } from "./settings.js";
import { Webhook } from "standardwebhooks";

const client = createClient(createConfig({ baseUrl: settings.baseUrl, auth: settings.key }));

const body: SendMessageRequest = {
  client_message_id: "hey-api-1",
  type: "text",
  to: { kind: "whatsapp", handle: settings.handle },
  text: { body: "Hello" },
};
// @ts-expect-error A text needs its text.
const incomplete: SendMessageRequest = { client_message_id: "hey-api-2", type: "text", to: body.to };

const sent = await sendMessage({ client, body });
check(sent.response?.status === 201 && sent.data?.deduplicated === false, "sends");
const again = await sendMessage({ client, body });
check(again.response?.status === 200 && again.data?.deduplicated === true, "sends again");
const refused = await sendMessage({ client, body: incomplete });
check(
  refused.error?.error.code === "validation_failed" && refused.error.error.resend === "never",
  "is refused",
);

const found = await getMessage({ client, path: { id: sent.data?.message_id ?? "" } });
check(found.data?.client_message_id === body.client_message_id, "gets");
const listed = await listMessages({ client, query: { limit: 1 } });
check(listed.data?.data.length === 1, "lists");
const uploaded = await createUpload({ client, body: file.bytes, headers: { "X-Filename": "order.pdf" } });
check(uploaded.data?.mime_type === file.type, "uploads");

const { secret, body: received, headers } = settings.webhook;
// Verified: it is what the document describes.
const event = new Webhook(secret).verify(received, headers) as Event;
check(event.type === "message.sent" && event.data.delivery_state === "sent", "verifies");
