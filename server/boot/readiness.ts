import { countMigrations } from "@/db/client";
import type { Services } from "@/server/core/context";
import { type Readiness } from "@/server/transport/health";
import { servedBy } from "@/server/platform/served-by";
import { LIMIT_MAX } from "@/server/adapters/limits/policies";
import { NOBODY } from "@/server/adapters/limits/try-store";
import type { DEGRADABLE_PARTS } from "@/server/adapters/metrics/catalogue";
import { withinTime } from "@/server/lib/time-limit";
import { createOutageLogs } from "@/server/lib/outage-log";
import { areJobsRun, doesServerRun } from "@/server/core/queue/heartbeats";

/** For one part; all are asked at once. */
const ANSWER_MAX_MS = 1_000;
/** However often it is asked, the database is not asked more often. */
const FRESH_MS = 1_000;

interface Question {
  /** Whether the answer matters to this process. */
  readonly concerns: (services: Services) => boolean;
  /** False, or a failure, or no answer in time: the part doesn't work. */
  readonly ask: (services: Services) => Promise<boolean>;
}

const always = () => true;
const takesRequests = ({ config }: Services) => servedBy(config.role, "/api/public/");

type Questions = Readonly<Record<string, Question>>;
type OutageLogOf = ReturnType<typeof createOutageLogs>;

const TROUBLE = {
  fails: "this part can't be asked whether it works, which /readyz says",
  isOver: "this part can be asked again",
} as const;

/** Without these requests here are answered with 503, or not at all. */
const NEEDED = {
  database: { concerns: always, ask: async ({ sql }) => (await sql`select 1`).length === 1 },
} as const satisfies Record<string, Question>;

/**
 * Without these most requests are still answered as they should be, and would be no better answered by another process:
 * were it unready, all would be, and nothing answered at all. A schema that is newer than the program is that of the
 * next version's first process, while the old ones are replaced one by one; a release whose migration the old ones can't
 * go on with says so, and then all of them are stopped first.
 */
const DEGRADABLE = {
  migrations: {
    concerns: always,
    ask: async ({ sql, config }) => (await countMigrations(sql, config.appRoot)).newer === 0,
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
 * Whether this process can serve, part by part. Answers within about a second whatever hangs, and what it learnt is
 * good for a second more; that the process is going is said at once. The log says why a part can't be asked, once.
 */
export function createReadiness(services: Services): () => Promise<Readiness> {
  const troubleOf = createOutageLogs(services.log, TROUBLE);
  let asked: { readonly answer: Promise<Readiness>; readonly atMs: number } | null = null;
  return async () => {
    if (asked === null || performance.now() - asked.atMs > FRESH_MS) {
      asked = { answer: askAll(services, troubleOf), atMs: performance.now() };
    }
    const { parts, degradable } = await asked.answer;
    return { parts: { ...parts, accepting: !services.isLeaving() }, degradable };
  };
}

async function askAll(services: Services, troubleOf: OutageLogOf): Promise<Readiness> {
  const ask = (questions: Questions) => askEach(services, questions, troubleOf);
  const [parts, degradable] = await Promise.all([ask(NEEDED), ask(DEGRADABLE)]);
  return { parts, degradable };
}

async function askEach(
  services: Services,
  questions: Questions,
  troubleOf: OutageLogOf,
): Promise<Record<string, boolean>> {
  const concerning = Object.entries(questions).filter(([, { concerns }]) => concerns(services));
  const answers = concerning.map(async ([name, { ask }]): Promise<[string, boolean]> => {
    try {
      const works = await withinTime(ask(services), ANSWER_MAX_MS);
      troubleOf(name).answered();
      return [name, works];
    } catch (error) {
      troubleOf(name).failed(error);
      return [name, false];
    }
  });
  return Object.fromEntries(await Promise.all(answers));
}
