import { setTimeout as pause } from "node:timers/promises";
import { applyStatuses } from "../../messages/apply-statuses";
import { receiveText } from "../../messages/receive";
import type { Context, Services } from "../../context";
import { HANDLE_PATTERN } from "../../contacts/canonical";
import { type CallbackChange, readCallback } from "./shapes";

interface StoredCallback {
  readonly id: string;
  readonly organizationId: string;
  readonly channelId: string;
  readonly body: Buffer;
  readonly tries: number;
}

const CLAIM_MAX = 50;
const RUN_MS = 10_000;
/** Between two claims while requests press: what came in is stored, and can wait for its turn. */
const MAKE_ROOM_MS = 100;

/**
 * Processes stored callbacks until none is due, or ten seconds have passed. One that fails is kept and tried again,
 * ever more rarely; processing twice changes nothing.
 * @returns true when more may be due.
 */
export async function processCallbacks(services: Services): Promise<boolean> {
  const endsAt = performance.now() + RUN_MS;
  while (!services.isStopping()) {
    // Under pressure callbacks gather first: few statements for many.
    if (services.pressure.isHigh()) await pause(MAKE_ROOM_MS);
    const callbacks = await claim(services);
    for (const ofOne of byChannel(callbacks)) await processTogether(services, ofOne);
    if (callbacks.length < CLAIM_MAX) return false;
    if (performance.now() > endsAt) return true;
  }
  return false;
}

function byChannel(callbacks: readonly StoredCallback[]): readonly StoredCallback[][] {
  const groups = new Map<string, StoredCallback[]>();
  for (const callback of callbacks) {
    const group = groups.get(callback.channelId) ?? [];
    groups.set(callback.channelId, [...group, callback]);
  }
  return [...groups.values()];
}

/** Whether a stored callback waits. */
export async function areCallbacksDue(services: Services): Promise<boolean> {
  const [row] = await services.sql<{ isDue: boolean }[]>`
    select exists (select from upstream_callbacks
      where processed_at is null and (claimed_until is null or claimed_until < now())) as "isDue"`;
  return row?.isDue ?? false;
}

/** The lease grows with the tries, so that one that always fails doesn't stand in the way of the others. */
async function claim(services: Services): Promise<StoredCallback[]> {
  return services.sql<StoredCallback[]>`
    -- Neither a lost claim nor a lost mark does harm: processing twice changes nothing. So no wait for the disk.
    with relaxed as materialized (select set_config('synchronous_commit', 'off', true) as setting),
    due as (
      select id from upstream_callbacks
      where (select setting from relaxed) is not null and processed_at is null and (claimed_until is null or claimed_until < now())
      order by received_at limit ${CLAIM_MAX} for update skip locked
    )
    update upstream_callbacks c
    set tries = c.tries + 1, claimed_until = now() + make_interval(secs => least(30 * 2 ^ least(c.tries, 10), 3600))
    from due where c.id = due.id
    returning c.id, c.organization_id as "organizationId", c.channel_id as "channelId", c.body, c.tries`;
}

/** Few statements for many callbacks; where one of them can't be applied, each goes alone. */
async function processTogether(services: Services, callbacks: readonly StoredCallback[]): Promise<void> {
  try {
    await processAll(services, callbacks);
  } catch (error) {
    if (callbacks.length > 1) {
      for (const callback of callbacks) await processTogether(services, [callback]);
      return;
    }
    const [callback] = callbacks;
    services.log.error(
      { err: error, callbackId: callback?.id, tries: callback?.tries },
      "a callback could not be processed",
    );
  }
}

/** Applies callbacks that came to one channel, and marks them processed. What fails in them doesn't hold up the rest. */
async function processAll(services: Services, callbacks: readonly StoredCallback[]): Promise<void> {
  const [first] = callbacks;
  if (first === undefined) return;
  const { organizationId } = first;
  const actor = { kind: "system", organizationId, job: "callbacks" } as const;
  const ctx: Context = { services, actor, requestId: null };
  const read = callbacks.map((callback) => ({ callback, ...readCallback(parse(callback.body)) }));
  const changes = read.flatMap((one) => one.changes);
  const channels = await channelsOf(ctx, first.channelId, changes);
  const failures: unknown[] = [];
  for (const part of partsOf(ctx, channels, changes)) {
    await part().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  await markProcessed(
    ctx,
    read.map(({ callback, changes: own, unknown }) => ({
      id: callback.id,
      problems: [...unknown, ...problemsOf(channels, own)],
    })),
  );
}

/** What changes ask for, in parts that don't hold each other up where one of them fails. */
function partsOf(
  ctx: Context,
  channels: ReadonlyMap<string, string>,
  changes: readonly CallbackChange[],
): (() => Promise<unknown>)[] {
  return [...new Set(channels.values())].flatMap((channelId) => {
    const own = changes.filter((change) => channels.get(change.phoneNumberId) === channelId);
    const reports = own.flatMap((change) => change.statuses);
    const texts = own.flatMap((change) => change.texts).filter((text) => HANDLE_PATTERN.test(text.from));
    return [
      () => applyStatuses({ ctx, input: { channelId, reports } }),
      ...texts.map((text) => () => receiveText({ ctx, input: { ...text, channelId } })),
    ];
  });
}

function problemsOf(channels: ReadonlyMap<string, string>, changes: readonly CallbackChange[]): string[] {
  return changes.flatMap((change) => [
    ...(channels.has(change.phoneNumberId) ? [] : ["a number of no channel of the organization"]),
    ...(change.texts.every((text) => HANDLE_PATTERN.test(text.from)) ? [] : ["a sender without a number"]),
  ]);
}

async function markProcessed(
  ctx: Context,
  callbacks: readonly { id: string; problems: readonly string[] }[],
): Promise<void> {
  const problems = callbacks.map((callback) =>
    callback.problems.length === 0
      ? null
      : `not understood: ${[...new Set(callback.problems)].join("; ")}`.slice(0, 500),
  );
  await ctx.services.sql`
    with relaxed as materialized (select set_config('synchronous_commit', 'off', true) as setting)
    update upstream_callbacks c set processed_at = now(), claimed_until = null, problem = r.problem
    from relaxed, unnest(${callbacks.map((callback) => callback.id)}::uuid[], ${problems}::text[]) as r (id, problem)
    where setting is not null and c.organization_id = ${ctx.actor.organizationId} and c.id = r.id`;
}

/**
 * Channels by phone number id. One callback address can bring the updates of all numbers of an app: those of this
 * organization, on the same upstream, are taken.
 */
async function channelsOf(
  ctx: Context,
  receivingChannelId: string,
  changes: readonly CallbackChange[],
): Promise<ReadonlyMap<string, string>> {
  const numbers = [...new Set(changes.map((change) => change.phoneNumberId))];
  const rows = await ctx.services.sql<{ phoneNumberId: string; channelId: string }[]>`
    select c.phone_number_id as "phoneNumberId", c.id as "channelId"
    from channels r join channels c on c.organization_id = r.organization_id and c.upstream = r.upstream
    where r.organization_id = ${ctx.actor.organizationId} and r.id = ${receivingChannelId}
      and c.phone_number_id = any(${numbers}::text[])`;
  return new Map(rows.map((row) => [row.phoneNumberId, row.channelId]));
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"), (_, value: unknown) =>
      typeof value === "string" ? storable(value) : value,
    );
  } catch {
    return null;
  }
}

/** PostgreSQL stores neither NUL nor lone surrogates; nothing else of what was said is touched. */
function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
