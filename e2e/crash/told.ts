import { z } from "zod";
import type { Sql } from "@/db/client";
import { until } from "@/e2e/support/until";
import { whileAway } from "./fate";
import type { CrashReceiver } from "./receiver";
import type { KilledRound, Stage } from "./round";

/** Claims of a process that died run out after 45 s; the sweep looks every 10 s. */
const TOLD_MS_MAX = 180_000;

const stateEvent = z.object({
  type: z.string(),
  data: z.object({ message_id: z.string(), sequence: z.int().optional() }),
});

/**
 * Waits until the shop's receiver was told of everything.
 * @returns state changes of accepted messages that it was never told of, or that it was told of under two ids or in two
 * forms, or that the database doesn't know, in words.
 */
export async function wrongTold(stage: Stage, rounds: readonly KilledRound[]): Promise<string[]> {
  const ids = rounds.flatMap(({ sending }) => [...sending.accepted.values()]);
  let wrong: string[] = [];
  // What was still in doubt can end meanwhile, and is told then.
  const isRight = async () => {
    await hurry(stage.processes.sql);
    wrong = await compare(stage, ids);
    return wrong.length === 0;
  };
  await until("everything is told", isRight, { timeoutMs: TOLD_MS_MAX, intervalMs: 500 }).catch(
    () => undefined,
  );
  return wrong;
}

async function compare({ processes: { sql }, receiver }: Stage, ids: readonly string[]): Promise<string[]> {
  const changes = await changesOf(sql, ids);
  const told = toldOf(receiver);
  const known = new Set(ids);
  const untold = [...changes].flatMap((change) => (told.has(change) ? [] : [`never told: ${change}`]));
  const unknown = [...told.keys()].flatMap((change) =>
    known.has(change.split(" ")[0] ?? "") && !changes.has(change) ? [`told, and never was: ${change}`] : [],
  );
  const twice = [...told].flatMap(([change, idsOf]) =>
    idsOf.size > 1 ? [`told under ${idsOf.size} ids: ${change}`] : [],
  );
  const changed = receiver
    .told()
    .flatMap(({ id, bodies }) => (bodies.size > 1 ? [`told in ${bodies.size} forms: ${id}`] : []));
  return [...untold, ...unknown, ...twice, ...changed];
}

export interface WebhookFigures {
  readonly told: number;
  /** Of them, those that came more than once. */
  readonly repeated: number;
}

export function webhookFigures({ receiver }: Stage): WebhookFigures {
  const told = receiver.told();
  return { told: told.length, repeated: told.filter(({ times }) => times > 1).length };
}

/** Nobody waits here until a retry is due. */
async function hurry(sql: Sql): Promise<void> {
  await sql`
    update webhook_deliveries set next_attempt_at = now()
    where is_pending and claim_token is null and next_attempt_at > now()`.catch(whileAway);
}

/** What became of the messages: id, type and sequence of each change. */
async function changesOf(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ change: string }[]>`
    select message_id || ' message.' || kind || ' ' || sequence as change from message_events
    where message_id = any(${[...ids]}::uuid[]) and sequence is not null`;
  return new Set(rows.map(({ change }) => change));
}

/** By change, the ids under which it was told. */
function toldOf(receiver: CrashReceiver): ReadonlyMap<string, ReadonlySet<string>> {
  const told = new Map<string, Set<string>>();
  for (const { id, bodies } of receiver.told()) {
    for (const body of bodies) {
      const { type, data } = stateEvent.parse(JSON.parse(body));
      if (data.sequence === undefined) continue;
      const change = `${data.message_id} ${type} ${data.sequence}`;
      told.set(change, (told.get(change) ?? new Set<string>()).add(id));
    }
  }
  return told;
}
