import { setTimeout as pause } from "node:timers/promises";
import type { Executor } from "@/db/client";
import { isDatabaseUnavailable } from "@/db/errors";
import type { SystemActor } from "@/server/core/actor";
import { type Context, perServices, type Services } from "@/server/core/context";
import { applyChanges, type ChannelsAddressed, Interrupted } from "./apply";
import { removeFromCallbacks } from "@/server/domain/erasure/forget-in-callbacks";
import { parseCallback } from "@/server/adapters/whatsapp/parse";
import { type CallbackContent, readCallback } from "@/server/adapters/whatsapp/shapes";
import { createSemaphore } from "@/server/lib/semaphore";

/** A callback that this process may process until its lease ends. */
export interface ClaimedCallback {
  readonly id: string;
  readonly organizationId: string;
  readonly channelId: string;
  /** The receiving channel's number. */
  readonly phoneNumberId: string;
  readonly body: Buffer;
  readonly receivedAt: Date;
  readonly tries: number;
}

interface DueCallback extends ClaimedCallback {
  /** More callbacks were due at the time of the claim than it could take. */
  readonly isMoreDue: boolean;
}

const CLAIM_MAX = 50;
/** Maximum size of one channel's bodies in memory, in bytes. At least one body is read. */
const CLAIM_BYTES_MAX = 1024 * 1024;
/** Size of a body that needs so much memory once parsed that only one is read at a time. */
export const LARGE_BYTES = 256 * 1024;
const RUN_MS = 10_000;
/** Pause between two claims under load: callbacks are stored, so they can wait. */
const MAKE_ROOM_MS = 100;

/**
 * Processes one channel's callbacks until none is due, or until ten seconds have passed. A failed one is kept and
 * retried with growing intervals. Processing a callback twice has no effect. Concurrent runs for several channels share
 * this process update by update, so that none waits long for another's flood.
 * @returns true if more may be due.
 */
export async function processCallbacks(services: Services, channelId: string): Promise<boolean> {
  const endsAt = performance.now() + RUN_MS;
  while (!services.lifecycle.isStopping()) {
    // Under load, callbacks are batched to need fewer statements.
    if (services.load.isHigh()) await pause(MAKE_ROOM_MS);
    const callbacks = await claim(services, channelId);
    if (callbacks.length > 0) await processTogether(services, callbacks);
    // One that came alone is rarely followed at once, and the next one notifies. Of several, more may be due.
    if (callbacks.length <= 1 && !(callbacks[0]?.isMoreDue ?? false)) return false;
    if (performance.now() > endsAt) return true;
  }
  return false;
}

/** Claims callbacks. The lease grows with the tries, so that a callback that always fails doesn't block the others. */
async function claim(services: Services, channelId: string): Promise<DueCallback[]> {
  return services.sql<DueCallback[]>`
    -- Neither a lost claim nor a lost mark does harm: processing twice changes nothing. So no wait for the disk.
    with relaxed as materialized (select set_config('synchronous_commit', 'off', true) as setting),
    locked as (
      select id, received_at, octet_length(body) as bytes from upstream_callbacks
      where (select setting from relaxed) is not null and channel_id = ${channelId} and processed_at is null
        and (claimed_until is null or claimed_until < now())
      order by received_at limit ${CLAIM_MAX} for update skip locked
    ),
    due as (
      select id from (
        select id, sum(bytes) over (order by received_at, id) - bytes as before from locked) l
      where before < ${CLAIM_BYTES_MAX}
    ),
    claimed as (
      update upstream_callbacks c
      set tries = c.tries + 1, claimed_until = now() + make_interval(secs => least(30 * 2 ^ least(c.tries, 10), 3600))
      from due where c.id = due.id
      returning c.id, c.organization_id as "organizationId", c.channel_id as "channelId", c.body,
        c.received_at as "receivedAt", c.tries
    )
    -- The update itself answers in whatever order the planner reads the table.
    select claimed.*, h.phone_number_id as "phoneNumberId",
      (select count(*) from locked) > (select count(*) from claimed) as "isMoreDue"
    from claimed join channels h on h.id = claimed."channelId" order by "receivedAt", id`;
}

/**
 * Processes claimed callbacks of one channel with few statements. If one can't be applied, each is processed alone. All
 * are delivered again. A failure is logged, and its callbacks stay claimed until they are retried.
 */
export async function processTogether(
  services: Services,
  callbacks: readonly ClaimedCallback[],
): Promise<void> {
  try {
    await processAll(services, callbacks);
  } catch (error) {
    if (error instanceof Interrupted) return release(services, callbacks);
    if (callbacks.length > 1 && !isDatabaseUnavailable(error)) {
      for (const callback of callbacks) await processTogether(services, [callback]);
      return;
    }
    const [callback] = callbacks;
    services.log.error(
      { err: error, callbacks: callbacks.length, callbackId: callback?.id, tries: callback?.tries },
      "processing a callback failed",
    );
  }
}

/** Releases callbacks that a shutdown interrupted: they are due immediately, for any process. */
async function release(services: Services, callbacks: readonly ClaimedCallback[]): Promise<void> {
  await services.sql`
    update upstream_callbacks set claimed_until = null, tries = greatest(tries - 1, 0)
    where id = any(${callbacks.map((callback) => callback.id)}::uuid[]) and processed_at is null`;
}

const largeReads = perServices(() => createSemaphore(1));

async function read(services: Services, { body, receivedAt }: ClaimedCallback): Promise<CallbackContent> {
  const work = () => readCallback(parseCallback(body), receivedAt);
  return body.length < LARGE_BYTES ? work() : largeReads(services).run(work);
}

/** Applies one channel's callbacks, and marks them processed. A failing change doesn't delay the rest. */
async function processAll(services: Services, callbacks: readonly ClaimedCallback[]): Promise<void> {
  const [first] = callbacks;
  if (first === undefined) return;
  const actor = { kind: "system", organizationId: first.organizationId, job: "callbacks" } as const;
  const ctx: Context<SystemActor> = { services, actor, requestId: null };
  const all: { id: string; content: CallbackContent }[] = [];
  for (const callback of callbacks) all.push({ id: callback.id, content: await read(services, callback) });
  const changes = all.flatMap(({ content }) => content.changes);
  const templates = all.flatMap(({ content }) => content.templates);
  const channels = await channelsOf(ctx, first, { changes, templates });
  const problems = all.map(({ id, content }) => ({ id, problems: problemsOf(channels, content) }));
  const outcome: { marked: Marked | null } = { marked: null };
  const ofErased = await applyChanges(ctx, channels, { changes, templates }, async (tx) => {
    const marked = await markProcessed(tx, ctx, problems);
    return () => void (outcome.marked = marked);
  });
  if (ofErased.size > 0) await removeFromCallbacks(services, first.organizationId, callbacks, ofErased);
  count(services, outcome.marked ?? (await markProcessed(services.sql, ctx, problems)));
}

function problemsOf(channels: ChannelsAddressed, content: CallbackContent): string[] {
  return [
    ...content.unknown,
    ...content.changes.flatMap((change) =>
      channels.byPhoneNumberId.has(change.phoneNumberId)
        ? []
        : ["a number of no channel of the organization"],
    ),
    ...content.templates.flatMap((template) =>
      channels.byWabaId.has(template.wabaId) ? [] : ["an account of no channel of the organization"],
    ),
  ];
}

interface Marked {
  /** Seconds from the arrival of each callback until now. */
  readonly lagSeconds: readonly number[];
  readonly notUnderstood: number;
}

async function markProcessed(
  sql: Executor,
  ctx: Context,
  callbacks: readonly { id: string; problems: readonly string[] }[],
): Promise<Marked> {
  const problems = callbacks.map((callback) =>
    callback.problems.length === 0
      ? null
      : `nothing was done about: ${[...new Set(callback.problems)].join("; ")}`.slice(0, 500),
  );
  const processed = await sql<{ lagSeconds: number }[]>`
    with relaxed as materialized (select set_config('synchronous_commit', 'off', true) as setting)
    update upstream_callbacks c set processed_at = now(), claimed_until = null, problem = r.problem
    -- In a select each, or the planner would see how few there are, and plan anew each time.
    from relaxed, unnest((select ${callbacks.map((callback) => callback.id)}::uuid[]), (select ${problems}::text[])) as r (id, problem)
    where setting is not null and c.organization_id = ${ctx.actor.organizationId} and c.id = r.id
    returning extract(epoch from now() - c.received_at)::float8 as "lagSeconds"`;
  return {
    lagSeconds: processed.map(({ lagSeconds }) => lagSeconds),
    notUnderstood: problems.filter((problem) => problem !== null).length,
  };
}

function count({ metrics }: Services, { lagSeconds, notUnderstood }: Marked): void {
  for (const seconds of lagSeconds) metrics.observe("waypost_callback_lag_seconds", {}, seconds);
  metrics.count("waypost_callbacks_not_understood_total", {}, notUnderstood);
}

/**
 * Returns the channels that changes address. One callback address can receive the updates of all numbers and accounts
 * of an app. Only those of this organization, on the same upstream, are used.
 */
async function channelsOf(
  ctx: Context,
  receiving: Pick<ClaimedCallback, "channelId" | "phoneNumberId">,
  said: Pick<CallbackContent, "changes" | "templates">,
): Promise<ChannelsAddressed> {
  const numbers = [...new Set(said.changes.map((change) => change.phoneNumberId))];
  const accounts = [...new Set(said.templates.map((template) => template.wabaId))];
  const { channelId, phoneNumberId } = receiving;
  if (accounts.length === 0 && numbers.every((number) => number === phoneNumberId))
    return { byPhoneNumberId: new Map([[phoneNumberId, channelId]]), byWabaId: new Map() };
  const rows = await ctx.services.sql<{ phoneNumberId: string; wabaId: string; channelId: string }[]>`
    select c.phone_number_id as "phoneNumberId", c.waba_id as "wabaId", c.id as "channelId"
    from channels r join channels c on c.organization_id = r.organization_id and c.upstream = r.upstream
    where r.organization_id = ${ctx.actor.organizationId} and r.id = ${channelId}
      and (c.phone_number_id = any(${numbers}::text[]) or c.waba_id = any(${accounts}::text[]))`;
  return {
    byPhoneNumberId: new Map(rows.map((row) => [row.phoneNumberId, row.channelId])),
    byWabaId: new Map(rows.map((row) => [row.wabaId, row.channelId])),
  };
}
