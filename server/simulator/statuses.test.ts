import { expect, test } from "vitest";
import { eventually } from "../../e2e/support/eventually";
import {
  call,
  ledgerOf,
  owedTotal,
  phoneNumberId,
  send,
  startForTest,
  startReceiver,
  startWithReceiver,
  temporaryDirectory,
  putNumbers,
  numberFor,
  textMessage,
} from "./testing";

const recipient = "4915112345678";
const user = "DE.13491208655302741918";

test("a thousand statuses of messages that don't exist come in one body", async () => {
  const { simulator, receiver } = await startWithReceiver();
  const statuses = Array.from({ length: 1000 }, (_, index) => ({
    wamid: `wamid.${index}`,
    status: "delivered",
    recipient,
    biz_opaque_callback_data: `message-${index}`,
  }));
  const answer = await call(simulator, "POST", "/simulator/statuses", {
    phone_number_id: phoneNumberId,
    statuses,
  });
  expect(answer).toEqual({ status: 200, body: { statuses: 1000 } });
  await eventually(() => expect(receiver.statuses()).toHaveLength(1000));
  expect(receiver.posts).toHaveLength(1);
  expect(receiver.statuses().map(({ id }) => id)).toEqual(statuses.map(({ wamid }) => wamid));
  expect(receiver.statuses()[7]).toEqual({
    id: "wamid.7",
    status: "delivered",
    timestamp: expect.stringMatching(/^[0-9]{10}$/),
    recipient_id: recipient,
    biz_opaque_callback_data: "message-7",
  });
  expect(await ledgerOf(simulator)).toEqual({ messages: [], calls: [], marks: [] });
});

test("a failed status tells its error, and one for a person names the person", async () => {
  const { simulator, receiver } = await startWithReceiver();
  const statuses = [
    { wamid: "wamid.1", status: "failed", recipient, error: "window_closed" },
    { wamid: "wamid.2", status: "read", recipient: user },
  ];
  await call(simulator, "POST", "/simulator/statuses", { phone_number_id: phoneNumberId, statuses });
  await eventually(() => expect(receiver.statuses()).toHaveLength(2));
  const [failed, read] = receiver.statuses();
  expect(failed).toMatchObject({ recipient_id: recipient, errors: [{ code: 131047 }] });
  expect(failed).not.toHaveProperty("biz_opaque_callback_data");
  expect(read).toMatchObject({ recipient_user_id: user });
  expect(read).not.toHaveProperty("recipient_id");
});

test("what was asked for is still delivered after a restart", async () => {
  const directory = await temporaryDirectory();
  const simulator = await startForTest(directory);
  await putNumbers(simulator, [numberFor("http://127.0.0.1:1/")]);
  const status = { wamid: "wamid.1", status: "sent", recipient };
  await call(simulator, "POST", "/simulator/statuses", {
    phone_number_id: phoneNumberId,
    statuses: [status],
  });
  const wish = { type: "user_preferences", user_preferences: { value: "stop" } };
  await call(simulator, "POST", "/simulator/inbound", {
    phone_number_id: phoneNumberId,
    from: recipient,
    ...wish,
  });
  await simulator.stop();
  const again = await startForTest(directory);
  expect(await owedTotal(again)).toBe(2);
  const receiver = await startReceiver();
  await putNumbers(again, [numberFor(receiver.url)]);
  await eventually(async () => expect(await owedTotal(again)).toBe(0));
  expect(receiver.statuses()).toMatchObject([{ id: "wamid.1" }]);
  expect(receiver.posts.some(({ raw }) => raw.includes('"user_preferences"'))).toBe(true);
});

test.each([
  { what: "none", statuses: [], field: "statuses" },
  {
    what: "too many",
    statuses: Array.from({ length: 1001 }, () => ({ wamid: "a", status: "sent", recipient })),
    field: "statuses",
  },
  {
    what: "an unknown one",
    statuses: [{ wamid: "a", status: "lost", recipient }],
    field: "statuses.0.status",
  },
  {
    what: "an unknown error",
    statuses: [{ wamid: "a", status: "failed", recipient, error: "x" }],
    field: "statuses.0.error",
  },
])("$what is refused by the field's name", async ({ statuses, field }) => {
  const { simulator } = await startWithReceiver();
  const input = { phone_number_id: phoneNumberId, statuses };
  expect(await call(simulator, "POST", "/simulator/statuses", input)).toMatchObject({
    status: 400,
    body: { error: { field } },
  });
});

test("a person without a number is written to by id, and the outcome goes by the id's end", async () => {
  const { simulator, receiver } = await startWithReceiver();
  const { to: _, ...message } = { ...textMessage("", "message-1"), to: "" };
  const answer = await send(simulator, { ...message, recipient: user });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      contacts: [{ input: user, user_id: user }],
      messages: [{ id: expect.stringMatching(/^wamid\./) }],
    },
  });
  await send(simulator, { ...message, recipient: "DE.ENT.11899011", biz_opaque_callback_data: "message-2" });
  await eventually(async () => expect(await owedTotal(simulator)).toBe(0));
  const of = (data: string) =>
    receiver.statuses().filter((status) => status.biz_opaque_callback_data === data);
  expect(of("message-1").map(({ status }) => status)).toEqual(["sent", "delivered", "read"]);
  expect(of("message-1")[0]).toMatchObject({ recipient_user_id: user });
  expect(of("message-2").map(({ status }) => status)).toEqual(["failed"]);
  expect((await ledgerOf(simulator)).messages.map(({ to }) => to)).toEqual([user, "DE.ENT.11899011"]);
});

test("a number wins over an id, and an id of another form is refused", async () => {
  const { simulator } = await startWithReceiver();
  expect(await send(simulator, { ...textMessage(recipient), recipient: user })).toMatchObject({
    body: { contacts: [{ input: recipient, wa_id: recipient }] },
  });
  const wrong = { ...textMessage(""), recipient: "someone" };
  expect(await send(simulator, wrong)).toMatchObject({ status: 400, body: { error: { code: 131009 } } });
});
