import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresAccount } from "@/db/embedded/account";
import { identityFor } from "@/db/embedded/command";
import { type ExternalPostgres, POSTGRES_USER } from "./external-postgres";
import { freePort } from "./free-port";
import { until } from "./until";

/** Names a program to use instead of the one on the PATH. */
export const PGBOUNCER_VARIABLE = "PGBOUNCER_PATH";
/** Debian installs it in a directory that is only on root's PATH. */
export const PGBOUNCER_PROGRAMS = ["pgbouncer", "/usr/sbin/pgbouncer"] as const;
const OUTPUT_CHARACTERS_MAX = 200_000;

/** A real PgBouncer in transaction mode, on a loopback port. */
export interface PgBouncer {
  /** A value for DATABASE_URL. */
  readonly url: string;
  /** Its log output. */
  readonly output: () => string;
  close(): Promise<void>;
}

export interface PgBouncerOptions {
  /** Connections to PostgreSQL, for all clients together. */
  readonly poolSize: number;
}

/** Starts a PgBouncer. @throws Error saying what to install if the program is missing. */
export async function startPgBouncer(
  postgres: ExternalPostgres,
  { poolSize }: PgBouncerOptions,
): Promise<PgBouncer> {
  const directory = await mkdtemp(join(await realpath(tmpdir()), "waypost-pgbouncer-"));
  // It refuses to run as root, and its user needs access.
  const account = await postgresAccount(null);
  await chmod(directory, 0o711);
  const port = await freePort();
  const users = join(directory, "users");
  const settings = join(directory, "pgbouncer.ini");
  await writeFile(users, `"${POSTGRES_USER}" "${postgres.password}"\n`, { mode: 0o600 });
  await writeFile(settings, settingsOf({ port, poolSize, users, server: postgres.port }), { mode: 0o600 });
  if (process.getuid?.() === 0)
    for (const file of [users, settings]) await chown(file, account.uid, account.gid);
  const child = await spawnProgram(settings, identityFor(account));
  let output = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-OUTPUT_CHARACTERS_MAX);
  });
  const end = () => void child.kill("SIGKILL");
  process.once("exit", end);
  const isOpen = async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with code ${child.exitCode}:\n${output}`);
    return isListening(port);
  };
  await until("PgBouncer listens", isOpen);
  return {
    url: `postgres://${POSTGRES_USER}:${postgres.password}@127.0.0.1:${port}/waypost`,
    output: () => output,
    async close() {
      process.off("exit", end);
      if (child.exitCode === null && child.signalCode === null) {
        const closed = once(child, "close");
        child.kill("SIGKILL");
        await closed;
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function settingsOf(given: { port: number; poolSize: number; users: string; server: number }): string {
  return `[databases]
waypost = host=127.0.0.1 port=${given.server} dbname=waypost
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${given.port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${given.users}
pool_mode = transaction
default_pool_size = ${given.poolSize}
max_client_conn = 500
`;
}

async function spawnProgram(
  settings: string,
  identity: { uid?: number; gid?: number },
): Promise<ChildProcess> {
  const named = process.env[PGBOUNCER_VARIABLE];
  for (const program of named ? [named] : PGBOUNCER_PROGRAMS) {
    const child = spawn(program, ["-q", settings], {
      ...identity,
      cwd: "/",
      stdio: ["ignore", "ignore", "pipe"],
    });
    const isThere = await new Promise<boolean>((resolve) => {
      child.once("spawn", () => resolve(true));
      child.once("error", () => resolve(false));
    });
    if (isThere) return child;
  }
  throw new Error(
    `No PgBouncer here: install it (Debian: apt-get install pgbouncer), or name one in ${PGBOUNCER_VARIABLE}`,
  );
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ port, host: "127.0.0.1" });
  const answer = new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  });
  return answer.finally(() => socket.destroy());
}
