import { randomInt } from "node:crypto";
import { customerWrites, marksOf } from "@/e2e/support/simulator";
import { LONG_READ, until } from "@/e2e/support/until";
import { withEndpoint } from "./endpoints";
import { type Journey, refused, type Scenario } from "./scenario";
import type { World } from "./world";

const UNKNOWN_ID = "01890a5d-ac96-774b-bcce-b302099a8057";

const readOf = (id: string, { secret }: { readonly secret: string }, json?: object) => ({
  method: "POST",
  path: `/messages/${id}/read`,
  key: secret,
  ...(json === undefined ? {} : { json }),
});

/** `POST /messages/{id}/read` of messages that a customer can't have written. */
export const marks: readonly Scenario[] = [
  {
    name: "marking as read needs messages:send",
    request: ({ keys, messages }) => readOf(messages.own, keys.readsOnly),
    expected: { ...refused(403, "missing_scope"), text: /messages:send/ },
  },
  {
    name: "a message that was sent can't be marked as read",
    request: ({ keys, messages }) => readOf(messages.own, keys.main),
    expected: refused(409, "message_not_inbound"),
  },
  {
    name: "an erased message can't be marked as read, and the response gives the reason",
    request: ({ keys, messages }) => readOf(messages.erased, keys.main),
    expected: { ...refused(409, "message_not_markable"), text: /erased/ },
  },
  ...[
    { name: "an unknown id", idOf: () => UNKNOWN_ID },
    { name: "a malformed id", idOf: () => "not-an-id" },
    { name: "another organization's message", idOf: ({ messages }: World) => messages.ofOther },
    { name: "an internal note", idOf: ({ demo }: World) => demo.internal_note_id },
  ].map(({ name, idOf }): Scenario => ({
    name: `${name} isn't marked as read`,
    request: (world) => readOf(idOf(world), world.keys.main),
    expected: refused(404, "message_not_found"),
  })),
  ...[
    { name: "typing that is no boolean", json: { typing: "yes" }, field: "typing" },
    { name: "an unknown field", json: { read: true }, field: "read" },
  ].map(({ name, json, field }): Scenario => ({
    name: `a mark with ${name} is refused`,
    request: ({ keys, messages }) => readOf(messages.own, keys.main, json),
    expected: { ...refused(400, "validation_failed"), body: { error: { field } } },
  })),
];

/** The same of messages of a customer, up to WhatsApp. */
export const marking: readonly Journey[] = [
  {
    name: "a customer's message is marked as read, with and without typing, and WhatsApp is told",
    async run(world, expect) {
      await withEndpoint(
        world,
        { url: null, events: ["message.received"] },
        async ({ id: endpointId }, call) => {
          const phoneNumberId = world.demo.phone_number_ids.default;
          const from = `49151${randomInt(1e6, 1e7)}`;
          await customerWrites(world.server.simulatorUrl, { phoneNumberId, from, body: "Is anybody there?" });
          const path = `/webhooks/${endpointId}/deliveries?order=oldest&include=payload&limit=100`;
          const received = async () => {
            const { data } = JSON.parse((await call({ path })).text);
            const bodies: { data: { message_id: string; thread_id: string; from: { handle: string } } }[] =
              data.map(({ body }: { body: string }) => JSON.parse(body));
            return bodies.find((body) => body.data.from.handle === from)?.data ?? null;
          };
          const { message_id: messageId, thread_id } = await until(
            "the message is received",
            received,
            LONG_READ,
          );
          const { main, secondChannel } = world.keys;
          const told = () => marksOf(world.server.simulatorUrl, phoneNumberId);
          const before = (await told()).length;
          const plain = await world.api.call(readOf(messageId, main));
          expect(plain).toMatchObject({
            status: 202,
            body: { message_id: messageId, thread_id, typing: false },
          });
          const read = await world.api.call({ path: `/messages/${messageId}`, key: main.secret });
          expect(plain.headers["x-ratelimit-limit"]).toBe(read.headers["x-ratelimit-limit"]);
          const ofMessage = async (count: number) => {
            const found = (await told()).slice(before);
            return found.length >= count ? found : null;
          };
          const [first] = await until("the simulator has the mark", () => ofMessage(1), LONG_READ);
          expect(first).toMatchObject({ typing_indicator: false, status: 200, code: null });
          const typing = await world.api.call(readOf(messageId.toUpperCase(), main, { typing: true }));
          expect(typing).toMatchObject({ status: 202, body: { message_id: messageId, typing: true } });
          const isTyping = async () =>
            (await told()).find((mark) => mark.message_id === first?.message_id && mark.typing_indicator) ??
            null;
          expect(await until("the simulator has the typing indicator", isTyping, LONG_READ)).toMatchObject({
            status: 200,
          });
          const hidden = await world.api.call(readOf(messageId, secondChannel));
          expect(hidden).toMatchObject({ status: 404, code: "message_not_found" });
        },
      );
    },
  },
];
