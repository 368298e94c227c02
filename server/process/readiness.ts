import { countMigrations } from "@/db/client";
import type { Services } from "../context";
import { type Readiness } from "../http/health";
import { servedBy } from "../http/served-by";
import { LIMIT_MAX } from "../limits/policies";
import { withinTime } from "../time-limit";
import { areJobsRun, doesServerRun } from "./jobs-seen";

/** For one part; all are asked at once. */
const ANSWER_MAX_MS = 1_000;
/** However often it is asked, the database is not asked more often. */
const FRESH_MS = 1_000;
/** Nobody's: no key has it. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

interface Question {
  /** Whether the answer matters to this process. */
  readonly concerns: (services: Services) => boolean;
  /** False, or a failure, or no answer in time: the part doesn't work. */
  readonly ask: (services: Services) => Promise<boolean>;
}

const always = () => true;
const takesRequests = ({ config }: Services) => servedBy(config.role, "/api/public/");

/** Without these requests here are answered with 503, or not at all. */
const NEEDED = {
  database: { concerns: always, ask: async ({ sql }) => (await sql`select 1`).length === 1 },
} as const satisfies Record<string, Question>;

/**
 * Without these most requests are still answered as they should be, and would be no better answered by another process:
 * were it unready, all would be, and nothing answered at all. A schema that is newer than the program is that of the
 * next version's first process, while the old ones are replaced one by one.
 */
const DEGRADABLE = {
  migrations: {
    concerns: always,
    ask: async ({ sql, config }) => (await countMigrations(sql, config.appRoot)).newer === 0,
  },
  limiter: { concerns: takesRequests, ask: isLimiting },
  uploads: { concerns: takesRequests, ask: ({ uploads }) => uploads.isWritable() },
  jobs: { concerns: always, ask: areJobsRun },
  inngest: { concerns: ({ config }) => config.inngest !== null, ask: doesServerRun },
} as const satisfies Record<string, Question>;

async function isLimiting({ limits }: Services): Promise<boolean> {
  const ticket = await limits.take(NOBODY, "read", LIMIT_MAX);
  if (ticket.kind === "granted") ticket.giveBack();
  return ticket.kind === "granted";
}

/**
 * Whether this process can serve, part by part. Answers within about a second whatever hangs, and what it learnt is
 * good for a second more; that the process is going is said at once.
 */
export function createReadiness(services: Services): () => Promise<Readiness> {
  let asked: { readonly answer: Promise<Readiness>; readonly atMs: number } | null = null;
  return async () => {
    if (asked === null || performance.now() - asked.atMs > FRESH_MS) {
      asked = { answer: askAll(services), atMs: performance.now() };
    }
    const { parts, degradable } = await asked.answer;
    return { parts: { ...parts, accepting: !services.isLeaving() }, degradable };
  };
}

async function askAll(services: Services): Promise<Readiness> {
  const [parts, degradable] = await Promise.all([askEach(services, NEEDED), askEach(services, DEGRADABLE)]);
  return { parts, degradable };
}

async function askEach(
  services: Services,
  questions: Readonly<Record<string, Question>>,
): Promise<Record<string, boolean>> {
  const concerning = Object.entries(questions).filter(([, { concerns }]) => concerns(services));
  const answers = concerning.map(async ([name, { ask }]): Promise<[string, boolean]> => {
    return [name, await withinTime(ask(services), ANSWER_MAX_MS).catch(() => false)];
  });
  return Object.fromEntries(await Promise.all(answers));
}
