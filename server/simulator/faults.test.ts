import { expect, test } from "vitest";
import { call, ledgerOf, phoneNumberId, send, startWithReceiver, textMessage } from "./testing";
import type { Simulator } from "./start";

const HOUR = { advance: "1h" };
const NUMBERS = Array.from({ length: 40 }, (_, place) => `49151123400${String(place).padStart(2, "0")}`);
const FAULTS = {
  late_callbacks: 0.2,
  lost_callbacks: 0.2,
  doubled_callbacks: 0.2,
  reordered_callbacks: 0.3,
  lost_answers: 0.2,
};

const putFaults = (simulator: Simulator, faults: object) =>
  call(simulator, "PUT", "/simulator/faults", faults);

/**
 * Sends a message to each number, up to eight at a time, in this order of the numbers, and returns what came of it: the
 * answer, and the statuses in order of arrival.
 */
async function play(
  faults: object,
  { atATime = 1, order = NUMBERS } = {},
): Promise<{ answers: number[]; callbacks: string[][] }> {
  const { simulator, receiver } = await startWithReceiver();
  expect((await putFaults(simulator, faults)).status).toBe(200);
  const statusOf = new Map<string, number>();
  const rest = [...order];
  const sendRest = async () => {
    for (let number = rest.shift(); number !== undefined; number = rest.shift())
      statusOf.set(number, (await send(simulator, textMessage(number))).status);
  };
  await Promise.all(Array.from({ length: atATime }, sendRest));
  const answers = NUMBERS.map((number) => statusOf.get(number) ?? -1);
  await call(simulator, "POST", "/clock", HOUR);
  await expect
    .poll(async () => (await call(simulator, "GET", "/simulator/owed")).body)
    .toMatchObject({ total: 0 });
  const statuses = receiver.statuses();
  return {
    answers,
    callbacks: NUMBERS.map((number) =>
      statuses.filter(({ recipient_id }) => recipient_id === number).map(({ status }) => status),
    ),
  };
}

test("the same seed repeats the same faults, and another one doesn't", async () => {
  const [one, again, other] = [
    await play({ seed: 7, ...FAULTS }),
    await play({ seed: 7, ...FAULTS }),
    await play({ seed: 8, ...FAULTS }),
  ];
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
  expect(one.answers).toContain(0);
  expect(one.answers).toContain(200);
  expect(one.callbacks).toContainEqual(["sent", "delivered", "read"]);
  expect(one.callbacks.some((statuses) => statuses.length < 3)).toBe(true);
  expect(one.callbacks.some((statuses) => new Set(statuses).size < statuses.length)).toBe(true);
  expect(one.callbacks.some((statuses) => statuses[0] === "read")).toBe(true);
});

test("the faults of a number don't depend on how many messages are sent at a time, nor on their order", async () => {
  const faults = { seed: 7, ...FAULTS };
  const one = await play(faults);
  expect(await play(faults, { atATime: 8 })).toEqual(one);
  expect(await play(faults, { atATime: 8, order: NUMBERS.toReversed() })).toEqual(one);
});

test("a lost answer loses no message: its callbacks come", async () => {
  const { simulator, receiver } = await startWithReceiver();
  await putFaults(simulator, { lost_answers: 1 });
  expect((await send(simulator, textMessage("4915112345678"))).status).toBe(0);
  expect((await ledgerOf(simulator)).messages).toHaveLength(1);
  await expect.poll(() => receiver.statuses().length).toBe(3);
});

test("a late callback says when it happened, not when it came", async () => {
  const { simulator, receiver } = await startWithReceiver();
  await putFaults(simulator, { late_callbacks: 1 });
  const sentAtMs = Date.now();
  await send(simulator, textMessage("4915112345678"));
  await call(simulator, "POST", "/clock", HOUR);
  await expect.poll(() => receiver.statuses().length).toBe(3);
  for (const { timestamp } of receiver.statuses())
    expect(Number(timestamp) * 1000 - sentAtMs).toBeLessThan(2_000);
});

test.each([
  ["doubled_callbacks", 2],
  ["lost_callbacks", 0],
])("%s holds for customers' messages too", async (fault, times) => {
  const { simulator, receiver } = await startWithReceiver();
  await putFaults(simulator, { [fault]: 1 });
  const inbound = { phone_number_id: phoneNumberId, from: "4915112345678", text: { body: "Hi" } };
  await call(simulator, "POST", "/simulator/inbound", inbound);
  await putFaults(simulator, {});
  await call(simulator, "POST", "/simulator/inbound", { ...inbound, text: { body: "The last one" } });
  const bodies = () =>
    receiver.posts
      .flatMap(({ values }) => values.flatMap(({ messages }) => messages ?? []))
      .map(({ text }) => text.body);
  await expect.poll(bodies).toContain("The last one");
  await call(simulator, "POST", "/clock", HOUR);
  await expect.poll(() => bodies().filter((body) => body === "Hi")).toHaveLength(times);
});

test("the seed is in the response, and chosen if it isn't given", async () => {
  const { simulator } = await startWithReceiver();
  const chosen = await putFaults(simulator, { late_callbacks: 0.5 });
  expect(chosen.body).toMatchObject({ seed: expect.any(Number), late_callbacks: 0.5, lost_answers: 0 });
  expect((await call(simulator, "GET", "/simulator/faults")).body).toEqual(chosen.body);
  expect(await putFaults(simulator, { lost_answers: 1.5 })).toMatchObject({
    status: 400,
    body: { error: { field: "lost_answers" } },
  });
  expect((await putFaults(simulator, { lost: 1 })).status).toBe(400);
});
