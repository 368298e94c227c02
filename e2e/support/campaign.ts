import { chmod, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { type Closers, createClosers } from "@/server/lib/closers";
import { waitAtMost } from "@/server/lib/graceful-stop";
import { onSignals } from "@/server/lib/signals";
import { removeDataDirectory } from "./data-directory";
import { endPrograms } from "./program";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** A server promises to stop within 30 s. */
const END_MAX_MS = 35_000;

/**
 * Runs a program that starts servers and PostgreSQL, and leaves none behind, neither at its end nor when a signal
 * interrupts it at any point. All its files are below its own temporary directory.
 * @param run gets closers, for resources of this process.
 * @returns the exit code of `run`; a signal ends the process with 128 plus its number.
 */
export async function runCampaign(run: (closers: Closers) => Promise<number>): Promise<number> {
  const home = await mkdtemp(join(await realpath(tmpdir()), "wp-"));
  // As root, PostgreSQL runs as a different user, who needs access.
  await chmod(home, 0o711);
  process.env.TMPDIR = home;
  const closers = createClosers();
  let ending: Promise<void> | undefined;
  const end = () => (ending ??= endAll(home, closers));
  onSignals(SIGNALS, (signal) => {
    if (ending === undefined) process.stderr.write("Ending what was started …\n");
    // The interrupted work now fails in many places.
    for (const event of ["unhandledRejection", "uncaughtException"]) process.on(event, () => undefined);
    void end().finally(() => process.exit(128 + constants.signals[signal]));
  });
  try {
    return await run(closers);
  } finally {
    await end();
  }
}

async function endAll(home: string, closers: Closers): Promise<void> {
  await Promise.allSettled([waitAtMost(END_MAX_MS, closers.closeAll()), endPrograms(END_MAX_MS)]);
  // A killed server leaves its PostgreSQL running.
  for (const entry of await readdir(home))
    await removeDataDirectory(join(home, entry)).catch(() => undefined);
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
}
