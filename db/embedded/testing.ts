import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { chmod, mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import type postgres from "postgres";
import type { Account } from "@/db/embedded/account";
import { identityFor } from "@/db/embedded/command";
import type { OwnerEvent, OwnerOrder } from "@/db/embedded/owner.fixture";
import { withConnection } from "@/db/embedded/probe";
import type { EmbeddedConnection } from "@/db/embedded/run-file";

const EVENT_TIMEOUT_MS = 20_000;
const ROOT = process.cwd();

type EventOf<Name extends OwnerEvent["event"]> = Extract<OwnerEvent, { event: Name }>;

/** A real process of ours, to be killed. */
export interface OwnerProcess {
  readonly pid: number;
  readonly events: OwnerEvent[];
  /** The first event of that name that wasn't waited for yet; rejects when the process ends without one. */
  next<Name extends OwnerEvent["event"]>(name: Name): Promise<EventOf<Name>>;
  /** Resolves when the process has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
  readonly ended: Promise<void>;
}

/** A temporary directory that every user can pass. */
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

/** Compiles the program of an owner; only the binaries package is looked up from where it lies. */
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

/** Runs the program. `account` is who runs it, if not we; with `detached` it has a process group of its own. */
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
    const deadlineMs = performance.now() + EVENT_TIMEOUT_MS;
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

/** Runs one statement over a connection of its own. */
export function query<T extends postgres.Row>(connection: EmbeddedConnection, text: string): Promise<T[]> {
  return withConnection(connection, connection.database, async (sql) => [...(await sql.unsafe<T[]>(text))]);
}

/** Commits a word that `recall` finds again. */
export async function remember(connection: EmbeddedConnection): Promise<void> {
  await query(connection, "CREATE TABLE memory AS SELECT 'kept' AS word");
}

export async function recall(connection: EmbeddedConnection): Promise<string[]> {
  return (await query<{ word: string }>(connection, "SELECT word FROM memory")).map(({ word }) => word);
}

/** The process id of a server that runs. */
export function pidOf({ pid }: { pid: number | null }): number {
  if (pid === null) throw new Error("PostgreSQL doesn't run");
  return pid;
}
