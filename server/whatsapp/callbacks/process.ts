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

const CLAIM_MAX = 20;
const RUN_MS = 10_000;

/**
 * Processes stored callbacks until none is due, or ten seconds have passed. One that fails is kept and tried again,
 * ever more rarely; processing twice changes nothing.
 * @returns true when more may be due.
 */
export async function processCallbacks(services: Services): Promise<boolean> {
  const endsAt = performance.now() + RUN_MS;
  while (!services.isStopping()) {
    const callbacks = await claim(services);
    for (const callback of callbacks) await processOne(services, callback);
    if (callbacks.length < CLAIM_MAX) return false;
    if (performance.now() > endsAt) return true;
  }
  return false;
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
    with due as (
      select id from upstream_callbacks
      where processed_at is null and (claimed_until is null or claimed_until < now())
      order by received_at limit ${CLAIM_MAX} for update skip locked
    )
    update upstream_callbacks c
    set tries = c.tries + 1, claimed_until = now() + make_interval(secs => least(30 * 2 ^ least(c.tries, 10), 3600))
    from due where c.id = due.id
    returning c.id, c.organization_id as "organizationId", c.channel_id as "channelId", c.body, c.tries`;
}

async function processOne(services: Services, callback: StoredCallback): Promise<void> {
  const { id, organizationId } = callback;
  try {
    const unknown = await apply(services, callback);
    const problem =
      unknown.length > 0 ? `not understood: ${[...new Set(unknown)].join("; ")}`.slice(0, 500) : null;
    await services.sql`
      update upstream_callbacks set processed_at = now(), claimed_until = null, problem = ${problem}
      where organization_id = ${organizationId} and id = ${id}`;
  } catch (error) {
    services.log.error(
      { err: error, callbackId: id, tries: callback.tries },
      "a callback could not be processed",
    );
  }
}

async function apply(services: Services, callback: StoredCallback): Promise<readonly string[]> {
  const { changes, unknown } = readCallback(parse(callback.body));
  const actor = { kind: "system", organizationId: callback.organizationId, job: "callbacks" } as const;
  const ctx: Context = { services, actor, requestId: null };
  const problems = [...unknown];
  const failures: unknown[] = [];
  for (const change of changes) {
    const channelId = await channelOf(ctx, change.phoneNumberId);
    if (channelId === null) problems.push("a number of no channel of the organization");
    for (const part of channelId === null ? [] : partsOf(ctx, channelId, change)) {
      await part().catch((error: unknown) => failures.push(error));
    }
    if (change.texts.some((text) => !HANDLE_PATTERN.test(text.from)))
      problems.push("a sender without a number");
  }
  if (failures.length > 0) throw failures[0];
  return problems;
}

/** What a change asks for, in parts that don't hold each other up where one of them fails. */
function partsOf(ctx: Context, channelId: string, change: CallbackChange): (() => Promise<unknown>)[] {
  const texts = change.texts.filter((text) => HANDLE_PATTERN.test(text.from));
  return [
    () => applyStatuses({ ctx, input: { channelId, reports: change.statuses } }),
    ...texts.map((text) => () => receiveText({ ctx, input: { ...text, channelId } })),
  ];
}

/** One callback address can bring the updates of all numbers of an app: those of this organization are taken. */
async function channelOf(ctx: Context, phoneNumberId: string): Promise<string | null> {
  const [row] = await ctx.services.sql<{ id: string }[]>`
    select id from channels
    where organization_id = ${ctx.actor.organizationId} and phone_number_id = ${phoneNumberId}
    order by created_at limit 1`;
  return row?.id ?? null;
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
