import { rm } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, readFileIfPresent } from "@/db/embedded/files";
import { SOCKET_PORT } from "@/db/embedded/settings";

/** Returns the process id in postmaster.pid. Null if the file doesn't exist, "torn" if it contains none. */
export async function readPostmasterPid(cluster: string): Promise<number | "torn" | null> {
  const text = await readFileIfPresent(join(cluster, "postmaster.pid"));
  if (text === null) return null;
  const pid = Number(text.split("\n")[0]?.trim());
  return Number.isInteger(pid) && pid > 0 ? pid : "torn";
}

/**
 * Removes files of a dead postmaster that would stop a new one. Only for a cluster whose processes have all ended.
 * PostgreSQL recognises most stale files itself, but it mistakes another process with the same number for its
 * predecessor, and fails on a torn file.
 */
export async function removeStaleFiles(cluster: string, socketDirectory: string): Promise<void> {
  const pid = await readPostmasterPid(cluster);
  if (pid === "torn" || (pid !== null && exists(pid)))
    await rm(join(cluster, "postmaster.pid"), { force: true });
  const socket = join(socketDirectory, `.s.PGSQL.${SOCKET_PORT}`);
  await Promise.all([socket, `${socket}.lock`].map((path) => rm(path, { force: true })));
}

/** Returns the command line of the last postmaster, as PostgreSQL records it. Null if there was none. */
export async function readPostmasterOptions(cluster: string): Promise<string | null> {
  return (await readFileIfPresent(join(cluster, "postmaster.opts")))?.trimEnd() ?? null;
}

/** Formats a command line like the result of `readPostmasterOptions`. */
export function formatPostmasterOptions(program: string, args: string[]): string {
  return [program, ...args.map((arg) => `"${arg}"`)].join(" ");
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}
