import type { Sql } from "@/db/client";
import { readLedger } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { countByMessage, type Fate, fateOf, whileAway } from "./fate";
import type { Planned } from "./mix";
import type { KilledRound, Stage } from "./round";

/** Concurrent calls of a process. */
const SLOTS = 64;
/** The promise: this long after the last start, no due message is queued, unless it is in doubt. */
const RECOVERED_MS_MAX = 180_000;

/** The result of a round. */
export interface Figures extends Fate {
  readonly round: number;
  readonly kind: string;
  readonly isUpstreamFrozen: boolean;
  /** Responses to clients, by status; 0 for none. */
  readonly answers: Readonly<Record<number, number>>;
  /** Calls whose response a kill lost, and the allowed maximum. */
  readonly doubted: number;
  readonly doubtedMax: number;
  /**
   * From the last start until nothing of the main channel was queued except messages in doubt; null if it, or the
   * faulty channel, took more than three minutes.
   */
  readonly recoveredSeconds: number | null;
  /** Descriptions of broken promises. */
  readonly problems: readonly string[];
}

/** Waits until a round's messages are handed over, and counts. */
export async function figuresOf(scene: Stage, killed: KilledRound): Promise<Figures> {
  const { sql } = scene.processes;
  const { sending, plan } = killed;
  const ids = [...sending.accepted.values()];
  const { main, second } = scene.shop.channels;
  const mainSeconds = await recovery(sql, { ids, channelId: main.id, startedAtMs: killed.restartedAtMs });
  const secondSeconds = await recovery(sql, { ids, channelId: second.id, startedAtMs: killed.restartedAtMs });
  const recoveredSeconds = secondSeconds === null ? null : mainSeconds;
  const fate = await fateOf(sql, scene.simulator.url, sending.accepted);
  const doubted = (await doubtedByKill(sql, ids)).size;
  const doubtedMax = SLOTS * killed.killedProcesses;
  const figures = {
    ...fate,
    round: killed.number + 1,
    kind: plan.kind,
    isUpstreamFrozen: plan.isUpstreamFrozen,
    answers: sending.answers,
    doubted,
    doubtedMax,
    recoveredSeconds,
  };
  return { ...figures, problems: problemsOf(figures, killed) };
}

function problemsOf(figures: Omit<Figures, "problems">, { sending, planned }: KilledRound): string[] {
  const { accepted, twice, lost, doubted, doubtedMax, recoveredSeconds } = figures;
  const problems = sending.wrong.map((answer) => `a client was answered ${answer}`);
  if (accepted !== planned.size) problems.push(`${planned.size - accepted} messages have no id`);
  if (twice.length > 0) problems.push(`handed upstream more than once: ${twice.join(", ")}`);
  if (lost.length > 0) problems.push(`lost: ${lost.join(", ")}`);
  if (doubted > doubtedMax) problems.push(`${doubted} calls in doubt by the kill, of ${doubtedMax} slots`);
  if (recoveredSeconds === null) problems.push("after three minutes messages were still queued");
  return problems;
}

async function recovery(
  sql: Sql,
  { ids, channelId, startedAtMs }: { ids: readonly string[]; channelId: string; startedAtMs: number },
): Promise<number | null> {
  const isRecovered = async () => {
    const rows = await sql<{ count: number }[]>`
      select count(*)::int as count from messages
      where id = any(${[...ids]}::uuid[]) and channel_id = ${channelId}
        and state = 'queued' and in_doubt_since is null`.catch(whileAway);
    return rows?.[0]?.count === 0;
  };
  const timeoutMs = Math.max(0, startedAtMs + RECOVERED_MS_MAX - performance.now());
  const waiting = until("nothing is queued that isn't in doubt", isRecovered, { timeoutMs, intervalMs: 100 });
  return waiting.then(
    () => (performance.now() - startedAtMs) / 1000,
    () => null,
  );
}

/** Returns messages with a call whose response was never stored, because its process was killed. */
async function doubtedByKill(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`
    select message_id as id from message_events
    where message_id = any(${[...ids]}::uuid[]) and kind = 'uncertain'
      and detail ->> 'reason' = 'no answer was stored before the deadline'`;
  return new Set(rows.map(({ id }) => id));
}

interface End {
  readonly id: string;
  readonly clientMessageId: string;
  readonly state: string;
  readonly code: string | null;
  readonly isInDoubt: boolean;
}

/** Time until a doubt is given up and its last callback has arrived. */
const ENDED_MS_MAX = 180_000;

/**
 * Waits until every message has ended as its outcome says, or is in doubt because of its outcome or the kill.
 * @param options.isDoubtAnEnd if false, waits until nothing is in doubt any more.
 * @returns descriptions of messages that ended differently, and of excess calls to the upstream.
 */
export async function wrongEnds(
  scene: Stage,
  rounds: readonly KilledRound[],
  { isDoubtAnEnd }: { isDoubtAnEnd: boolean },
): Promise<string[]> {
  const { sql } = scene.processes;
  const planned = new Map(rounds.flatMap((round) => [...round.planned]));
  const ids = rounds.flatMap(({ sending }) => [...sending.accepted.values()]);
  const doubted = await doubtedByKill(sql, ids);
  const wrong = async () =>
    (await endsOf(sql, ids)).flatMap((end) => {
      const one = planned.get(end.clientMessageId);
      return one && !isRight(end, one, doubted.has(end.id), isDoubtAnEnd) ? [{ ...end, one }] : [];
    });
  const areRight = async () => (await wrong()).length === 0;
  const waiting = { timeoutMs: ENDED_MS_MAX, intervalMs: 500 };
  await until("every message has ended as it should", areRight, waiting).catch(() => undefined);
  const ended = (await wrong()).map(
    ({ id, one, state, code, isInDoubt }) =>
      `${one.expected.name} ended as ${[state, code, isInDoubt && "in doubt"].filter(Boolean).join(", ")}: ${id}`,
  );
  return [...ended, ...(await overcalled(scene, rounds))];
}

function endsOf(sql: Sql, ids: readonly string[]): Promise<End[]> {
  return sql<End[]>`
    select id, client_message_id as "clientMessageId", state, error_code as code,
      state = 'queued' and in_doubt_since is not null as "isInDoubt"
    from messages where id = any(${[...ids]}::uuid[])`;
}

function isRight(
  { state, code, isInDoubt }: End,
  { expected }: Planned,
  isDoubtedByKill: boolean,
  isDoubtAnEnd: boolean,
): boolean {
  if (state === expected.state && code === expected.code) return true;
  const mayBeInDoubt = isDoubtedByKill || expected.code === "upstream_unconfirmed";
  return mayBeInDoubt && (code === "upstream_unconfirmed" || (isInDoubt && isDoubtAnEnd));
}

/** A refused call leaves no message in the ledger, but may still be one too many. */
async function overcalled({ simulator, shop }: Stage, rounds: readonly KilledRound[]): Promise<string[]> {
  const calls = countByMessage((await readLedger(simulator.url)).calls);
  return rounds.flatMap(({ planned, sending }) =>
    [...sending.accepted].flatMap(([clientMessageId, id]) => {
      const one = planned.get(clientMessageId);
      // Refusals because of a faulty channel don't count as excess calls.
      if (!one || one.message.channel_id !== shop.channels.main.id) return [];
      const { name, calls: max } = one.expected;
      const count = calls.get(id) ?? 0;
      return typeof max === "number" && count > max ? [`${name} was called for ${count} times: ${id}`] : [];
    }),
  );
}
