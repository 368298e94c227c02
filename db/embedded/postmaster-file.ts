import { rm } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, readFileIfPresent } from "@/db/embedded/files";
import { SOCKET_PORT } from "@/db/embedded/settings";

const PID_LINE = 0;
const STATUS_LINE = 7;

/** What postmaster.pid says. `pid` is null when the file is torn. */
export interface PostmasterFile {
  readonly pid: number | null;
  /** "starting", "stopping", "ready" or "standby"; empty before the first of them is written. */
  readonly status: string;
}

/** Null when there is no postmaster.pid. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | null> {
  const text = await readFileIfPresent(join(cluster, "postmaster.pid"));
  if (text === null) return null;
  const lines = text.split("\n").map((line) => line.trim());
  const pid = Number(lines[PID_LINE]);
  return { pid: Number.isInteger(pid) && pid > 0 ? pid : null, status: lines[STATUS_LINE] ?? "" };
}

/**
 * Removes what a dead postmaster left and a new one would stumble over. Only for a cluster whose processes have all
 * ended. PostgreSQL recognises most stale files itself, but takes a number that was given to another process since for
 * its predecessor, and gives up on a torn file.
 */
export async function removeStaleFiles(cluster: string, socketDirectory: string): Promise<void> {
  const file = await readPostmasterFile(cluster);
  if (file !== null && (file.pid === null || exists(file.pid)))
    await rm(join(cluster, "postmaster.pid"), { force: true });
  const socket = join(socketDirectory, `.s.PGSQL.${SOCKET_PORT}`);
  await Promise.all([socket, `${socket}.lock`].map((path) => rm(path, { force: true })));
}

/** The command line of the last postmaster, as PostgreSQL records it; null when there was none. */
export async function readPostmasterOptions(cluster: string): Promise<string | null> {
  return (await readFileIfPresent(join(cluster, "postmaster.opts")))?.trimEnd() ?? null;
}

/** A command line in the form of `readPostmasterOptions`. */
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
