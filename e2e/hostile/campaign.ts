import { until } from "@/e2e/support/until";
import { type Accepted, problemsOfAccepted } from "./accepted";
import { measureMemory, type Memory } from "./memory";
import { playRound } from "./rounds";
import type { HostileWorld } from "./world";

const ROUND_CASES = 500;
/** Share of the cases before the first memory measurement: until then caches fill and code is compiled. */
const WARM_UP_PART = 0.3;
const PROBLEMS_SHOWN_MAX = 20;

export interface Campaign {
  readonly seed: number;
  readonly cases: number;
  /** Called with each line for a person to read. */
  readonly reported: (line: string) => void;
}

export interface Report {
  readonly problems: readonly string[];
  /** Number of responses by family and status, such as `a body 201`. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly sentBytes: number;
  /** After the warm-up and at the end. */
  readonly memory: { readonly before: Memory; readonly after: Memory };
}

/** Plays that many cases in rounds, each with its own seed, and reads back the accepted messages. */
export async function playCampaign(
  world: HostileWorld,
  { seed, cases, reported }: Campaign,
): Promise<Report> {
  const statuses = new Map<string, number>();
  const problems: string[] = [];
  const accepted: Accepted[] = [];
  const server = world.processes.server();
  let before: Memory | null = null;
  let sentBytes = 0;
  for (let round = 0, done = 0; done < cases && problems.length < PROBLEMS_SHOWN_MAX; round++) {
    if (done >= cases * WARM_UP_PART) before ??= await measureMemory(server);
    const outcome = await playRound(world, {
      seed: seed + round,
      cases: Math.min(ROUND_CASES, cases - done),
    });
    for (const [name, count] of outcome.statuses) statuses.set(name, (statuses.get(name) ?? 0) + count);
    problems.push(...outcome.problems);
    accepted.push(...outcome.accepted);
    sentBytes += outcome.sentBytes;
    done += ROUND_CASES;
    if (round % 20 === 19) reported(`${done} cases, ${inMebibytes(await measureMemory(server))}`);
  }
  problems.push(...(await problemsOfAccepted(world, accepted)));
  await untilCallbacksAreProcessed(world);
  const after = await measureMemory(server);
  reported(`${Math.round(sentBytes / MEBIBYTE)} MiB sent, ${accepted.length} messages accepted`);
  reported(`memory ${inMebibytes(before ?? after)} and then ${inMebibytes(after)}`);
  return {
    problems: problems.slice(0, PROBLEMS_SHOWN_MAX),
    statuses,
    sentBytes,
    memory: { before: before ?? after, after },
  };
}

const MEBIBYTE = 1024 * 1024;

function inMebibytes({ usedBytes, residentBytes }: Memory): string {
  return `${(usedBytes / MEBIBYTE).toFixed(1)} MiB used, ${Math.round(residentBytes / MEBIBYTE)} MiB resident`;
}

/** Waits for all callbacks, with any content. */
async function untilCallbacksAreProcessed({ processes }: HostileWorld): Promise<void> {
  const isDone = async () => {
    const [row] = await processes.sql<{ waiting: number }[]>`
      select count(*)::int as waiting from upstream_callbacks where processed_at is null`;
    return row?.waiting === 0;
  };
  await until("every callback is processed", isDone, { intervalMs: 200 });
}
