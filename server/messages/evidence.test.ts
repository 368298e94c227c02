import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Services } from "../context";
import { applyStatuses } from "./apply-statuses";
import { joinUnmatched } from "./join-unmatched";
import { recordOutcomes } from "./record-outcomes";
import {
  messageRow,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
  startCall,
  timelineOf,
} from "./testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld()));
afterAll(() => world.close());

/** One thing that is learnt of a message: the answer to its call, or a status by wamid, with our id or without. */
type Learnt =
  | { readonly from: "answer" }
  | { readonly from: "callback"; readonly kind: (typeof KINDS)[number]; readonly hasOurId: boolean };

const KINDS = ["sent", "delivered", "read", "failed"] as const;
/** Which state wins where several are learnt (design section 5, "Derivation"). */
const WINNERS = ["read", "delivered", "failed", "sent"] as const;

const learnt: fc.Arbitrary<Learnt> = fc.oneof(
  fc.constant({ from: "answer" as const }),
  fc.record({
    from: fc.constant("callback" as const),
    kind: fc.constantFrom(...KINDS),
    hasOurId: fc.boolean(),
  }),
);

async function learn(services: Services, call: Call, item: Learnt): Promise<void> {
  const { messageId, attemptId, upstreamId } = call;
  const detail = { httpStatus: 200, upstreamCode: null, reason: "test" };
  if (item.from === "answer") {
    await recordOutcomes(services, [
      { attemptId, messageId, outcome: { kind: "accepted", upstreamId, detail } },
    ]);
    return;
  }
  const report = {
    upstreamId,
    messageId: item.hasOurId ? messageId : null,
    kind: item.kind,
    upstreamAt: null,
    recipient: null,
    errorCode: item.kind === "failed" ? ("undeliverable" as const) : null,
    detail: null,
  };
  await applyStatuses({
    ctx: { ...world.ctx, services },
    input: { channelId: world.channelId, reports: [report] },
  });
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

function expectedState(items: readonly Learnt[]): string {
  const isNamed = items.some((item) => item.from === "answer" || item.hasOurId);
  if (!isNamed) return "queued";
  const kinds = new Set(items.map((item) => (item.from === "answer" ? "sent" : item.kind)));
  return WINNERS.find((kind) => kinds.has(kind)) ?? "queued";
}

test("whatever is learnt, in whatever order, by two processes at once: one end, and no gap in the sequence", async () => {
  const lanes = fc.tuple(fc.array(learnt, { maxLength: 5 }), fc.array(learnt, { maxLength: 5 }));
  await fc.assert(
    fc.asyncProperty(lanes, async (lanes) => {
      const call = await startedCall();
      await Promise.all(
        lanes.map(async (items) => {
          const services = { ...world.services };
          for (const item of items) await learn(services, call, item);
        }),
      );
      await joinUnmatched(world.services);

      const state = expectedState(lanes.flat());
      const row = await messageRow(world, call.messageId);
      expect(row).toMatchObject({ state, errorCode: state === "failed" ? "undeliverable" : null });
      const sequences = (await timelineOf(world, call.messageId)).flatMap(({ sequence }) => sequence ?? []);
      expect(sequences).toEqual(sequences.map((_, index) => index + 1));
      expect(row.eventSequence).toBe(sequences.length);
      await world.sql`delete from unmatched_statuses`;
    }),
    { numRuns: 40 },
  );
});
