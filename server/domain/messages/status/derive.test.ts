import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeliveryState } from "@/db/schema";
import type { ErrorCode } from "@/server/platform/errors";
import { derive, type DerivedEvent, type Evidence, type StateColumns } from "./derive";

const createdAt = new Date("2026-01-01T00:00:00Z");
const now = new Date("2026-01-01T01:00:00Z");

const fresh: StateColumns = {
  state: "queued",
  eventSequence: 0,
  errorCode: null,
  errorDetail: null,
  createdAt,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
};

function evidence(kind: Evidence["kind"], errorCode: ErrorCode | null = null): Evidence {
  return { kind, errorCode, sourceKey: `${kind}:${errorCode ?? ""}`, upstreamAt: null, detail: null };
}

const sent = evidence("sent");
const delivered = evidence("delivered");
const read = evidence("read");
const failed = evidence("failed", "undeliverable");
const unconfirmed = evidence("failed", "upstream_unconfirmed");
const expired = evidence("failed", "expired");

function run(...steps: Evidence[]) {
  const states: DeliveryState[] = [];
  const events: DerivedEvent[] = [];
  let columns = fresh;
  for (const step of steps) {
    const derived = derive(columns, step, now);
    columns = derived.columns;
    events.push(...derived.events);
    states.push(columns.state);
  }
  return { columns, states, events };
}

/** The allowed transitions; a failure that is only presumed gives way to any evidence. */
const FORWARD: Readonly<Record<string, readonly string[]>> = {
  queued: ["sent", "delivered", "failed", "presumed"],
  sent: ["delivered", "failed"],
  delivered: ["read"],
  read: [],
  failed: ["delivered"],
  presumed: ["sent", "delivered", "failed"],
};

const isPresumed = ({ errorCode }: DerivedEvent) =>
  errorCode === "upstream_unconfirmed" || errorCode === "expired";

describe("the merge of evidence", () => {
  test.each<[string, Evidence[], DeliveryState[]]>([
    ["the ordinary life", [sent, delivered, read], ["sent", "delivered", "read"]],
    ["late evidence moves nothing back", [read, delivered, sent], ["read", "read", "read"]],
    ["a failure after sent", [sent, failed], ["sent", "failed"]],
    ["no failure after delivered", [delivered, failed], ["delivered", "delivered"]],
    ["delivered wins over a real failure", [failed, delivered], ["failed", "delivered"]],
    ["read wins over a real failure", [failed, read], ["failed", "read"]],
    ["sent doesn't win over a real failure", [failed, sent], ["failed", "failed"]],
    ["sent replaces a presumption", [unconfirmed, sent], ["failed", "sent"]],
    ["expiry is a presumption too", [expired, sent], ["failed", "sent"]],
    ["nothing is presumed of what was sent", [sent, unconfirmed], ["sent", "sent"]],
  ])("%s", (_, steps, states) => {
    expect(run(...steps).states).toEqual(states);
  });

  test("a real failure replaces a presumed one, as a transition of its own", () => {
    const { columns, events } = run(unconfirmed, failed);
    expect(columns).toMatchObject({ state: "failed", errorCode: "undeliverable", eventSequence: 2 });
    expect(events.map((event) => event.sequence)).toEqual([1, 2]);
  });

  test("a first real failure keeps its code", () => {
    const { columns, events } = run(failed, evidence("failed", "upstream_rejected"));
    expect(columns.errorCode).toBe("undeliverable");
    expect(events.at(-1)?.sequence).toBeNull();
  });

  test("read without delivered infers delivered first", () => {
    const { events, columns } = run(sent, read);
    expect(events.map(({ kind, inferred, sequence }) => ({ kind, inferred, sequence }))).toEqual([
      { kind: "sent", inferred: false, sequence: 1 },
      { kind: "delivered", inferred: true, sequence: 2 },
      { kind: "read", inferred: false, sequence: 3 },
    ]);
    expect(columns.deliveredAt).not.toBeNull();
  });

  test("a delivery that is told of after read brings its true time and moves nothing, in either order alike", () => {
    const at = (one: Evidence, minute: number) => ({
      ...one,
      upstreamAt: new Date(createdAt.getTime() + minute * 60_000),
    });
    const [sentAt1, deliveredAt3, readAt9] = [at(sent, 1), at(delivered, 3), at(read, 9)];
    const late = run(sentAt1, readAt9, deliveredAt3);
    expect(late.columns).toEqual({ ...run(sentAt1, deliveredAt3, readAt9).columns, eventSequence: 3 });
    expect(late.columns.deliveredAt).toEqual(deliveredAt3.upstreamAt);
    expect(late.events.at(-1)).toMatchObject({ kind: "delivered", sequence: null });
    expect(run(sentAt1, readAt9, at(delivered, 0)).columns.deliveredAt).toEqual(sentAt1.upstreamAt);
    expect(run(sentAt1, readAt9, at(delivered, 12)).columns.deliveredAt).toEqual(readAt9.upstreamAt);
    expect(run(sentAt1, readAt9, delivered).columns.deliveredAt).toEqual(readAt9.upstreamAt);
  });

  test("leaving a failure clears its reason", () => {
    expect(run(failed, delivered).columns).toMatchObject({
      errorCode: null,
      errorDetail: null,
      failedAt: null,
    });
  });

  test("times follow the upstream's clock, but neither run backwards nor lie in the future", () => {
    const at = (iso: string) => ({ ...sent, upstreamAt: new Date(iso) });
    expect(derive(fresh, at("2025-12-31T23:59:59Z"), now).columns.sentAt).toEqual(createdAt);
    expect(derive(fresh, at("2026-01-01T00:30:00Z"), now).columns.sentAt).toEqual(
      new Date("2026-01-01T00:30:00Z"),
    );
    expect(derive(fresh, at("2027-01-01T00:00:00Z"), now).columns.sentAt).toEqual(now);
  });

  test("whatever comes in whatever order: every transition leads forward, and sequence has no gap", () => {
    const any = fc.array(fc.constantFrom(sent, delivered, read, failed, unconfirmed, expired), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(any, (steps) => {
        const { events, columns } = run(...steps);
        const transitions = events.filter((event) => event.sequence !== null);
        let [state, step] = ["queued", "queued"];
        for (const next of transitions) {
          expect(next.previousState).toBe(state);
          const nextStep = isPresumed(next) ? "presumed" : next.kind;
          expect(FORWARD[step]).toContain(nextStep);
          [state, step] = [next.kind, nextStep];
        }
        expect(columns.state).toBe(state);
        expect(transitions.map(({ sequence }) => sequence)).toEqual(transitions.map((_, index) => index + 1));
        expect(columns.eventSequence).toBe(transitions.length);
      }),
    );
  });

  test("the order of delivered, read and a failure doesn't change where it ends", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([sent, delivered, read, failed], { minLength: 4 }), (steps) => {
        expect(run(...steps).columns.state).toBe("read");
      }),
    );
  });
});
