import { expect, test } from "vitest";
import { eventually } from "../../e2e/support/eventually";
import { messagesMax, type PhoneMessage, type PhoneView } from "./phone";
import { call, numberFor, phoneNumberId, putNumbers, send, startForTest, startWithReceiver } from "./testing";
import type { Simulator } from "./start";

const customer = "4915112345678";

interface Shown extends PhoneView {
  readonly next_outcome: string | null;
  readonly next_outcomes: readonly { readonly name: string }[];
  readonly camera_roll: readonly { readonly name: string }[];
}

async function phoneAt(simulator: Simulator, { after = "", of = customer } = {}): Promise<Shown> {
  const query = new URLSearchParams({ phone_number_id: phoneNumberId, customer: of, after }).toString();
  const { status, body } = await call(simulator, "GET", `/simulator/phone?${query}`);
  expect(status).toBe(200);
  // Each test checks the fields that it is about.
  return body as Shown;
}

/** Sends a message to the customer, and returns its wamid. */
async function sent(simulator: Simulator, message: object): Promise<string> {
  const { status, body } = await send(simulator, {
    messaging_product: "whatsapp",
    to: `+${customer}`,
    ...message,
  });
  expect({ status, body }).toMatchObject({ status: 200 });
  return (body as { messages: [{ id: string }] }).messages[0].id;
}

/** Lets the customer do something, and returns the wamid. */
async function acts(simulator: Simulator, act: object): Promise<string> {
  const input = { phone_number_id: phoneNumberId, from: customer, ...act };
  const { status, body } = await call(simulator, "POST", "/simulator/inbound", input);
  expect({ status, body }).toMatchObject({ status: 200 });
  return (body as { wamid: string }).wamid;
}

const text = (body: string) => ({ type: "text", text: { body } });

async function messageOf(simulator: Simulator, id: string): Promise<PhoneMessage | undefined> {
  return (await phoneAt(simulator)).messages.find((message) => message.id === id);
}

async function untilState(simulator: Simulator, id: string, state: string): Promise<void> {
  await eventually(async () => expect(await messageOf(simulator, id)).toMatchObject({ state }));
}

test("shows both directions in order with ticks, and an earlier cursor gets changes only", async () => {
  const { simulator } = await startWithReceiver();
  const first = await sent(simulator, text("Hello"));
  const answer = await acts(simulator, { ...text("Hi"), context: { id: first } });
  await untilState(simulator, first, "read");
  await untilState(simulator, answer, "delivered");
  const whole = await phoneAt(simulator);
  expect(whole).toMatchObject({
    is_whole: true,
    is_cut: false,
    is_typing: false,
    messages: [
      { id: first, from: "business", type: "text", bubble: { text: "Hello" }, state: "read", quotes: null },
      { id: answer, from: "customer", bubble: { text: "Hi" }, state: "delivered", quotes: first },
    ],
  });
  const unchanged = await phoneAt(simulator, { after: whole.cursor });
  expect(unchanged).toMatchObject({ is_whole: false, messages: [], cursor: whole.cursor });
  const second = await sent(simulator, { ...text("Thanks"), context: { message_id: answer } });
  const later = await phoneAt(simulator, { after: whole.cursor });
  expect(later.messages.map(({ id, quotes }) => [id, quotes])).toEqual([[second, answer]]);
  expect((await phoneAt(simulator, { after: "another.3" })).messages).toHaveLength(3);
  expect((await phoneAt(simulator, { of: "4915199999999" })).messages).toEqual([]);
});

test("a mark makes the customer's message and those before it read, and shows that the business types", async () => {
  const { simulator } = await startWithReceiver();
  const one = await acts(simulator, text("1"));
  const two = await acts(simulator, text("2"));
  const unmarked = await acts(simulator, text("3"));
  await phoneAt(simulator);
  const mark = { messaging_product: "whatsapp", status: "read", message_id: two };
  await send(simulator, { ...mark, typing_indicator: { type: "text" } });
  const { messages, is_typing } = await phoneAt(simulator);
  expect(is_typing).toBe(true);
  expect(messages.filter(({ state }) => state === "read").map(({ id }) => id)).toEqual([one, two]);
  expect(messages.at(-1)).toMatchObject({ id: unmarked });
  await sent(simulator, text("Here it is"));
  expect((await phoneAt(simulator)).is_typing).toBe(false);
});

test("a reaction is folded onto its message, by each side, and can be taken back", async () => {
  const { simulator } = await startWithReceiver();
  const theirs = await sent(simulator, text("Hello"));
  const mine = await acts(simulator, text("Hi"));
  await acts(simulator, { type: "reaction", reaction: { message_id: theirs, emoji: "👍" } });
  await sent(simulator, { type: "reaction", reaction: { message_id: mine, emoji: "❤️" } });
  const { messages } = await phoneAt(simulator);
  expect(messages.map(({ reactions }) => reactions)).toEqual([
    { business: null, customer: "👍" },
    { business: "❤️", customer: null },
  ]);
  await acts(simulator, { type: "reaction", reaction: { message_id: theirs } });
  expect((await messageOf(simulator, theirs))?.reactions).toEqual({ business: null, customer: null });
});

test("the customer changes and deletes own messages, and calls", async () => {
  const { simulator } = await startWithReceiver();
  const theirs = await sent(simulator, text("Hello"));
  const mine = await acts(simulator, text("Hi"));
  const change = (original_message_id: string) =>
    acts(simulator, { type: "edit", edit: { original_message_id, message: text("Hi!") } });
  await change(mine);
  await change(theirs);
  expect((await messageOf(simulator, mine))?.bubble).toEqual({ text: "Hi!" });
  await acts(simulator, { type: "revoke", revoke: { original_message_id: mine } });
  await acts(simulator, { type: "call", call: {} });
  expect((await phoneAt(simulator)).messages).toMatchObject([
    { id: theirs, bubble: { text: "Hello" } },
    { id: mine, bubble: { text: "You deleted this message." } },
    { from: "note", bubble: { text: "You called this business." } },
  ]);
});

test("a reaction of the business that fails never shows", async () => {
  const { simulator } = await startWithReceiver();
  const undeliverable = "4915112399011";
  const mine = await acts(simulator, { from: undeliverable, ...text("Hi") });
  await sent(simulator, {
    to: undeliverable,
    type: "reaction",
    reaction: { message_id: mine, emoji: "❤️" },
  });
  const { messages } = await phoneAt(simulator, { of: undeliverable });
  expect(messages).toMatchObject([{ id: mine, reactions: { business: null, customer: null } }]);
});

test("the customer's read is reported as the other statuses of the message are", async () => {
  const { simulator, receiver } = await startWithReceiver();
  const named = { ...text("Hello"), biz_opaque_callback_data: "message-1" };
  const setOutcome = { phone_number_id: phoneNumberId, customer, outcome: "not_read" };
  await call(simulator, "PUT", "/simulator/next-outcome", setOutcome);
  const id = await sent(simulator, named);
  await untilState(simulator, id, "delivered");
  const read = await call(simulator, "POST", "/simulator/phone/read", {
    phone_number_id: phoneNumberId,
    customer,
  });
  expect(read.body).toEqual({ read: 1 });
  await eventually(() => expect(receiver.statuses()).toHaveLength(3));
  expect(receiver.statuses()[2]).toMatchObject({ id, status: "read", biz_opaque_callback_data: "message-1" });
});

test("the customer sends each file of the camera roll, and its bytes can be read by the number only", async () => {
  const { simulator } = await startWithReceiver();
  const { camera_roll } = await phoneAt(simulator);
  expect(camera_roll.map(({ name }) => name)).toEqual(["photo", "smile", "voice", "receipt"]);
  const starts = { photo: "ffd8ff", smile: "52494646", voice: "4f676753", receipt: "25504446" };
  for (const [name, start] of Object.entries(starts)) {
    const file = camera_roll.find((one) => one.name === name) as unknown as {
      type: string;
      mime_type: string;
    };
    const id = await acts(simulator, {
      type: file.type,
      [file.type]: { mime_type: file.mime_type },
      demo_file: name,
    });
    const media = (await messageOf(simulator, id))?.bubble.media;
    expect(media).toMatchObject({ kind: file.type, mime_type: file.mime_type });
    const bytes = (number: string) =>
      fetch(`${simulator.url}/simulator/media/${media?.id}?phone_number_id=${number}`);
    const answer = await bytes(phoneNumberId);
    const content = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, content.subarray(0, start.length / 2).toString("hex")]).toEqual([200, start]);
    expect((await bytes("1")).status).toBe(404);
  }
});

test("a restart changes nothing on the phone, and the cursor of before gets everything", async () => {
  const { simulator, receiver, directory } = await startWithReceiver();
  const id = await sent(simulator, text("Hello"));
  await acts(simulator, { type: "reaction", reaction: { message_id: id, emoji: "👍" } });
  await acts(simulator, { type: "system", system: { type: "user_changed_number", wa_id: "4915100000001" } });
  await acts(simulator, { type: "user_preferences", user_preferences: { value: "stop" } });
  await untilState(simulator, id, "read");
  const before = await phoneAt(simulator);
  expect(before.messages).toMatchObject([
    { id, reactions: { customer: "👍" } },
    {
      from: "note",
      new_number: "4915100000001",
      bubble: { text: expect.stringContaining("+4915100000001") },
    },
    { from: "note", bubble: { text: "You stopped marketing messages from this business." } },
  ]);
  await simulator.stop();
  const again = await startForTest(directory);
  await putNumbers(again, [numberFor(receiver.url)]);
  const after = await phoneAt(again, { after: before.cursor });
  expect(after).toMatchObject({ is_whole: true, messages: before.messages });
});

test("keeps the latest messages only, and says that there were more", async () => {
  const { simulator } = await startWithReceiver();
  await phoneAt(simulator);
  for (let number = 0; number <= messagesMax; number++) await acts(simulator, text(`${number}`));
  const { messages, is_cut } = await phoneAt(simulator);
  expect([messages.length, messages[0]?.bubble.text, is_cut]).toEqual([messagesMax, "1", true]);
});

test("wrong questions are refused by the field's name", async () => {
  const { simulator } = await startWithReceiver();
  const ask = (query: string) => call(simulator, "GET", `/simulator/phone?${query}`);
  expect(await ask(`phone_number_id=404&customer=${customer}`)).toMatchObject({
    status: 400,
    body: { error: { field: "phone_number_id" } },
  });
  expect(await ask(`phone_number_id=${phoneNumberId}&customer=%2B49`)).toMatchObject({
    status: 400,
    body: { error: { field: "customer" } },
  });
});

test("shows a message that the business has already, once and without a callback", async () => {
  const { simulator, receiver } = await startWithReceiver();
  const known = { wamid: "wamid.imported-1", at: "2026-01-02T03:04:05.000Z" };
  expect(await acts(simulator, { ...text("Is it on its way?"), known })).toBe(known.wamid);
  await acts(simulator, { ...text("Is it on its way?"), known });
  const later = await acts(simulator, text("Hello?"));
  await untilState(simulator, later, "delivered");
  expect((await phoneAt(simulator)).messages).toMatchObject([
    {
      id: known.wamid,
      from: "customer",
      at: known.at,
      state: "delivered",
      bubble: { text: "Is it on its way?" },
    },
    { id: later },
  ]);
  expect(receiver.posts).toHaveLength(1);
});
