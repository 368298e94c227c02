import { describe, expect, test } from "vitest";
import type { commonOutcomes, failedCallOutcomes, lostAnswerOutcomes } from "./answer-outcomes";
import type { deliveryOutcomes } from "./delivery-outcomes";
import { outcomeFor, outcomeNamed, outcomes } from "./outcomes";
import { eventually } from "../../e2e/support/eventually";
import { ledgerOf, owedTotal, phoneNumberId, send, startWithReceiver, textMessage } from "./testing";

type HandWritten =
  | keyof typeof deliveryOutcomes
  | keyof typeof commonOutcomes
  | keyof typeof lostAnswerOutcomes
  | keyof typeof failedCallOutcomes;

/** Rows whose response or callbacks take longer than a test may. Their delays are checked as data, below. */
type Slow =
  | "accepted_answer_late"
  | "accepted_answer_slow"
  | "accepted_answer_slower"
  | "never_answers"
  | "callbacks_late"
  | "accepted_then_dropped_late";

interface Expected {
  /** [HTTP status or 0 for a broken connection, Graph code] of each call in turn, as the caller sees it. */
  readonly calls: readonly (readonly [number, number | null])[];
  readonly accepted: boolean;
  readonly answersWamid: boolean;
  readonly statuses: readonly string[];
  readonly failedCode?: number;
  /** The last status in the ledger, if it differs from the caller's. */
  readonly ledgerStatus?: number;
  readonly isUnnamed?: true;
}

const life = ["sent", "delivered", "read"];
const answered = { calls: [[200, null]], accepted: true, answersWamid: true } as const;
const unanswered = { accepted: true, answersWamid: false, statuses: life } as const;
const refused = { accepted: false, answersWamid: false, statuses: [] } as const;

const expectations = {
  read: { ...answered, statuses: life },
  stays_sent: { ...answered, statuses: ["sent"] },
  stays_delivered: { ...answered, statuses: ["sent", "delivered"] },
  read_without_delivered: { ...answered, statuses: ["sent", "read"] },
  played: { ...answered, statuses: [...life, "played"] },
  delivered_without_sent: { ...answered, statuses: ["delivered", "read"] },
  unnamed_callbacks: { ...answered, statuses: life, isUnnamed: true },
  callbacks_disordered: { ...answered, statuses: ["delivered", "read", "sent", "delivered", "sent", "read"] },
  no_callbacks: { ...answered, statuses: [] },
  callbacks_repeated: { ...answered, statuses: life.flatMap((status) => [status, status, status]) },
  read_before_sent: { ...answered, statuses: life.toReversed() },
  fails_after_sent: { ...answered, statuses: ["sent", "failed"], failedCode: 131026 },
  fails_before_sent: { ...answered, statuses: ["failed", "sent"], failedCode: 131026 },
  fails_then_delivered: {
    ...answered,
    statuses: ["sent", "failed", "delivered", "read"],
    failedCode: 131026,
  },
  fails_after_delivered: { ...answered, statuses: ["sent", "delivered", "failed"], failedCode: 131026 },
  fails_repeatedly: { ...answered, statuses: ["failed", "failed", "failed"], failedCode: 131026 },
  held_then_read: { ...answered, statuses: life },
  held_then_fails: { ...answered, statuses: ["failed"], failedCode: 132015 },
  undeliverable_at_once: { ...refused, calls: [[400, 131026]] },
  undeliverable_later: { ...answered, statuses: ["failed"], failedCode: 131026 },
  window_closed_later: { ...answered, statuses: ["failed"], failedCode: 131047 },
  country_restricted_at_once: { ...refused, calls: [[403, 130497]] },
  country_restricted_later: { ...answered, statuses: ["failed"], failedCode: 130497 },
  throttled_once: {
    ...answered,
    calls: [
      [429, 130429],
      [200, null],
    ],
    statuses: life,
  },
  unavailable_once: {
    ...answered,
    calls: [
      [500, 2],
      [200, null],
    ],
    statuses: life,
  },
  pair_limited_twice: {
    ...answered,
    calls: [
      [400, 131056],
      [400, 131056],
      [200, null],
    ],
    statuses: life,
  },
  token_expired: { ...refused, calls: [[401, 190]] },
  accepted_then_dropped: { ...unanswered, calls: [[0, null]] },
  accepted_then_html_500: { ...unanswered, calls: [[500, null]] },
  accepted_without_id: { ...unanswered, calls: [[200, null]] },
  accepted_cut: { ...unanswered, calls: [[0, null]], ledgerStatus: 200 },
  accepted_empty: { ...unanswered, calls: [[200, null]] },
  accepted_then_graph_500: { ...unanswered, calls: [[500, 199998]] },
  accepted_then_dropped_unconfirmed: { ...unanswered, calls: [[0, null]], statuses: [] },
  accepted_then_dropped_fails: {
    ...unanswered,
    calls: [[0, null]],
    statuses: ["failed"],
    failedCode: 131026,
  },
  accepted_then_dropped_fails_unnamed: {
    ...unanswered,
    calls: [[0, null]],
    statuses: ["failed"],
    failedCode: 131026,
    isUnnamed: true,
  },
  dropped: { ...refused, calls: [[0, null]] },
  html_500: { ...refused, calls: [[500, null]] },
  html_502: { ...refused, calls: [[502, null]] },
  graph_500: { ...refused, calls: [[500, 199998]] },
  throttled_without_body: {
    ...answered,
    calls: [
      [429, null],
      [200, null],
    ],
    statuses: life,
  },
  always_throttled_without_body: {
    ...refused,
    calls: [
      [429, null],
      [429, null],
    ],
  },
} as const satisfies Record<Exclude<HandWritten, Slow>, Expected>;

/** The code of a Graph error with its trace id. Null for any other body. */
function graphCode(body: unknown): number | null {
  const { error } = (body ?? {}) as { error?: { code: number; fbtrace_id: string } };
  return error?.fbtrace_id ? error.code : null;
}

const recipientOf = (name: string) => `491511${outcomeNamed(name)?.suffix ?? "00042"}`;

describe.each(Object.entries<Expected>(expectations))("recipient of outcome %s", (name, expected) => {
  test("gets the answers, the ledger entries and the callbacks that the table promises", async () => {
    const to = recipientOf(name);
    const { simulator, receiver } = await startWithReceiver();
    const calls: [number, number | null][] = [];
    let last: unknown;
    for (const _ of expected.calls) {
      const { status, body } = await send(simulator, textMessage(to, "message-1"));
      calls.push([status, graphCode(body)]);
      last = body;
    }
    expect(calls).toEqual(expected.calls);

    const { messages, calls: listed } = await ledgerOf(simulator);
    const lastCall = expected.calls.at(-1) ?? [];
    expect(listed.map(({ status, code }) => [status, code])).toEqual([
      ...expected.calls.slice(0, -1),
      [expected.ledgerStatus ?? lastCall[0], lastCall[1]],
    ]);
    expect(listed.every((entry) => entry.to === to && entry.biz_opaque_callback_data === "message-1")).toBe(
      true,
    );
    expect(messages.map((message) => [message.to, message.biz_opaque_callback_data])).toEqual(
      expected.accepted ? [[to, "message-1"]] : [],
    );
    const answeredIds = JSON.stringify(last ?? null).match(/wamid\.[^"]+/g) ?? [];
    expect(answeredIds).toEqual(expected.answersWamid ? messages.map(({ wamid }) => wamid) : []);

    const statuses = await eventually(async () => {
      expect(await owedTotal(simulator)).toBe(0);
      return receiver.statuses();
    });
    expect(statuses.map(({ status }) => status)).toEqual(expected.statuses);
    for (const status of statuses) {
      expect(status).toMatchObject({ id: messages[0]?.wamid, recipient_id: to });
      expect(status.biz_opaque_callback_data).toBe(expected.isUnnamed ? undefined : "message-1");
    }
    const errors = statuses.flatMap((status) => status.errors ?? []);
    for (const error of errors) expect(error.code).toBe(expected.failedCode);
    expect(errors.length > 0).toBe(expected.failedCode !== undefined);
  });
});

test("an acceptance is answered as Meta documents it", async () => {
  const { simulator } = await startWithReceiver();
  const to = recipientOf("read");
  const contacts = [{ input: to, wa_id: to }];
  const id = expect.stringMatching(/^wamid\./);
  expect((await send(simulator, textMessage(to))).body).toEqual({
    messaging_product: "whatsapp",
    contacts,
    messages: [{ id }],
  });
  const held = recipientOf("held_then_fails");
  expect((await send(simulator, textMessage(held))).body).toMatchObject({
    messages: [{ id, message_status: "held_for_quality_assessment" }],
  });
});

test("a failure of Meta's own is a page without a Graph error", async () => {
  const { simulator } = await startWithReceiver();
  const answer = await send(simulator, textMessage(recipientOf("accepted_then_html_500")));
  expect(answer).toEqual({ status: 500, body: expect.stringMatching(/^<!DOCTYPE html>/) });
});

const delays = [
  { name: "accepted_answer_slow", answerDelayMs: 5_000, accepted: true },
  { name: "accepted_answer_slower", answerDelayMs: 25_000, accepted: true },
  { name: "accepted_answer_late", answerDelayMs: 30_000, accepted: true },
  { name: "never_answers", answerDelayMs: 60_000, accepted: false },
];

test.each(delays)("$name: what happens to the message doesn't wait for the answer", async (row) => {
  const { name, answerDelayMs, accepted } = row;
  expect(outcomeNamed(name)?.behaviour).toMatchObject({ answerDelayMs });
  const { simulator, receiver } = await startWithReceiver();
  const caller = new AbortController();
  let answered = false;
  const pending = fetch(`${simulator.url}/v23.0/${phoneNumberId}/messages`, {
    method: "POST",
    headers: { authorization: "Bearer token-of-the-test" },
    body: JSON.stringify(textMessage(recipientOf(name))),
    signal: caller.signal,
  }).then(
    () => (answered = true),
    () => undefined,
  );
  await eventually(async () => expect((await ledgerOf(simulator)).calls).toHaveLength(1));
  await eventually(() =>
    expect(receiver.statuses().map(({ status }) => status)).toEqual(accepted ? life : []),
  );
  expect(answered).toBe(false);
  expect((await ledgerOf(simulator)).messages).toHaveLength(accepted ? 1 : 0);
  caller.abort();
  await pending;
});

test.each(["callbacks_late", "accepted_then_dropped_late"])(
  "%s: the callbacks are owed, and none comes before its time",
  async (name) => {
    const behaviour = outcomeNamed(name)?.behaviour;
    expect(
      behaviour?.kind === "accept" && behaviour.statuses.map(({ afterMs }) => afterMs >= 30_000),
    ).toEqual([true, true, true]);
    const { simulator, receiver } = await startWithReceiver();
    await send(simulator, textMessage(recipientOf(name)));
    await send(simulator, textMessage(recipientOf("read")));
    await eventually(() => expect(receiver.statuses()).toHaveLength(3));
    expect(await owedTotal(simulator)).toBe(3);
  },
);

test("first-call refusals are counted per message, not per recipient", async () => {
  const { simulator } = await startWithReceiver();
  const to = recipientOf("throttled_once");
  const statuses: number[] = [];
  for (const data of ["a", "b", "a", "b"]) {
    statuses.push((await send(simulator, textMessage(to, data))).status);
  }
  expect(statuses).toEqual([429, 429, 200, 200]);
});

test("every suffix is five digits, begins with 99 and stands once", () => {
  const suffixes = outcomes.flatMap(({ suffix }) => suffix ?? []);
  for (const suffix of suffixes) expect(suffix).toMatch(/^99[0-9]{3}$/);
  expect(new Set(suffixes).size).toBe(suffixes.length);
  expect(outcomes.filter(({ suffix }) => suffix === null).map(({ name }) => name)).toEqual(["read"]);
  expect(new Set(outcomes.map(({ name }) => name)).size).toBe(outcomes.length);
  for (const { name } of outcomes) expect(outcomeFor(recipientOf(name)).name).toBe(name);
});

test("every description is one sentence", () => {
  for (const { description } of outcomes) expect(description).toMatch(/^[A-Z].*[^.]\.$/);
});
