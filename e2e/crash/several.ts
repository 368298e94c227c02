import { startProxy } from "@/e2e/support/proxy";
import { type InngestServer, openInngestServer } from "@/e2e/inngest/server";
import { type Farm, openFarm } from "@/e2e/support/farm";
import type { Environment } from "@/e2e/support/program";
import { type RedisServer, startRedis } from "@/e2e/support/redis-server";
import { type Closers, createClosers } from "@/server/lib/closers";
import { startSending } from "./clients";
import { play, type PlayOptions, type RoundsReport } from "./play";
import { startReceiver, faultsFor } from "./receiver";
import { type KilledRound, lastAccepted, prepare, type Stage, untilInFlight } from "./round";
import { shortenSchedule } from "./schedule";
import { openShop } from "./shop";

const ROLES = ["api", "api", "jobs", "jobs"] as const;
/** Positions in `ROLES` of the processes that an Inngest server calls. */
const JOBS_PLACES = [2, 3] as const;

interface Party {
  /** Positions in `ROLES` of the processes that get `kill -9`, and are restarted immediately. */
  readonly places: readonly number[];
  /** Engines that get it at the same moment. */
  readonly engines: readonly ("PostgreSQL" | "Redis" | "Inngest")[];
}

/** The victims of a round, in the order in which rounds take turns. */
const PARTIES = {
  "first of two jobs": { places: [2], engines: [] },
  "first of two api": { places: [0], engines: [] },
  PostgreSQL: { places: [], engines: ["PostgreSQL"] },
  "second of two jobs": { places: [3], engines: [] },
  Redis: { places: [], engines: ["Redis"] },
  "second of two api": { places: [1], engines: [] },
  "all four": { places: [0, 1, 2, 3], engines: [] },
  "Inngest server": { places: [], engines: ["Inngest"] },
  "all four, PostgreSQL and Redis": { places: [0, 1, 2, 3], engines: ["PostgreSQL", "Redis"] },
} as const satisfies Readonly<Record<string, Party>>;

export type PartyName = keyof typeof PARTIES;

/** The keys of the table, which nothing extends, hence the cast. */
const PARTY_NAMES = Object.keys(PARTIES) as readonly PartyName[];

/** One round: which processes are killed, and when. */
export interface SeveralPlan {
  readonly kind: PartyName;
  readonly ordinaryCustomers: number;
  readonly acceptedPart: number;
  readonly isUpstreamFrozen: boolean;
}

const ORDINARY_CUSTOMERS = 100;
const ACCEPTED_PARTS = [0.1, 0.3, 0.5, 0.7, 0.9] as const;

/**
 * Plans that many rounds: all parties in turn, each with and without a frozen upstream, killed sooner and later.
 * @param hasInngest whether an Inngest server is among them.
 */
export function planSeveral(count: number, hasInngest: boolean): SeveralPlan[] {
  const names = PARTY_NAMES.filter((name) => hasInngest || name !== "Inngest server");
  return Array.from({ length: count }, (_, index) => ({
    kind: names[index % names.length] ?? "PostgreSQL",
    ordinaryCustomers: ORDINARY_CUSTOMERS,
    acceptedPart: ACCEPTED_PARTS[index % ACCEPTED_PARTS.length] ?? 0,
    // The second time around, each gets the other variant.
    isUpstreamFrozen: ((index % names.length) + Math.floor(index / names.length)) % 2 === 0,
  }));
}

interface SeveralScene extends Stage {
  readonly farm: Farm;
  readonly redis: RedisServer;
  /** Null if the processes run the functions themselves. */
  readonly inngest: InngestServer | null;
}

/** A doubt is given up after a minute, so that the test sees its end. */
const UNCONFIRMED_AFTER_SECONDS = "60";

export interface SeveralOptions extends PlayOptions<SeveralPlan> {
  /** The program of an Inngest server that runs the jobs; if absent, the processes do. */
  readonly inngestBinary?: string | undefined;
}

/**
 * Plays rounds over two processes that accept requests and two that run jobs, with their own PostgreSQL, Redis and
 * optionally Inngest server, each killed in turn and restarted.
 */
export async function runSeveral(options: SeveralOptions): Promise<RoundsReport> {
  const closers = createClosers();
  try {
    const scene = await openScene(closers, options);
    const played = await play(scene, options, (plan, number) => killParty(scene, plan, number));
    const output = ROLES.map((_, place) => scene.farm.process(place).output()).join("\n");
    return { ...played, output };
  } finally {
    await closers.closeAll();
  }
}

async function openScene(closers: Closers, options: SeveralOptions): Promise<SeveralScene> {
  const { inngestBinary } = options;
  const redis = await closers.open(startRedis, (running) => running.close());
  const jobsUrls: string[] = [];
  const jobs = inngestBinary === undefined ? NO_INNGEST : await openInngest(closers, inngestBinary, jobsUrls);
  const receiver = await closers.open(
    () => startReceiver(faultsFor(options)),
    (running) => running.close(),
  );
  const env = {
    REDIS_URL: redis.url,
    ALLOWED_PRIVATE_HOSTS: receiver.host,
    WAYPOST_UNCONFIRMED_AFTER_SECONDS: UNCONFIRMED_AFTER_SECONDS,
    ...jobs.env,
  };
  const farm = await closers.open(
    () => openFarm({ roles: ROLES, env }),
    (running) => running.close(),
  );
  await shortenSchedule(farm.sql);
  jobsUrls.push(...JOBS_PLACES.map((place) => farm.process(place).baseUrl));
  return {
    farm,
    redis,
    inngest: jobs.inngest,
    processes: { sql: farm.sql, server: () => farm.process(0) },
    simulator: farm.simulator,
    receiver,
    shop: await openShop(farm.process(0), receiver),
  };
}

interface SeveralInngest {
  readonly inngest: InngestServer | null;
  readonly env: Environment;
}

const NO_INNGEST: SeveralInngest = { inngest: null, env: {} };

/** @param jobsUrls the URLs that it calls, through one address; filled once the processes exist. */
async function openInngest(
  closers: Closers,
  binary: string,
  jobsUrls: readonly string[],
): Promise<SeveralInngest> {
  const inngest = await closers.open(
    () => openInngestServer({ NODE_ENV: "test", INNGEST_BIN: binary }),
    (running) => running.stop(),
  );
  const calls = await closers.open(
    () => startProxy({ targets: () => jobsUrls }),
    (running) => running.close(),
  );
  const env = {
    INNGEST_BASE_URL: inngest.url,
    INNGEST_EVENT_KEY: inngest.eventKey,
    INNGEST_SIGNING_KEY: inngest.signingKey,
    INNGEST_SERVE_ORIGIN: calls.url,
  };
  return { inngest, env };
}

/** Sends to both, kills during that, restarts, and resolves when all messages are accepted. */
async function killParty(scene: SeveralScene, plan: SeveralPlan, number: number): Promise<KilledRound> {
  const { farm, shop, simulator, receiver } = scene;
  const { places }: Party = PARTIES[plan.kind];
  const messages = await prepare(scene, { ...plan, pausedBy: null }, number);
  const after = await lastAccepted(scene);
  const sending = startSending({
    baseUrls: [farm.process(0).baseUrl, farm.process(1).baseUrl],
    secret: shop.secret,
    messages: messages.map(({ message }) => message),
  });
  await untilInFlight(scene, plan, { sending, count: messages.length, after });
  await kill(scene, PARTIES[plan.kind]);
  simulator.resume();
  receiver.letGo();
  await startAgain(scene, PARTIES[plan.kind]);
  const restartedAtMs = performance.now();
  await sending.done;
  return {
    number,
    plan: { ...plan, pausedBy: null },
    planned: new Map(messages.map((one) => [one.message.client_message_id, one])),
    sending,
    killedProcesses: places.length,
    restartedAtMs,
  };
}

async function kill({ farm, redis, inngest }: SeveralScene, { places, engines }: Party): Promise<void> {
  await Promise.all([
    ...places.map((place) => farm.process(place).kill9()),
    ...(engines.includes("PostgreSQL") ? [farm.postgres.stop("killed")] : []),
    ...(engines.includes("Redis") ? [redis.kill()] : []),
    ...(engines.includes("Inngest") ? [inngest?.kill9?.()] : []),
  ]);
}

/** Engines first: a process doesn't start without its database. */
async function startAgain({ farm, redis, inngest }: SeveralScene, { places, engines }: Party): Promise<void> {
  if (engines.includes("PostgreSQL")) await farm.postgres.start();
  if (engines.includes("Redis")) await redis.start();
  if (engines.includes("Inngest")) await inngest?.start();
  await Promise.all(places.map((place) => farm.restart(place)));
}
