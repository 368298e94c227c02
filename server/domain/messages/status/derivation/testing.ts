import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { Services } from "@/server/core/context";
import { WEBHOOK_EVENT_SCHEMAS } from "@/server/domain/webhooks/events/event-schemas";
import { addEndpoint } from "@/server/domain/webhooks/testing";
import type { CallOutcome } from "@/server/adapters/whatsapp/answer";
import { applyStatuses } from "../apply-statuses";
import type { StatusReport } from "@/server/adapters/whatsapp/reports";
import { failWithoutCall } from "../../deliver/fail-without-call";
import { joinUnmatched } from "../join-kept";
import { recordOutcomes } from "../../deliver/record-outcomes";
import {
  messageRow,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
  startCall,
} from "../../testing";

let world: SendWorld;
/** An endpoint that nothing is sent to: its deliveries stay as stored. */
let endpointId: string;

const STATUSES = ["sent", "delivered", "read", "failed"] as const;
/** Of several observed states, the first in this list wins. */
const WINNERS = ["read", "delivered", "failed", "sent"] as const;
const RANKED: readonly string[] = ["queued", "sent", "delivered", "read"];
const PRESUMED = "upstream_unconfirmed";
const REFUSED = "undeliverable";

/** One fact about a message that Waypost can observe. */
type Observation =
  | { readonly from: "answer"; readonly outcome: CallOutcome["kind"] }
  | { readonly from: "callback"; readonly kind: (typeof STATUSES)[number]; readonly hasOurId: boolean }
  | { readonly from: "clock" };

/** All observations about one message: one call has one response, which can be in doubt first. */
interface Story {
  readonly doubted: boolean;
  readonly answer: "accepted" | "rejected" | "retry" | null;
  readonly callbacks: readonly Extract<Observation, { from: "callback" }>[];
  readonly presumed: boolean;
}

const story: fc.Arbitrary<Story> = fc
  // Few kinds per story, so that weak evidence is often all there is.
  .subarray([...STATUSES], { minLength: 1 })
  .chain((kinds) =>
    fc.record({
      doubted: fc.boolean(),
      answer: fc.constantFrom("accepted", "rejected", "retry", null),
      callbacks: fc.array(
        fc.record({
          from: fc.constant("callback" as const),
          kind: fc.constantFrom(...kinds),
          hasOurId: fc.boolean(),
        }),
        { maxLength: 4 },
      ),
      presumed: fc.boolean(),
    }),
  )
  // The upstream sends no message that it definitely refused.
  .map((items) => ({
    ...items,
    callbacks: items.callbacks.filter(({ kind }) => items.answer !== "rejected" || kind !== "sent"),
  }));

function itemsOf(items: Story): readonly Observation[] {
  return [
    ...(items.doubted ? [{ from: "answer", outcome: "uncertain" } as const] : []),
    ...(items.answer === null ? [] : [{ from: "answer", outcome: items.answer } as const]),
    ...items.callbacks,
    ...(items.presumed ? [{ from: "clock" } as const] : []),
  ];
}

interface StoryItem {
  readonly message: number;
  readonly item: Observation;
}

/** The observations of one process: a list of steps, each with one or more of them. */
type Lane = readonly (readonly StoryItem[])[];

/** The items of several messages, some repeated: in any order by two processes, or doubt and clock first by one. */
function lanesOf(stories: readonly Story[]): fc.Arbitrary<readonly Lane[]> {
  const once = stories.flatMap((items, message) => itemsOf(items).map((item) => ({ message, item })));
  if (once.length === 0) return fc.constant([]);
  const inAnyOrder = fc
    .array(fc.constantFrom(...once), { maxLength: 4 })
    .chain((again) => fc.shuffledSubarray([...once, ...again], { minLength: once.length + again.length }));
  const waitedFor = inAnyOrder.map((items) => [items.toSorted((a, b) => delayOf(a.item) - delayOf(b.item))]);
  const raced = inAnyOrder.chain((items) =>
    fc
      .array(fc.boolean(), { minLength: items.length, maxLength: items.length })
      .map((dice) => [items.filter((_, index) => dice[index]), items.filter((_, index) => !dice[index])]),
  );
  return fc
    .tuple(fc.oneof(waitedFor, raced), fc.integer({ min: 1, max: 3 }))
    .map(([lanes, together]) => lanes.map((items) => stepsOf(items, together)));
}

function delayOf(item: Observation): number {
  if (item.from === "answer" && item.outcome === "uncertain") return 0;
  return item.from === "clock" ? 1 : 2;
}

function stepsOf(items: readonly StoryItem[], together: number): Lane {
  return Array.from({ length: Math.ceil(items.length / together) }, (_, index) =>
    items.slice(index * together, (index + 1) * together),
  );
}

interface Call {
  readonly messageId: string;
  readonly attemptId: string;
  readonly upstreamId: string;
}

async function startedCall(): Promise<Call> {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const messageId = await queueText(world.ctx, threadId);
  const { attemptId } = await startCall(world, messageId);
  return { messageId, attemptId, upstreamId: `wamid.${messageId}` };
}

function outcomeOf(kind: CallOutcome["kind"], upstreamId: string): CallOutcome {
  const detail = { httpStatus: null, upstreamCode: null, reason: "test" };
  const outcomes = {
    accepted: { kind: "accepted", upstreamId, detail },
    rejected: { kind: "rejected", code: REFUSED, detail },
    retry: { kind: "retry", detail },
    uncertain: { kind: "uncertain", detail },
  } as const satisfies Record<CallOutcome["kind"], CallOutcome>;
  return outcomes[kind];
}

function reportOf(call: Call, item: Extract<Observation, { from: "callback" }>): StatusReport {
  const { messageId, upstreamId } = call;
  const errorCode = item.kind === "failed" ? REFUSED : null;
  const names = { upstreamId, messageId: item.hasOurId ? messageId : null, recipient: null };
  return { ...names, kind: item.kind, upstreamAt: null, errorCode, detail: null };
}

/** Applies one step: statuses in one callback, responses in one batch. */
async function report(services: Services, calls: readonly Call[], step: readonly StoryItem[]): Promise<void> {
  const items = step.flatMap(({ message, item }) => {
    const call = calls[message];
    return call ? [{ call, item }] : [];
  });
  const reports = items.flatMap(({ call, item }) => (item.from === "callback" ? [reportOf(call, item)] : []));
  const answers = items.flatMap(({ call, item }) =>
    item.from === "answer" ? [{ ...call, outcome: outcomeOf(item.outcome, call.upstreamId) }] : [],
  );
  const presumed = items.flatMap(({ call, item }) => (item.from === "clock" ? [{ id: call.messageId }] : []));
  if (answers.length > 0) await recordOutcomes(services, answers);
  if (reports.length > 0) {
    await applyStatuses({ ctx: { ...world.ctx, services }, input: { channelId: world.channelId, reports } });
  }
  await failWithoutCall(services, presumed, PRESUMED, { mayFail: () => true });
}

/** Returns the expected final state; null if the outcome is unknown, and the clock may or may not have been faster. */
function endOf(items: Story): (typeof WINNERS)[number] | null {
  const isNamed = items.answer === "accepted" || items.callbacks.some(({ hasOurId }) => hasOurId);
  const kinds = new Set<string>(isNamed ? items.callbacks.map(({ kind }) => kind) : []);
  if (items.answer === "accepted") kinds.add("sent");
  if (items.answer === "rejected") kinds.add("failed");
  return WINNERS.find((kind) => kinds.has(kind)) ?? null;
}

interface Transition {
  readonly kind: string;
  readonly sequence: number;
  readonly previousState: string;
  readonly errorCode: string | null;
}

async function transitionsOf(messageId: string): Promise<readonly Transition[]> {
  return world.sql<Transition[]>`
    select kind, sequence, previous_state as "previousState", error_code as "errorCode" from message_events
    where message_id = ${messageId} and sequence is not null and kind <> 'queued' order by sequence`;
}

/** Checks the path from queued to the end: it never goes back, except out of a failure that gives way. */
function expectForward(transitions: readonly Transition[]): void {
  let state = "queued";
  let errorCode: string | null = null;
  for (const next of transitions) {
    expect(next.previousState).toBe(state);
    const givesWay = state === "failed" && (errorCode === PRESUMED || next.kind === "delivered");
    const mayFail = next.kind === "failed" && (state === "queued" || state === "sent");
    const rises = RANKED.indexOf(next.kind) > RANKED.indexOf(state) && state !== "failed";
    expect({ ...next, isAllowed: givesWay || mayFail || rises }).toMatchObject({ isAllowed: true });
    state = next.kind;
    errorCode = next.errorCode;
  }
}

async function expectEnd(call: Call, items: Story): Promise<void> {
  const row = await messageRow(world, call.messageId);
  const transitions = await transitionsOf(call.messageId);
  const end = endOf(items);
  const presumedEnd = row.state === "failed" ? PRESUMED : null;
  const errorCode = end === "failed" ? REFUSED : end === null ? presumedEnd : null;
  const ends = end === null ? ["queued", ...(items.presumed ? ["failed"] : [])] : [end];
  expect(ends).toContain(row.state);
  expect(row.errorCode).toBe(errorCode);
  expect(transitions.at(-1)?.kind ?? "queued").toBe(row.state);
  expect(transitions.map(({ sequence }) => sequence)).toEqual(transitions.map((_, index) => index + 1));
  expect(row.eventSequence).toBe(transitions.length);
  const each = transitions.map(({ kind, errorCode: code }) => (code === PRESUMED ? "presumed" : kind));
  expect(new Set(each).size).toBe(each.length);
  expectForward(transitions);
  await expectReported(call, transitions, { state: row.state, code: errorCode });
}

/** Checks that each transition sends one event to the endpoint, with the message's state after it. */
async function expectReported(
  { messageId }: Call,
  transitions: readonly Transition[],
  end: { readonly state: string; readonly code: string | null },
): Promise<void> {
  const rows = await world.sql<{ body: string }[]>`
    select v.body from webhook_deliveries d join webhook_events v on v.id = d.event_id
    where d.endpoint_id = ${endpointId} and v.message_id = ${messageId} and v.sequence is not null order by v.sequence`;
  const items = rows.map(({ body }) => stateEvent.parse(JSON.parse(body)));
  expect(
    items.map(({ type, data }) => [
      type,
      data.delivery_state,
      data.sequence,
      data.previous_state,
      data.error?.code ?? null,
    ]),
  ).toEqual(
    transitions.map(({ kind, sequence, previousState, errorCode }) => [
      `message.${kind}`,
      kind,
      sequence,
      previousState,
      errorCode,
    ]),
  );
  const last = items.at(-1)?.data;
  if (last) expect([last.delivery_state, last.error?.code ?? null]).toEqual([end.state, end.code]);
}

const stateEvent = z.union([
  WEBHOOK_EVENT_SCHEMAS["message.sent"],
  WEBHOOK_EVENT_SCHEMAS["message.delivered"],
  WEBHOOK_EVENT_SCHEMAS["message.read"],
  WEBHOOK_EVENT_SCHEMAS["message.failed"],
]);

/** Registers the hooks and the one test of a file. */
export function testDerivation({ numRuns }: { numRuns: number }): void {
  beforeAll(async () => {
    world = await openSendWorld({ database: "own" });
    endpointId = (await addEndpoint(world.ctx, { url: null })).id;
  });
  afterAll(() => world.close());

  test("answers, callbacks and the clock, in any order, repeated, batched and told by two processes at once: one end, a path that never goes back, no gap, one transition each, told once to whoever wants to know", async () => {
    const cases = fc
      .array(story, { minLength: 2, maxLength: 3 })
      .chain((stories) => lanesOf(stories).map((lanes) => ({ stories, lanes })));
    await fc.assert(
      fc.asyncProperty(cases, async ({ stories, lanes }) => {
        const calls: Call[] = [];
        for (const _ of stories) calls.push(await startedCall());
        await Promise.all(
          lanes.map(async (steps) => {
            const services = { ...world.services };
            for (const step of steps) await report(services, calls, step);
          }),
        );
        await joinUnmatched(world.services);
        for (const [index, call] of calls.entries()) {
          const items = stories[index];
          if (items) await expectEnd(call, items);
        }
        await world.sql`delete from unmatched_statuses`;
        await world.sql`update messages set next_attempt_at = null, state = 'failed', in_doubt_since = null
        where kind = 'outbound' and state = 'queued'`;
      }),
      { numRuns },
    );
  });
}
