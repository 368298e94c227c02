import { expect, onTestFailed } from "vitest";
import { z } from "zod";
import type { Sql } from "@/db/client";
import { deliveriesOf } from "@/server/domain/webhooks/testing";
import { eventually } from "@/e2e/support/eventually";
import { callbacksReceived, channelDue, fileDue, marksDue, sweepDue, webhookDue } from "../events";
import type { JobEvent } from "../job";
import { leaveWork, type Work } from "../left-work/testing";
import type { FunctionsWorld } from "../testing";

/** Shows that a function has done its work. */
interface Expectation {
  readonly event: (work: Work) => JobEvent;
  readonly hasWorked: (work: Work, sql: Sql) => Promise<boolean>;
}

const CRON = () => ({ name: "inngest/scheduled.timer", data: {} });

const EXPECTATIONS: Readonly<Record<string, Expectation>> = {
  "count-usage": {
    event: CRON,
    hasWorked: async ({ channelId }, sql) => {
      const rows = await sql`
        select 1 from usage_progress p join channels c on c.organization_id = p.organization_id
        where c.id = ${channelId} and p.counted_until > now() - interval '3 hours'`;
      return rows.length === 1;
    },
  },
  "deliver-webhooks": {
    event: ({ endpointId }) => webhookDue.create({ endpointId }),
    hasWorked: async ({ endpointId, deliveriesClaimed }, sql) => {
      const pending = (await deliveriesOf({ sql }, endpointId)).filter(({ state }) => state !== "delivered");
      return pending.length === deliveriesClaimed && pending.every(({ isClaimed }) => isClaimed);
    },
  },
  "drain-channel": {
    event: ({ channelId }) => channelDue.create({ channelId }),
    hasWorked: async ({ idOf }, sql) => (await messageOf(sql, idOf("due"))).isAttempted,
  },
  "mark-read": {
    event: ({ channelId }) => marksDue.create({ channelId }),
    hasWorked: async ({ markedThreadId }, sql) => {
      const [row] = await sql<{ isPending: boolean; failure: string | null }[]>`
        select is_pending as "isPending", failure from read_marks where conversation_id = ${markedThreadId}`;
      return row?.isPending === false && row.failure === null;
    },
  },
  "fetch-files": {
    event: ({ fileId }) => fileDue.create({ fileId }),
    hasWorked: async ({ fileId }, sql) => {
      const rows = await sql`
        select 1 from customer_files where id = ${fileId} and state = 'stored' and attempts = 1`;
      return rows.length === 1;
    },
  },
  "process-callbacks": {
    event: ({ channelId }) => callbacksReceived.create({ channelId }),
    hasWorked: async ({ idOf }, sql) =>
      (await messageOf(sql, idOf("accepted, callbacks not processed"))).state !== "sent",
  },
  sweep: {
    event: CRON,
    hasWorked: async ({ idOf }, sql) =>
      (await messageOf(sql, idOf("about to be called for"))).isInDoubt &&
      (await messageOf(sql, idOf("too old to be sent"))).state === "failed" &&
      !(await messageOf(sql, idOf("claimed by a dead process"))).isClaimed &&
      (await messageOf(sql, idOf("paused"))).isAttempted,
  },
  "sweep-hourly": {
    event: CRON,
    hasWorked: async ({ ctx, uploadId }, sql) => {
      const erased = await sql`select 1 from uploads where id = ${uploadId} and erased_at is not null`;
      const attempts = await sql`select 1 from sign_in_attempts where subject = ${ctx.actor.organizationId}`;
      const ended = await sql`select 1 from webhook_former_secrets where ends_at <= now()`;
      return erased.length === 1 && attempts.length === 0 && ended.length === 0;
    },
  },
  "sync-templates": {
    event: CRON,
    hasWorked: async ({ templateId }, sql) => {
      const [row] = await sql<{ state: string }[]>`select state from templates where id = ${templateId}`;
      return row?.state === "approved";
    },
  },
  "enforce-retention": {
    event: CRON,
    hasWorked: async ({ idOf }, sql) => (await messageOf(sql, idOf("old"))).isErased,
  },
};

async function messageOf(sql: Sql, id: string) {
  const [row] = await sql<MessageNow[]>`
    select state, error_code as "errorCode", claim_token is not null as "isClaimed",
      in_doubt_since is not null as "isInDoubt", erased_at is not null as "isErased",
      exists (select from message_attempts a where a.message_id = m.id) as "isAttempted"
    from messages m where id = ${id}`;
  if (!row) throw new Error(`There is no message ${id}`);
  return row;
}

interface MessageNow {
  readonly state: string;
  readonly errorCode: string | null;
  readonly isClaimed: boolean;
  readonly isInDoubt: boolean;
  readonly isErased: boolean;
  readonly isAttempted: boolean;
}

type Run = (processes: FunctionsWorld["processes"], id: string, event: JobEvent) => Promise<unknown>;

/** The ways in which a function can run more often than requested. */
export const WAYS = {
  inARow: async ([first], id, event) => {
    await first.run(id, event);
    await first.run(id, event);
  },
  atOnce: (processes, id, event) =>
    Promise.all([...processes, ...processes].map((one) => one.run(id, event))),
  afterLoss: async ([first, second], id, event) => {
    await first.runAndLoseResult(id, event);
    await second.run(id, event);
  },
} as const satisfies Record<string, Run>;

const entry = z.object({ biz_opaque_callback_data: z.string().nullable() });
const ledgerSchema = z.object({ messages: z.array(entry), calls: z.array(entry) });

/** How often the upstream was called for a message of the work, and how often it accepted the message. */
async function upstreamOf(world: FunctionsWorld, { waiting }: Work) {
  const response = await fetch(`${world.simulatorUrl}/ledger`);
  const { messages, calls } = ledgerSchema.parse(await response.json());
  const countOf = (entries: typeof calls, id: string) =>
    entries.filter((one) => one.biz_opaque_callback_data === id).length;
  return waiting.map(({ what, id, callsMax }) => ({
    what,
    messages: countOf(messages, id),
    callsTooMany: Math.max(0, countOf(calls, id) - callsMax),
  }));
}

/**
 * Expected outcomes of a delivery: one call for each attempt except those of processes that died, and none for an
 * erased one.
 */
const DELIVERED_ONCE = ["1 calls: 204", "1 calls: interrupted, 204", "0 calls: erased"];
const NOT_YET_DELIVERED = ["0 calls: ", "0 calls: open", "0 calls: interrupted"];

/** How often the receiver was called for each delivery of the work, and the outcomes of its attempts. */
async function reportedOf({ sql, receiver }: FunctionsWorld, { endpointId }: Work): Promise<string[]> {
  const ids = receiver.calls.map(({ headers }) => headers["webhook-id"]);
  return (await deliveriesOf({ sql }, endpointId)).map(({ webhookId, tries }) => {
    const attempts = tries.map(({ httpStatus, errorClass }) => httpStatus ?? errorClass ?? "open");
    return `${ids.filter((called) => called === webhookId).length} calls: ${attempts.join(", ")}`;
  });
}

/** Runs functions in turn until everything has reached its expected end. */
async function finish(world: FunctionsWorld, work: Work): Promise<void> {
  await eventually(async () => {
    for (const one of world.processes) {
      const run = (id: string, { name, data }: JobEvent) => one.run(id, { name, data });
      for (const channelId of [work.channelId, work.pausedChannelId]) {
        await run("drain-channel", channelDue.create({ channelId }));
        await run("process-callbacks", callbacksReceived.create({ channelId }));
      }
      await run("deliver-webhooks", webhookDue.create({ endpointId: work.endpointId }));
      await run("sweep", sweepDue.create({}));
    }
    // Makes retries due, so that the test doesn't wait.
    await world.sql`
      update messages set next_attempt_at = now()
      where state = 'queued' and claim_token is null and in_doubt_since is null`;
    await world.sql`update webhook_deliveries set next_attempt_at = now() where is_pending and claim_token is null`;
    expect(await endsOf(world.sql, work)).toEqual(work.waiting.map(({ what, end }) => ({ what, end })));
    const deliveries = await deliveriesOf(world, work.endpointId);
    expect(deliveries.filter(({ state }) => state === "pending")).toEqual([]);
  });
}

function endsOf(sql: Sql, { waiting }: Work) {
  return Promise.all(
    waiting.map(async ({ what, id }) => {
      const { state, errorCode } = await messageOf(sql, id);
      return { what, end: errorCode === null ? state : `${state} ${errorCode}` };
    }),
  );
}

/**
 * Runs the function in that way over the left work, asserts that it has done all of it, and has the other functions do
 * the rest.
 * @returns how often the upstream has each message in the end, and the expected number.
 */
export async function runOverWork(world: FunctionsWorld, id: string, run: Run) {
  const expectation = EXPECTATIONS[id];
  if (!expectation) throw new Error(`Nobody has said what ${id} does`);
  world.takeLog();
  onTestFailed(() => console.error(world.takeLog()));
  const work = await leaveWork(world);
  const { name, data } = expectation.event(work);
  await run(world.processes, id, { name, data });
  expect([...DELIVERED_ONCE, ...NOT_YET_DELIVERED]).toEqual(
    expect.arrayContaining(await reportedOf(world, work)),
  );
  const soFar = await upstreamOf(world, work);
  expect(soFar.filter(({ messages, callsTooMany }) => messages > 1 || callsTooMany > 0)).toEqual([]);
  expect(await expectation.hasWorked(work, world.sql)).toBe(true);
  await finish(world, work);
  expect(DELIVERED_ONCE).toEqual(expect.arrayContaining(await reportedOf(world, work)));
  const wanted = work.waiting.map(({ what, upstream }) => ({ what, messages: upstream, callsTooMany: 0 }));
  return { handedOver: await upstreamOf(world, work), wanted };
}
