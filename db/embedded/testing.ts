import { execFile, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { build } from "esbuild";
import type postgres from "postgres";
import { type Account, postgresAccount } from "@/db/embedded/account";
import { prepareCluster } from "@/db/embedded/cluster";
import { identityFor } from "@/db/embedded/command";
import type { OwnerEvent, OwnerOrder } from "@/db/embedded/owner.fixture";
import { withConnection } from "@/db/embedded/probe";
import { endPostgresOf, postgresProcessesOf } from "@/db/embedded/processes";
import type { EmbeddedConnection } from "@/db/embedded/run-file";
import { limitMs } from "@/e2e/support/machine-speed";

const ROOT = process.cwd();

type EventOf<Name extends OwnerEvent["event"]> = Extract<OwnerEvent, { event: Name }>;

/** A real Waypost process, to be killed. */
export interface OwnerProcess {
  readonly pid: number;
  readonly events: OwnerEvent[];
  /** The first event of that name that wasn't awaited yet. Rejects if the process ends without one. */
  next<Name extends OwnerEvent["event"]>(name: Name): Promise<EventOf<Name>>;
  /** Resolves when the process has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
  readonly ended: Promise<void>;
}

/** Creates a temporary directory that every user can traverse. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(await realpath(tmpdir()), "waypost-embedded-"));
  await chmod(directory, 0o711);
  return directory;
}

/** Compiles the program of an owner into a directory whose node_modules is the repository's own. */
export async function buildOwnerProgram(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(directory, "node_modules"));
  return compileOwnerProgram(directory);
}

/** Compiles the program of an owner. Only the binaries package is resolved from its own location. */
export async function compileOwnerProgram(directory: string): Promise<string> {
  const outfile = join(directory, "owner.mjs");
  await build({
    entryPoints: [join(ROOT, "db/embedded/owner.fixture.ts")],
    alias: { "@": ROOT },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  return outfile;
}

/**
 * Runs the program. `account` is its user, if it isn't this process's. With `detached` it has its own process group.
 */
export function startOwner(
  program: string,
  order: OwnerOrder,
  { account, detached = false }: { account?: Account; detached?: boolean } = {},
): OwnerProcess {
  const child = spawn(process.execPath, [program, JSON.stringify(order)], {
    ...(account ? identityFor(account) : {}),
    cwd: "/",
    detached,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const events: OwnerEvent[] = [];
  const unread: OwnerEvent[] = [];
  const news = new EventEmitter();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const event = JSON.parse(line) as OwnerEvent;
    events.push(event);
    unread.push(event);
    news.emit("news");
  });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  let isEnded = false;
  void ended.then(() => {
    isEnded = true;
    news.emit("news");
  });

  const next = async <Name extends OwnerEvent["event"]>(name: Name): Promise<EventOf<Name>> => {
    const isWanted = (event: OwnerEvent): event is EventOf<Name> => event.event === name;
    const deadlineMs = performance.now() + limitMs(60_000);
    for (;;) {
      const found = unread.find(isWanted);
      if (found) {
        unread.splice(unread.indexOf(found), 1);
        return found;
      }
      const leftMs = deadlineMs - performance.now();
      if (isEnded || leftMs <= 0) {
        throw new Error(`No "${name}" ${isEnded ? "before the end" : "in time"}: ${JSON.stringify(events)}`);
      }
      await once(news, "news", { signal: AbortSignal.timeout(Math.ceil(leftMs)) }).catch(() => undefined);
    }
  };
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  return { pid: child.pid ?? 0, events, next, kill, ended };
}

export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
}

/** Runs one statement on its own connection. */
export function query<T extends postgres.Row>(connection: EmbeddedConnection, text: string): Promise<T[]> {
  return withConnection(connection, connection.database, async (sql) => [...(await sql.unsafe<T[]>(text))]);
}

/** Commits a word that `recall` finds. */
export async function remember(connection: EmbeddedConnection): Promise<void> {
  await query(connection, "CREATE TABLE memory AS SELECT 'kept' AS word");
}

export async function recall(connection: EmbeddedConnection): Promise<string[]> {
  return (await query<{ word: string }>(connection, "SELECT word FROM memory")).map(({ word }) => word);
}

/** The process id of a running server. */
export function pidOf({ pid }: { pid: number | null }): number {
  if (pid === null) throw new Error("PostgreSQL doesn't run");
  return pid;
}

export const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

type OwnerOptions = Parameters<typeof startOwner>[2] & { settings?: Record<string, string> };

/** Processes that run PostgreSQL on a data directory. Each test has its own directory. */
export interface OwnersWorld {
  /** The directory of the current test. */
  dataDir(): string;
  /** Begins a test with an empty data directory. */
  beginEmpty(): Promise<void>;
  /** Begins a test with a data directory whose cluster was initialized and never started. */
  beginInitialized(): Promise<void>;
  /** Starts a process. */
  spawn(options?: OwnerOptions): OwnerProcess;
  /** Starts a process, and waits until its PostgreSQL is running. */
  run(options?: OwnerOptions): Promise<{ owner: OwnerProcess; running: EventOf<"running"> }>;
  /** The processes of PostgreSQL. */
  processes(): Promise<readonly number[]>;
  /** Ends everything that the test has started. */
  end(): Promise<void>;
  close(): Promise<void>;
}

/** initdb takes longer than the rest of these tests. It runs once, and tests get a copy. */
export async function openOwners(): Promise<OwnersWorld> {
  const home = await temporaryDirectory();
  const program = await buildOwnerProgram(join(home, "app"));
  const owners: OwnerProcess[] = [];
  let count = 0;
  let dataDir = "";
  let initialized: Promise<string> | undefined;
  const begin = async (): Promise<void> => {
    dataDir = await passableDirectory(join(home, `data-${count++}`));
  };
  const spawnOwner = ({ settings, ...rest }: OwnerOptions = {}) => {
    const owner = startOwner(program, { dataDir, kind: "server", runs: true, settings }, rest);
    owners.push(owner);
    return owner;
  };
  return {
    dataDir: () => dataDir,
    beginEmpty: begin,
    async beginInitialized() {
      const original = await (initialized ??= initialize(join(home, "initialized")));
      await begin();
      // Node's own copy would make this process's user the owner of the files, not PostgreSQL's user.
      await promisify(execFile)("cp", ["-Rp", `${original}/.`, dataDir]);
    },
    spawn: spawnOwner,
    async run(options) {
      const owner = spawnOwner(options);
      return { owner, running: await owner.next("running") };
    },
    processes: () => postgresProcessesOf(join(dataDir, "postgres")),
    async end() {
      for (const owner of owners.splice(0)) await owner.kill("SIGTERM");
      await endPostgresOf(join(dataDir, "postgres"));
    },
    close: () => removeDirectory(home),
  };
}

/** Leaves a `postmaster.pid` with that text in a stopped database, and remembers a word. */
export async function leavePostmasterFile(owners: OwnersWorld, text: string): Promise<void> {
  const { owner, running } = await owners.run();
  await remember(running.connection);
  await owner.kill("SIGTERM");
  const cluster = join(owners.dataDir(), "postgres");
  const path = join(cluster, "postmaster.pid");
  await writeFile(path, text);
  const { uid, gid } = await postgresAccount(cluster);
  await chown(path, uid, gid);
}

async function initialize(directory: string): Promise<string> {
  await prepareCluster(await passableDirectory(directory), silentLog);
  return directory;
}

/** As root, PostgreSQL runs as a user who must be able to access the directory. */
async function passableDirectory(directory: string): Promise<string> {
  await mkdir(directory);
  await chmod(directory, 0o711);
  return directory;
}
