import { describe, expect, test } from "vitest";
import { outcomeFor, outcomeNames, outcomes, type OutcomeName } from "@/server/whatsapp/simulator/outcomes";
import {
  eventually,
  ledgerOf,
  owedTotal,
  phoneNumberId,
  send,
  startWithReceiver,
  textMessage,
} from "@/server/whatsapp/simulator/testing";

interface Expected {
  /** [HTTP status or 0 for a closed connection, Graph code] of each call in turn, as caller and ledger see it. */
  readonly calls: readonly (readonly [number, number | null])[];
  readonly accepted: boolean;
  readonly answersWamid: boolean;
  readonly statuses: readonly string[];
  readonly failedCode?: number;
}

const life = ["sent", "delivered", "read"];
const answered = { calls: [[200, null]], accepted: true, answersWamid: true } as const;
const unanswered = { accepted: true, answersWamid: false, statuses: life } as const;

const expectations = {
  read: { ...answered, statuses: life },
  stays_sent: { ...answered, statuses: ["sent"] },
  stays_delivered: { ...answered, statuses: ["sent", "delivered"] },
  read_without_delivered: { ...answered, statuses: ["sent", "read"] },
  refused_undeliverable: { calls: [[400, 131026]], accepted: false, answersWamid: false, statuses: [] },
  fails_undeliverable: { ...answered, statuses: ["failed"], failedCode: 131026 },
  fails_window_closed: { ...answered, statuses: ["failed"], failedCode: 131047 },
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
  accepted_then_dropped: { ...unanswered, calls: [[0, null]] },
  accepted_then_html_500: { ...unanswered, calls: [[500, null]] },
  dropped: { calls: [[0, null]], accepted: false, answersWamid: false, statuses: [] },
  accepted_without_id: { ...unanswered, calls: [[200, null]] },
  callbacks_disordered: { ...answered, statuses: ["delivered", "read", "sent", "delivered", "sent", "read"] },
  no_callbacks: { ...answered, statuses: [] },
  pair_limited_twice: {
    ...answered,
    calls: [
      [400, 131056],
      [400, 131056],
      [200, null],
    ],
    statuses: life,
  },
  refused_credentials: { calls: [[401, 190]], accepted: false, answersWamid: false, statuses: [] },
} as const satisfies Record<Exclude<OutcomeName, "accepted_answer_late">, Expected>;

/** The code of a Graph error with its trace id, null for any other body. */
function graphCode(body: unknown): number | null {
  const { error } = (body ?? {}) as { error?: { code: number; fbtrace_id: string } };
  return error?.fbtrace_id ? error.code : null;
}

const recipientOf = (name: OutcomeName) => `491511${outcomes[name].suffix ?? "00042"}`;

describe.each(Object.entries(expectations))("recipient of outcome %s", (name, row) => {
  test("gets the answers, the ledger entries and the callbacks that the table promises", async () => {
    const expected: Expected = row;
    const outcome = outcomeNames().find((candidate) => candidate === name);
    const to = recipientOf(outcome ?? "read");
    const { simulator, receiver } = await startWithReceiver();

    const seen: (readonly [number, number | null])[] = [];
    for (const _ of expected.calls) {
      const { status, body } = await send(simulator, textMessage(to, "message-1"));
      seen.push([status, graphCode(body)]);
    }
    expect(seen).toEqual(expected.calls);

    const { calls, messages } = await ledgerOf(simulator);
    expect(calls.map(({ status, code }) => [status, code])).toEqual(expected.calls);
    expect(messages).toHaveLength(expected.accepted ? 1 : 0);
    const statuses = await eventually(async () => {
      expect(await owedTotal(simulator)).toBe(0);
      return receiver.statuses();
    });
    expect(statuses.map(({ status }) => status)).toEqual(expected.statuses);
    for (const status of statuses) {
      expect(status).toMatchObject({ id: messages[0]?.wamid, recipient_id: to });
      expect(status.biz_opaque_callback_data).toBe("message-1");
    }
    expect(statuses[0]?.errors?.[0]?.code).toBe(expected.failedCode);
  });

  test("answers the message id exactly where the table says so", async () => {
    const expected: Expected = row;
    const outcome = outcomeNames().find((candidate) => candidate === name);
    const to = recipientOf(outcome ?? "read");
    const { simulator } = await startWithReceiver();

    let last: unknown;
    for (const _ of expected.calls) last = (await send(simulator, textMessage(to))).body;

    const { messages } = await ledgerOf(simulator);
    const answeredIds = JSON.stringify(last).match(/wamid\.[^"]+/g) ?? [];
    expect(answeredIds).toEqual(expected.answersWamid ? messages.map(({ wamid }) => wamid) : []);
  });
});

test("an acceptance is answered as Meta documents it", async () => {
  const { simulator } = await startWithReceiver();
  const to = recipientOf("read");
  expect((await send(simulator, textMessage(to))).body).toEqual({
    messaging_product: "whatsapp",
    contacts: [{ input: to, wa_id: to }],
    messages: [{ id: expect.stringMatching(/^wamid\./) }],
  });
});

test("a failure of Meta's own is a page without a Graph error", async () => {
  const { simulator } = await startWithReceiver();
  const answer = await send(simulator, textMessage(recipientOf("accepted_then_html_500")));
  expect(answer).toEqual({ status: 500, body: expect.stringMatching(/^<!DOCTYPE html>/) });
});

test("a late answer comes after all callbacks of the message, and the message is accepted meanwhile", async () => {
  const { simulator, receiver } = await startWithReceiver();
  const to = recipientOf("accepted_answer_late");
  expect(outcomes.accepted_answer_late.behaviour.answerDelayMs).toBe(30_000);

  const caller = new AbortController();
  let answered = false;
  const pending = fetch(`${simulator.url}/v23.0/${phoneNumberId}/messages`, {
    method: "POST",
    headers: { authorization: "Bearer token-of-the-test" },
    body: JSON.stringify(textMessage(to)),
    signal: caller.signal,
  }).then(
    () => (answered = true),
    () => undefined,
  );
  await eventually(() => expect(receiver.statuses().map(({ status }) => status)).toEqual(life));

  expect(answered).toBe(false);
  expect((await ledgerOf(simulator)).messages).toHaveLength(1);
  caller.abort();
  await pending;
});

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
  const suffixes = outcomeNames().flatMap((name) => outcomes[name].suffix ?? []);
  for (const suffix of suffixes) expect(suffix).toMatch(/^99[0-9]{3}$/);
  expect(new Set(suffixes).size).toBe(suffixes.length);
  for (const name of outcomeNames()) expect(outcomeFor(recipientOf(name)).name).toBe(name);
});

test("every description is one sentence", () => {
  for (const name of outcomeNames()) expect(outcomes[name].description).toMatch(/^[A-Z].*[^.]\.$/);
});
