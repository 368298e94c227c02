import { randomUUID } from "node:crypto";
import path from "node:path";
import { format } from "oxfmt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSendWorld, type SendWorld } from "@/server/domain/messages/testing";
import { WEBHOOK_EVENT_SCHEMAS, type WebhookEventOf } from "@/server/domain/webhooks/events/event-schemas";
import { RECEIVED_KINDS } from "@/server/domain/messages/model/received-content-schemas";
import { addEndpoint, deliveriesOf } from "@/server/domain/webhooks/testing";
import { EXAMPLE, inboundPayload, ofNumber, payload } from "./examples.fixture";
import { INBOUND_EVENT_EXAMPLES } from "./inbound-event-examples.fixture";
import { INBOUND_EXAMPLES } from "./inbound-examples.fixture";
import { bytesOf, post, processDue } from "./testing";

type Received = WebhookEventOf<"message.received">;

const EXAMPLES_FILE = path.join(import.meta.dirname, "../webhooks/events/received-examples.json");
const WRITTEN_AT = "1749416383";
const CALL = { from: EXAMPLE.number, to: "15550783881", direction: "USER_INITIATED", event: "connect" };

let world: SendWorld;
let endpointId: string;

beforeAll(async () => {
  world = await openSendWorld({ database: "own" });
  await world.sql`
    update channels set phone_number_id = ${EXAMPLE.phoneNumberId}, waba_id = ${EXAMPLE.wabaId}
    where id = ${world.channelId}`;
  ({ id: endpointId } = await addEndpoint(world.ctx, { url: null }));
});
afterAll(() => world.close());

/** Returns the event for a callback that contains exactly the documented fields. */
async function eventOf(body: object): Promise<Received> {
  await world.sql`delete from webhook_events`;
  expect(await post(world.services, world.channelId, bytesOf(body))).toBe(200);
  await processDue(world.services);
  const [delivery, ...others] = await deliveriesOf(world, endpointId);
  expect(others).toEqual([]);
  const event: Received = JSON.parse(delivery?.body ?? "{}");
  expect(WEBHOOK_EVENT_SCHEMAS["message.received"].parse(event)).toStrictEqual(event);
  return event;
}

/** The same on every run. */
function withFixedIds(event: Received): Received {
  const at = "2025-06-08T20:59:44.512Z";
  return {
    ...event,
    id: "0197514b-7a8f-7d31-9c44-0f6f3b1f2a10",
    timestamp: at,
    data: {
      ...event.data,
      message_id: "0197514b-7a6a-7c11-9c6e-2f4d4f0c7a10",
      thread_id: "0197514b-7a5c-7f14-8a52-64f1b7c2d905",
      contact_id: "0197514b-7a5b-7a60-b7de-91c0a4e3f722",
      channel_id: "0197514a-0c2e-7b11-a3c4-5d2f8e6b7a90",
      received_at: at,
    },
  };
}

test("whatever a customer sends is reported by its kind, as documented, and an example of each kind is documented", async () => {
  const found: Record<string, Received> = {};
  const call = payload("calls", ofNumber({ calls: [{ ...CALL, id: "wacid.1", timestamp: WRITTEN_AT }] }));
  const payloads = [...INBOUND_EXAMPLES, ...INBOUND_EVENT_EXAMPLES].map((example) =>
    inboundPayload(example, `wamid.${randomUUID()}`, WRITTEN_AT),
  );
  for (const body of [...payloads, call]) {
    const event = await eventOf(body);
    found[event.data.content.type] ??= withFixedIds(event);
  }
  expect(Object.keys(found).toSorted()).toEqual(RECEIVED_KINDS.toSorted());
  const examples = Object.fromEntries(RECEIVED_KINDS.map((kind) => [kind, found[kind]]));
  const { code: text } = await format(EXAMPLES_FILE, JSON.stringify(examples, null, 2), { printWidth: 110 });
  await expect(text).toMatchFileSnapshot(EXAMPLES_FILE);
});

test.each([
  [
    "interactive",
    { interactive: { type: "button_reply", button_reply: { id: "yes", title: "Yes" } } },
    "reply",
  ],
  ["button", { button: { payload: "yes", text: "Yes" } }, "reply"],
  ["system", { system: { type: "customer_identity_changed" } }, "event"],
  ["text", { text: { body: 5 } }, "unknown"],
  ["image", {}, "unknown"],
  ["hologram", {}, "unknown"],
  ["edit", { edit: { original_message_id: "wamid.1", message: { type: "hologram", hologram: 1 } } }, "edit"],
])("%s %j is of the kind %s", async (type, message, kind) => {
  const example = { type, message, content: {}, opensWindow: false };
  const { data } = await eventOf(inboundPayload(example, `wamid.${randomUUID()}`, WRITTEN_AT));
  expect([data.type, data.content.type]).toEqual([type, kind]);
});
