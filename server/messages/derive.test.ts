import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeliveryState } from "@/db/schema";
import type { ErrorCode } from "../errors";
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

  test("whatever comes in whatever order: rank never falls, and sequence has no gap", () => {
    const any = fc.array(fc.constantFrom(sent, delivered, read, failed, unconfirmed, expired), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(any, (steps) => {
        const { states, events, columns } = run(...steps);
        const ranks = states.map((state) => ["queued", "sent", "delivered", "read"].indexOf(state));
        const ranked = ranks.filter((rank) => rank >= 2);
        expect([...ranked].sort((a, b) => a - b)).toEqual(ranked);
        const sequences = events.flatMap((event) => (event.sequence === null ? [] : [event.sequence]));
        expect(sequences).toEqual(sequences.map((_, index) => index + 1));
        expect(columns.eventSequence).toBe(sequences.length);
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
