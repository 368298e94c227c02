import { execFile } from "node:child_process";
import { readdir, readlink, stat } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { errorCode } from "@/db/embedded/files";

const POLL_MS = 20;
const KILL_TIMEOUT_MS = 5_000;
const PS_TIMEOUT_MS = 5_000;

/**
 * Returns true if the process is a postgres (postmaster or backend) of this cluster. The number in an old
 * postmaster.pid may belong to another program now, so no process is signalled or waited for without this check. Linux:
 * executable name and working directory from /proc. Other systems: the command line, which names the cluster for a
 * postmaster only.
 */
export async function isPostgresOf(pid: number, cluster: string): Promise<boolean> {
  return process.platform === "linux"
    ? hasPostgresImageIn(pid, await identityOf(cluster))
    : hasPostmasterCommand(pid, cluster);
}

/** Returns all processes of this cluster. Empty if there is no /proc. */
export async function postgresProcessesOf(cluster: string): Promise<number[]> {
  if (process.platform !== "linux") return [];
  const identity = await identityOf(cluster);
  const pids = (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const ours = await Promise.all(pids.map((pid) => hasPostgresImageIn(pid, identity)));
  return pids.filter((_, index) => ours[index]);
}

/** Sends a signal. Returns false if the process is already gone. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (errorCode(error) === "ESRCH") return false;
    throw error;
  }
}

/** Polls until the condition is true (returns true) or the time is up (returns false). */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
): Promise<boolean> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) return false;
    await delay(POLL_MS);
  }
  return true;
}

/**
 * Ends all remaining processes of this cluster, postmaster or orphaned backends, without a clean shutdown: PostgreSQL
 * recovers from its log. Returns their number. Throws if one survives SIGKILL.
 */
export async function endPostgresOf(cluster: string): Promise<number> {
  const pids = await postgresProcessesOf(cluster);
  if (pids.length === 0) return 0;
  for (const pid of pids) signal(pid, "SIGKILL");
  const gone = await waitUntil(
    async () => (await postgresProcessesOf(cluster)).length === 0,
    KILL_TIMEOUT_MS,
  );
  if (!gone) throw new Error(`Processes of ${cluster} survive SIGKILL: ${pids.join(", ")}`);
  return pids.length;
}

async function identityOf(path: string): Promise<string | null> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    // ENOENT: the process has ended. EACCES: another user's process, so not ours.
    const code = errorCode(error);
    if (code === "ENOENT" || code === "EACCES" || code === "ESRCH") return null;
    throw error;
  }
}

async function hasPostgresImageIn(pid: number, cluster: string | null): Promise<boolean> {
  if (cluster === null || (await identityOf(`/proc/${pid}/cwd`)) !== cluster) return false;
  try {
    // If an installation has replaced the executable in the meantime, the link is "/…/postgres (deleted)".
    return basename(await readlink(`/proc/${pid}/exe`)).split(" ")[0] === "postgres";
  } catch {
    return false;
  }
}

async function hasPostmasterCommand(pid: number, cluster: string): Promise<boolean> {
  try {
    const options = { timeout: PS_TIMEOUT_MS, maxBuffer: 1024 * 1024 };
    const { stdout } = await promisify(execFile)("ps", ["-ww", "-o", "command=", "-p", String(pid)], options);
    return stdout.includes("postgres") && stdout.includes(`-D ${cluster} `);
  } catch {
    return false;
  }
}
