import { expect, test } from "vitest";
import { eventually } from "../../e2e/support/eventually";
import { nextOutcomeNames } from "./next-outcomes";
import { call, phoneNumberId, send, startWithReceiver, textMessage, type Answer } from "./testing";
import type { Simulator } from "./start";

const customer = "4915112345678";
const headers = { authorization: "Bearer token-of-the-test" };

function choose(simulator: Simulator, outcome: string | null, of = customer): Promise<Answer> {
  return call(simulator, "PUT", "/simulator/next-outcome", {
    phone_number_id: phoneNumberId,
    customer: of,
    outcome,
  });
}

async function phoneAt(simulator: Simulator) {
  const { body } = await call(
    simulator,
    "GET",
    `/simulator/phone?phone_number_id=${phoneNumberId}&customer=${customer}`,
  );
  return body as {
    next_outcome: string | null;
    messages: { state: string; error: { code: number } | null; new_number?: string; from: string }[];
  };
}

const wamidOf = ({ body }: Answer) => (body as { messages: [{ id: string }] }).messages[0].id;

const lives = [
  { outcome: "not_delivered", statuses: ["failed"] },
  { outcome: "not_read", statuses: ["sent", "delivered"] },
  { outcome: "read_without_delivered", statuses: ["sent", "read"] },
  { outcome: "number_changed", statuses: ["failed"] },
  { outcome: "opted_out", statuses: ["sent", "delivered", "read"] },
];

test.each(lives)("$outcome happens to the next message once", async ({ outcome, statuses }) => {
  const { simulator, receiver } = await startWithReceiver();
  expect((await choose(simulator, outcome)).status).toBe(200);
  expect((await phoneAt(simulator)).next_outcome).toBe(outcome);
  const first = wamidOf(await send(simulator, textMessage(customer)));
  expect((await phoneAt(simulator)).next_outcome).toBeNull();
  const second = wamidOf(await send(simulator, textMessage(customer)));
  await eventually(() => {
    expect(receiver.statuses(second).map(({ status }) => status)).toEqual(["sent", "delivered", "read"]);
    expect(receiver.statuses(first).map(({ status }) => status)).toEqual(statuses);
  });
});

test("slow reaches the phone after ten seconds", async () => {
  const { simulator, receiver } = await startWithReceiver();
  await choose(simulator, "slow");
  const wamid = wamidOf(await send(simulator, textMessage(customer)));
  await eventually(() => expect(receiver.statuses(wamid)).toHaveLength(1));
  expect((await phoneAt(simulator)).messages).toMatchObject([{ state: "accepted" }]);
  await call(simulator, "POST", "/clock", { advance: "11s" });
  expect((await phoneAt(simulator)).messages).toMatchObject([{ state: "delivered" }]);
  await call(simulator, "POST", "/clock", { advance: "2s" });
  await eventually(() => expect(receiver.statuses(wamid)).toHaveLength(3));
  expect((await phoneAt(simulator)).messages).toMatchObject([{ state: "read" }]);
});

test("a changed number is reported, and shown with the failed message", async () => {
  const { simulator, receiver } = await startWithReceiver();
  await choose(simulator, "number_changed");
  await send(simulator, textMessage(customer));
  await eventually(async () => {
    const [message, note] = (await phoneAt(simulator)).messages;
    expect(message).toMatchObject({ state: "failed", error: { code: 131026 } });
    expect(note).toMatchObject({ from: "note", new_number: "4915112345679" });
    expect(receiver.posts.map(({ raw }) => String(raw)).join()).toContain('"wa_id":"4915112345679"');
  });
});

test("a customer who opted out gets no marketing template", async () => {
  const { simulator, receiver } = await startWithReceiver();
  const template = {
    name: "sale",
    language: "en_US",
    category: "MARKETING",
    components: [{ type: "BODY", text: "Hello" }],
  };
  await call(simulator, "POST", "/v24.0/102290129340398/message_templates", template, headers);
  await choose(simulator, "opted_out");
  const message = {
    messaging_product: "whatsapp",
    to: customer,
    type: "template",
    template: { name: "sale", language: { code: "en_US" } },
  };
  const wamid = wamidOf(await send(simulator, message));
  await eventually(() => {
    expect(receiver.statuses(wamid)).toMatchObject([{ status: "failed", errors: [{ code: 131050 }] }]);
    expect(receiver.posts.map(({ raw }) => String(raw)).join()).toContain('"value":"stop"');
  });
});

test("null removes it, a refused call and a reaction don't use it, and others aren't concerned", async () => {
  const { simulator } = await startWithReceiver();
  await choose(simulator, "not_read");
  await choose(simulator, null);
  expect((await phoneAt(simulator)).next_outcome).toBeNull();
  await choose(simulator, "not_read");
  await send(simulator, { ...textMessage(customer), text: { body: "" } });
  await send(simulator, textMessage("4915187654321"));
  const reaction = { message_id: "wamid.1", emoji: "👍" };
  await send(simulator, { messaging_product: "whatsapp", to: customer, type: "reaction", reaction });
  expect((await phoneAt(simulator)).next_outcome).toBe("not_read");
});

test("the customer reads what is on the phone, once", async () => {
  const { simulator, receiver } = await startWithReceiver();
  await choose(simulator, "not_read");
  const wamid = wamidOf(await send(simulator, textMessage(customer)));
  await eventually(async () =>
    expect((await phoneAt(simulator)).messages).toMatchObject([{ state: "delivered" }]),
  );
  const reads = () =>
    call(simulator, "POST", "/simulator/phone/read", { phone_number_id: phoneNumberId, customer });
  expect(await reads()).toEqual({ status: 200, body: { read: 1 } });
  expect(await reads()).toEqual({ status: 200, body: { read: 0 } });
  await eventually(() => expect(receiver.statuses(wamid).at(-1)?.status).toBe("read"));
  expect((await phoneAt(simulator)).messages).toMatchObject([{ state: "read" }]);
});

test("a person without a number can't change it, and unknown outcomes are refused", async () => {
  const { simulator } = await startWithReceiver();
  const person = "DE.13491208655302741918";
  expect(await choose(simulator, "number_changed", person)).toMatchObject({ status: 400 });
  expect(await choose(simulator, "sunburnt")).toMatchObject({
    status: 400,
    body: { error: { field: "outcome" } },
  });
  for (const outcome of nextOutcomeNames().filter((name) => name !== "number_changed")) {
    expect(await choose(simulator, outcome, person)).toMatchObject({ status: 200 });
  }
});
