import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  call,
  ledgerOf,
  numberFor,
  phoneNumberId,
  putNumbers,
  send,
  startForTest,
  startWithReceiver,
} from "./testing";
import type { Simulator } from "./start";

const from = "4915112345678";
const read = { messaging_product: "whatsapp", status: "read" };

/** Writes as a customer, and returns the message's id. */
async function received(simulator: Simulator): Promise<string> {
  const inbound = { phone_number_id: phoneNumberId, from, text: { body: "Hi" } };
  const { body } = await call(simulator, "POST", "/simulator/inbound", inbound);
  return (body as { wamid: string }).wamid;
}

test.each([
  ["as read", {}],
  ["as read, with a typing indicator", { typing_indicator: { type: "text" } }],
])("a customer's message is marked %s, and the mark is in the ledger", async (_, more) => {
  const { simulator } = await startWithReceiver();
  const message_id = await received(simulator);
  const answer = await send(simulator, { ...read, message_id, ...more });
  expect(answer).toEqual({ status: 200, body: { success: true } });
  const { marks, calls, messages } = await ledgerOf(simulator);
  expect(marks).toEqual([
    {
      at: expect.any(String),
      phone_number_id: phoneNumberId,
      message_id,
      typing_indicator: "typing_indicator" in more,
      status: 200,
      code: null,
    },
  ]);
  expect({ calls, messages }).toEqual({ calls: [], messages: [] });
});

test("a message that arrived before a restart can be marked, also when the checkpoint is lost", async () => {
  const { simulator, directory } = await startWithReceiver();
  const message_id = await received(simulator);
  await simulator.stop();
  const again = await startForTest(directory);
  expect((await send(again, { ...read, message_id })).status).toBe(200);
  await again.stop();
  await rm(join(directory, "owed.json"));
  expect((await send(await startForTest(directory), { ...read, message_id })).status).toBe(200);
});

const REFUSED: readonly { what: string; mark: object; code: number }[] = [
  { what: "an unknown message", mark: { message_id: "wamid.HBgL" }, code: 131009 },
  { what: "no message", mark: {}, code: 100 },
  { what: "a message id that is no text", mark: { message_id: 7 }, code: 100 },
  { what: "another status", mark: { status: "delivered", message_id: "wamid.HBgL" }, code: 100 },
  { what: "another product", mark: { messaging_product: "sms", message_id: "wamid.HBgL" }, code: 100 },
  {
    what: "another indicator",
    mark: { message_id: "wamid.HBgL", typing_indicator: { type: "audio" } },
    code: 100,
  },
];

test.each(REFUSED)("a mark with $what is refused with $code, and noted", async ({ mark, code }) => {
  const { simulator } = await startWithReceiver();
  const answer = await send(simulator, { ...read, ...mark });
  expect(answer).toMatchObject({ status: 400, body: { error: { code, type: "OAuthException" } } });
  expect((await ledgerOf(simulator)).marks).toMatchObject([{ status: 400, code }]);
});

test("a message of another number, an own message and one of 31 days ago can't be marked", async () => {
  const { simulator, receiver } = await startWithReceiver();
  await putNumbers(simulator, [numberFor(receiver.url, { phone_number_id: "222" })]);
  const refused = { status: 400, body: { error: { code: 131009 } } };
  const message_id = await received(simulator);
  expect(await send(simulator, { ...read, message_id }, { numberId: "222" })).toMatchObject(refused);
  const text = { messaging_product: "whatsapp", to: from, type: "text", text: { body: "Hello" } };
  const { body } = await send(simulator, text);
  const own = (body as { messages: { id: string }[] }).messages[0]?.id;
  expect(await send(simulator, { ...read, message_id: own })).toMatchObject(refused);
  expect((await call(simulator, "POST", "/clock", { advance: "31d" })).status).toBe(200);
  expect(await send(simulator, { ...read, message_id })).toMatchObject(refused);
});

test("another token marks nothing", async () => {
  const { simulator } = await startWithReceiver();
  const message_id = await received(simulator);
  const answer = await send(simulator, { ...read, message_id }, { token: "wrong" });
  expect(answer).toMatchObject({ status: 401, body: { error: { code: 190 } } });
  expect((await ledgerOf(simulator)).marks).toMatchObject([{ message_id, status: 401, code: 190 }]);
});
