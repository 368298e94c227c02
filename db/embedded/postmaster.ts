import { spawn } from "node:child_process";
import { open, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Cluster } from "@/db/embedded/cluster";
import { identityFor, lastLines, postgresEnvironment } from "@/db/embedded/command";
import { EmbeddedPostgresError, type EmbeddedLog } from "@/db/embedded/error";
import {
  formatPostmasterOptions,
  readPostmasterPid,
  readPostmasterOptions,
  removeStaleFiles,
} from "@/db/embedded/postmaster-file";
import { probeUntilAnswer } from "@/db/embedded/probe";
import { endPostgresOf, isPostgresOf, signal, waitUntil } from "@/db/embedded/processes";
import type { EmbeddedConnection } from "@/db/embedded/run-file";

const FAST_SHUTDOWN_TIMEOUT_MS = 10_000;
const IMMEDIATE_SHUTDOWN_TIMEOUT_MS = 5_000;
const ADOPTION_PATIENCE_MS = 5_000;
const START_PATIENCE_MS = 30_000;
const ADOPTED_POLL_MS = process.platform === "linux" ? 200 : 1_000;
const OUTPUT_SIZE_MAX = 8 * 1024 * 1024;
const ORPHANS_ATTEMPTS_MAX = 20;
const ORPHANS_RETRY_MS = 500;

/** Parameters of one run of the server. */
export interface Site {
  readonly cluster: Cluster;
  readonly connection: EmbeddedConnection;
  readonly arguments: string[];
  readonly log: EmbeddedLog;
}

/** A running server that has accepted a connection. */
export interface Postmaster {
  readonly pid: number;
  /** Settles with a short text about the cause when the process has ended. */
  readonly ended: Promise<string>;
  /**
   * Stops the server: fast shutdown, after ten seconds an immediate one, and finally SIGKILL. Leaves no process behind.
   */
  stop(): Promise<void>;
}

/**
 * Adopts the server that a killed Waypost process left behind. If there is none that can be adopted, ends its remains
 * and starts a new one. Resolves when the server accepts connections. An abort stops it again and rejects.
 */
export async function launchPostmaster(site: Site, aborted: AbortSignal): Promise<Postmaster> {
  const { cluster, log } = site;
  const left = await runningPostmaster(cluster.path);
  if (left !== null) {
    const adopted = adoptedPostmaster(left, cluster.path);
    if (await isAdoptable(site, left, aborted)) {
      log.info({ pid: left }, "adopted the PostgreSQL that a killed process left running");
      return adopted;
    }
    await adopted.stop();
  }
  for (let attempt = 1; ; attempt++) {
    const orphans = await endPostgresOf(cluster.path);
    if (orphans > 0) log.warn({ orphans }, "ended the remaining processes of a killed PostgreSQL");
    await removeStaleFiles(cluster.path, site.connection.socketDirectory);
    const outcome = await startPostmaster(site, aborted);
    if (typeof outcome !== "string") return outcome;
    // If /proc doesn't show the orphaned backends, they have to notice by themselves.
    const isBlocked = outcome.includes("pre-existing shared memory block");
    if (!isBlocked || attempt === ORPHANS_ATTEMPTS_MAX || aborted.aborted) {
      throw new EmbeddedPostgresError(`PostgreSQL didn't start: ${outcome || "no word of it"}`);
    }
    await delay(ORPHANS_RETRY_MS);
  }
}

async function runningPostmaster(cluster: string): Promise<number | null> {
  const pid = await readPostmasterPid(cluster);
  return typeof pid === "number" && (await isPostgresOf(pid, cluster)) ? pid : null;
}

/**
 * Returns true for a server that runs with exactly the command line that we would use, on this cluster, and accepts our
 * password.
 */
async function isAdoptable(site: Site, pid: number, aborted: AbortSignal): Promise<boolean> {
  const { cluster, connection } = site;
  const wanted = formatPostmasterOptions(cluster.binaries.postgres, site.arguments);
  if ((await readPostmasterOptions(cluster.path)) !== wanted) return false;
  const isOver = async () => aborted.aborted || !(await isPostgresOf(pid, cluster.path));
  const result = await probeUntilAnswer(connection, { patienceMs: ADOPTION_PATIENCE_MS, isOver });
  return result?.kind === "answers" && result.dataDirectory === cluster.path;
}

function adoptedPostmaster(pid: number, cluster: string): Postmaster {
  const isGone = async () => !(await isPostgresOf(pid, cluster));
  const watch = async () => {
    while (!(await isGone())) await delay(ADOPTED_POLL_MS, undefined, { ref: false });
    return "an adopted process is gone";
  };
  return { pid, ended: watch(), stop: () => stopProcess(pid, cluster, isGone) };
}

/** Returns the server. If it ends before it accepts a connection, returns its last output. */
async function startPostmaster(site: Site, aborted: AbortSignal): Promise<Postmaster | string> {
  const { cluster, connection } = site;
  const output = await openOutput(join(cluster.home, "postgres.log"));
  try {
    const child = spawn(cluster.binaries.postgres, site.arguments, {
      ...identityFor(cluster.account),
      cwd: "/",
      env: postgresEnvironment,
      // It has its own process group: a terminal's Ctrl-C is meant for this process, which stops the database last.
      detached: true,
      stdio: ["ignore", output.file.fd, output.file.fd],
    });
    let isGone = false;
    const ended = new Promise<string>((resolve) => {
      const end = (cause: string) => {
        isGone = true;
        resolve(cause);
      };
      child.on("error", (error) => end(error.message));
      child.on("exit", (code, name) => end(name ? `killed by ${name}` : `exit code ${code}`));
    });
    child.unref();
    const { pid } = child;
    if (pid === undefined) return await ended;
    const postmaster = { pid, ended, stop: () => stopProcess(pid, cluster.path, () => isGone) };

    const isOver = () => isGone || aborted.aborted;
    const result = await probeUntilAnswer(connection, { patienceMs: START_PATIENCE_MS, isOver });
    if (result?.kind === "answers") return postmaster;
    if (isGone) return lastLines(await output.readNew());
    await postmaster.stop();
    if (result?.kind === "refuses") return `it refuses us: ${String(result.error)}`;
    return "stopped while it was starting";
  } finally {
    await output.file.close();
  }
}

async function stopProcess(
  pid: number,
  cluster: string,
  isGone: () => boolean | Promise<boolean>,
): Promise<void> {
  const steps = [
    { name: "SIGINT", timeoutMs: FAST_SHUTDOWN_TIMEOUT_MS },
    { name: "SIGQUIT", timeoutMs: IMMEDIATE_SHUTDOWN_TIMEOUT_MS },
    { name: "SIGKILL", timeoutMs: IMMEDIATE_SHUTDOWN_TIMEOUT_MS },
  ] as const;
  for (const { name, timeoutMs } of steps) {
    if ((await isGone()) || !signal(pid, name) || (await waitUntil(isGone, timeoutMs))) break;
  }
  await endPostgresOf(cluster);
}

/**
 * PostgreSQL's output goes to a file instead of this process. PostgreSQL may outlive this process, and must not block
 * or fail because of that.
 */
async function openOutput(path: string) {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > OUTPUT_SIZE_MAX) await rename(path, `${path}.1`);
  const file = await open(path, "a+", 0o600);
  const start = (await file.stat()).size;
  const readNew = async () => {
    const length = Math.min((await file.stat()).size - start, 64 * 1024);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start);
    return buffer.toString("utf8", 0, bytesRead);
  };
  return { file, readNew };
}
