import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import type { CallOutcome } from "@/server/adapters/whatsapp/answer";
import { applyStatuses } from "./apply-statuses";
import type { StatusReport } from "@/server/adapters/whatsapp/reports";
import { joinUnmatched } from "./join-kept";
import { recordOutcomes } from "../deliver/record-outcomes";
import {
  messageRow,
  openConversation,
  openSendWorld,
  outcomesOf,
  queueText,
  type SendWorld,
  startCall,
  timelineOf,
} from "../testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());

const detail = { httpStatus: null, upstreamCode: null, reason: "test" };

function report(kind: StatusReport["kind"], fields: Partial<StatusReport> = {}): StatusReport {
  return {
    upstreamId: "wamid.unknown",
    messageId: null,
    kind,
    upstreamAt: null,
    recipient: null,
    errorCode: kind === "failed" ? "undeliverable" : null,
    detail: null,
    ...fields,
  };
}

const apply = (reports: readonly StatusReport[], ctx = world.ctx, channelId = world.channelId) =>
  applyStatuses({ ctx, input: { channelId, reports } });

/** A message whose call ended like this; null is still running. */
async function called(outcome: CallOutcome["kind"] | null, handle?: string) {
  const conversation = await openConversation(world.ctx, world.channelId, handle);
  const messageId = await queueText(world.ctx, conversation.threadId);
  const { attemptId } = await startCall(world, messageId);
  const upstreamId = `wamid.${messageId}`;
  const outcomes = {
    accepted: { kind: "accepted", upstreamId, detail },
    rejected: { kind: "rejected", code: "undeliverable", detail },
    retry: { kind: "retry", detail },
    uncertain: { kind: "uncertain", detail },
  } as const satisfies Record<CallOutcome["kind"], CallOutcome>;
  const settle = (kind: CallOutcome["kind"]) =>
    recordOutcomes(world.services, [{ attemptId, messageId, outcome: outcomes[kind] }]);
  if (outcome !== null) await settle(outcome);
  return { messageId, upstreamId, settle, ...conversation };
}

async function keptStatuses(): Promise<number> {
  const [row] = await world.sql<{ count: number }[]>`select count(*)::int as count from unmatched_statuses`;
  return row?.count ?? 0;
}

describe("statuses of a known message", () => {
  test("in one batch and in any order end in the furthest state", async () => {
    const { messageId, upstreamId } = await called("accepted");
    await apply([report("read", { upstreamId }), report("sent", { upstreamId })]);
    await apply([report("delivered", { upstreamId })]);
    expect(await messageRow(world, messageId)).toMatchObject({ state: "read", eventSequence: 3 });
    expect((await timelineOf(world, messageId)).map((event) => event.kind)).toEqual([
      "sent",
      "delivered",
      "read",
      "sent",
      "delivered",
    ]);
  });

  test("tell the true time of a delivery that was inferred from read, once", async () => {
    const { messageId, upstreamId } = await called("accepted");
    await world.sql`update messages set created_at = now() - interval '1 hour', sent_at = now() - interval '50 minutes'
      where id = ${messageId}`;
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const [readAt, deliveredAt] = [minutesAgo(20), minutesAgo(40)];
    await apply([report("read", { upstreamId, upstreamAt: readAt })]);
    const reported = report("delivered", { upstreamId, upstreamAt: deliveredAt });
    await apply([reported]);
    await apply([reported]);
    const [row] = await world.sql`
      select delivered_at as "deliveredAt", read_at as "readAt", event_sequence as sequence from messages where id = ${messageId}`;
    expect(row).toEqual({ deliveredAt, readAt, sequence: 3 });
    const deliveries = await world.sql`
      select inferred, sequence, upstream_at as at from message_events
      where message_id = ${messageId} and kind = 'delivered' order by sequence`;
    expect(deliveries).toMatchObject([
      { inferred: true, sequence: 2 },
      { inferred: false, sequence: null, at: deliveredAt },
    ]);
    expect(deliveries).toHaveLength(2);
  });

  test("applied again change nothing", async () => {
    const { messageId, upstreamId } = await called("accepted");
    const reports = [report("delivered", { upstreamId }), report("delivered", { upstreamId })];
    await apply(reports);
    const before = [await messageRow(world, messageId), await timelineOf(world, messageId)];
    await apply(reports);
    const after = [await messageRow(world, messageId), await timelineOf(world, messageId)];
    expect(after).toEqual(before);
  });

  test.each([
    ["an open attempt", null],
    ["an attempt in doubt", "uncertain"],
  ] as const)("that name it by our id settle %s", async (_, outcome) => {
    const { messageId, upstreamId } = await called(outcome);
    await apply([report("delivered", { upstreamId, messageId })]);
    expect(await messageRow(world, messageId)).toMatchObject({
      state: "delivered",
      upstreamId,
      isInDoubt: false,
      isClaimed: false,
    });
    expect(await outcomesOf(world, messageId)).toEqual(["accepted"]);
  });

  test.each(["upstream_unconfirmed", "expired"])("replace the presumption %s", async (code) => {
    const { messageId, upstreamId } = await called("uncertain");
    await world.sql`update messages set state = 'failed', error_code = ${code} where id = ${messageId}`;
    await apply([report("failed", { upstreamId, messageId })]);
    expect(await messageRow(world, messageId)).toMatchObject({ state: "failed", errorCode: "undeliverable" });
  });

  test("leave alone a message of another organization, by our id and by wamid", async () => {
    const { messageId, upstreamId } = await called("accepted");
    const foreign = await createTestOrganization(world.services);
    const foreignChannel = await connectTestChannel(foreign);
    const before = await messageRow(world, messageId);
    const reports = [
      report("read", { upstreamId, messageId }),
      report("failed", { upstreamId: "wamid.x", messageId }),
    ];
    await apply(reports, foreign, foreignChannel);
    await joinUnmatched(world.services);
    expect(await messageRow(world, messageId)).toEqual(before);
    await world.sql`delete from unmatched_statuses`;
  });

  test("leave alone a message on another channel of the organization", async () => {
    const { messageId, upstreamId } = await called("accepted");
    const other = await connectTestChannel(world.ctx);
    await apply([report("read", { upstreamId, messageId })], world.ctx, other);
    expect(await messageRow(world, messageId)).toMatchObject({ state: "sent" });
    await world.sql`delete from unmatched_statuses`;
  });
});

describe("a status of a wamid that isn't known yet", () => {
  test("is kept once, and joined when the wamid has come", async () => {
    const { messageId, upstreamId, settle } = await called(null);
    await apply([report("delivered", { upstreamId })]);
    await apply([report("delivered", { upstreamId }), report("read", { upstreamId })]);
    expect(await keptStatuses()).toBe(2);
    expect(await messageRow(world, messageId)).toMatchObject({ state: "queued" });
    await settle("accepted");
    expect(await joinUnmatched(world.services, [upstreamId])).toBe(2);
    expect(await messageRow(world, messageId)).toMatchObject({ state: "read", eventSequence: 3 });
    expect(await keptStatuses()).toBe(0);
  });

  test("that can't be read any more is dropped, and the next one is joined", async () => {
    const { messageId, upstreamId } = await called("accepted");
    await world.sql`
      insert into unmatched_statuses (id, organization_id, channel_id, upstream_id, status, entry)
      values (gen_random_uuid(), ${world.ctx.actor.organizationId}, ${world.channelId}, ${upstreamId}, 'sent', '{}')`;
    await world.sql`
      insert into unmatched_statuses (id, organization_id, channel_id, upstream_id, status, entry)
      values (gen_random_uuid(), ${world.ctx.actor.organizationId}, ${world.channelId}, ${upstreamId}, 'read',
        ${JSON.stringify(report("read", { upstreamId }))}::text::jsonb)`;
    await joinUnmatched(world.services);
    expect(await messageRow(world, messageId)).toMatchObject({ state: "read" });
    expect(await keptStatuses()).toBe(0);
  });
});

describe("a failed status without our id", () => {
  const failedTo = (recipient: string, fields: Partial<StatusReport> = {}) =>
    report("failed", { upstreamId: `wamid.late.${recipient}`, recipient, ...fields });

  test("is about the only attempt in doubt to that number", async () => {
    const { messageId, handle } = await called("uncertain");
    await apply([failedTo(handle)]);
    expect(await messageRow(world, messageId)).toMatchObject({
      state: "failed",
      errorCode: "undeliverable",
      upstreamId: `wamid.late.${handle}`,
    });
  });

  test("finds it also under the number's other written form", async () => {
    const { messageId } = await called("uncertain", "5511987650001");
    await apply([failedTo("551187650001")]);
    expect(await messageRow(world, messageId)).toMatchObject({ state: "failed" });
  });

  test("is kept where two attempts to that number are in doubt", async () => {
    const first = await called("uncertain");
    const second = await called("uncertain", first.handle);
    await apply([failedTo(first.handle)]);
    expect(await messageRow(world, first.messageId)).toMatchObject({ state: "queued" });
    expect(await messageRow(world, second.messageId)).toMatchObject({ state: "queued" });
    expect(await keptStatuses()).toBe(1);
    await world.sql`delete from unmatched_statuses`;
  });

  test.each(["sent", "delivered", "read"] as const)(
    "is the only kind that is guessed: %s is kept",
    async (kind) => {
      const { messageId, handle } = await called("uncertain");
      await apply([report(kind, { upstreamId: `wamid.${kind}`, recipient: handle })]);
      expect(await messageRow(world, messageId)).toMatchObject({ state: "queued", isInDoubt: true });
      await world.sql`delete from unmatched_statuses`;
    },
  );

  test("isn't guessed for one that names another message", async () => {
    const { messageId, handle } = await called("uncertain");
    await apply([failedTo(handle, { messageId: "01900000-0000-7000-8000-000000000000" })]);
    expect(await messageRow(world, messageId)).toMatchObject({ state: "queued", isInDoubt: true });
    await world.sql`delete from unmatched_statuses`;
  });
});

test("one wamid for two messages in one callback is kept for one of them, and both move on", async () => {
  const [one, other] = [await called("uncertain"), await called("uncertain")];
  const upstreamId = "wamid.for.two";
  await apply([one, other].map(({ messageId }) => report("sent", { upstreamId, messageId })));
  const rows = [await messageRow(world, one.messageId), await messageRow(world, other.messageId)];
  expect(rows).toMatchObject([{ state: "sent" }, { state: "sent" }]);
  expect(rows.filter((row) => row.upstreamId === upstreamId)).toHaveLength(1);
});
