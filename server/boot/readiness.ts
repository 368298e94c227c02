import { countMigrations } from "@/db/client";
import type { Services } from "@/server/core/context";
import type { Readiness } from "@/server/transport/health";
import { servedBy } from "@/server/platform/served-by";
import { LIMIT_MAX } from "@/server/adapters/limits/policies";
import { NOBODY } from "@/server/adapters/limits/store-health";
import type { DEGRADABLE_PARTS } from "@/server/adapters/metrics/catalogue";
import { withinTime } from "@/server/lib/time-limit";
import { createOutageLogs } from "@/server/lib/outage-log";
import { areJobsRun, doesServerRun } from "@/server/core/queue/heartbeats";

/** Time limit of one check. All checks run concurrently. */
const ANSWER_MAX_MS = 1_000;
/** Time that a result is reused, so that frequent requests don't load the database. */
const FRESH_MS = 1_000;

interface Question {
  /** Returns true if the check matters to this process. */
  readonly concerns: (services: Services) => boolean;
  /** Runs the check. The part counts as failed on false, on an error, and on a timeout. */
  readonly ask: (services: Services) => Promise<boolean>;
  /** The result of an error or a timeout, if it doesn't mean that the part fails. */
  readonly ifUnknown?: boolean;
}

const always = () => true;
const takesRequests = ({ config }: Services) => servedBy(config.role, "/api/public/");

type Questions = Readonly<Record<string, Question>>;
type OutageLogOf = ReturnType<typeof createOutageLogs>;

const OUTAGE_TEXTS = {
  fails: "this part can't be asked whether it works, which /readyz says",
  isOver: "this part can be asked again",
} as const;

/** If one of these parts fails, requests get a 503 or no response. */
const NEEDED = {
  database: { concerns: always, ask: async ({ sql }) => (await sql`select 1`).length === 1 },
} as const satisfies Record<string, Question>;

/**
 * If one of these parts fails, most requests still succeed, and no other process would do better. If it made a process
 * unready, all processes would be, and no request would be answered. A schema that is newer than the program belongs to
 * the next version's first process, during a rolling update. A release whose migration the old processes can't work
 * with says so, and then all of them are stopped first.
 */
const DEGRADABLE = {
  migrations: {
    concerns: always,
    ask: async ({ sql, config }) => (await countMigrations(sql, config.appRoot)).newer === 0,
    // A database that can't be asked is a failure of `database`. It doesn't mean that its schema is newer.
    ifUnknown: true,
  },
  limiter: { concerns: takesRequests, ask: isLimiting },
  uploads: { concerns: takesRequests, ask: canTakeFiles },
  jobs: { concerns: always, ask: areJobsRun },
  inngest: { concerns: ({ config }) => config.inngest !== null, ask: doesServerRun },
} as const satisfies Record<(typeof DEGRADABLE_PARTS)[number], Question>;

async function canTakeFiles({ uploads }: Services): Promise<boolean> {
  await uploads.requireWritable();
  return true;
}

async function isLimiting({ limits }: Services): Promise<boolean> {
  const ticket = await limits.take(NOBODY, "read", LIMIT_MAX);
  if (ticket.kind === "granted") ticket.refund();
  return ticket.kind === "granted";
}

/**
 * Checks whether this process can serve, part by part. Responds within about a second even if a check hangs, and reuses
 * the result for another second. That the process is stopping is reported immediately. A failing check is logged once.
 */
export function createReadiness(services: Services): () => Promise<Readiness> {
  const outageLogOf = createOutageLogs(services.log, OUTAGE_TEXTS);
  let asked: { readonly answer: Promise<Readiness>; readonly atMs: number } | null = null;
  return async () => {
    if (asked === null || performance.now() - asked.atMs > FRESH_MS) {
      asked = { answer: askAll(services, outageLogOf), atMs: performance.now() };
    }
    const { parts, degradable } = await asked.answer;
    return { parts: { ...parts, accepting: !services.lifecycle.isLeaving() }, degradable };
  };
}

async function askAll(services: Services, outageLogOf: OutageLogOf): Promise<Readiness> {
  const ask = (questions: Questions) => askEach(services, questions, outageLogOf);
  const [parts, degradable] = await Promise.all([ask(NEEDED), ask(DEGRADABLE)]);
  return { parts, degradable };
}

async function askEach(
  services: Services,
  questions: Questions,
  outageLogOf: OutageLogOf,
): Promise<Record<string, boolean>> {
  const concerning = Object.entries(questions).filter(([, { concerns }]) => concerns(services));
  const answers = concerning.map(async ([name, { ask, ifUnknown = false }]): Promise<[string, boolean]> => {
    try {
      const works = await withinTime(ask(services), ANSWER_MAX_MS);
      outageLogOf(name).answered();
      return [name, works];
    } catch (error) {
      outageLogOf(name).failed(error);
      return [name, ifUnknown];
    }
  });
  return Object.fromEntries(await Promise.all(answers));
}
