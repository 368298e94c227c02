import { constants } from "node:os";
import { createClosers, type Closers } from "@/server/lib/closers";
import { onSignals } from "@/server/lib/signals";
import { execute, type Interruption } from "./execute";

/** Runs one operator's command as a process: `argv` are the arguments after `waypost`. Sets the process's exit code. */
export async function main({ appRoot, argv }: { appRoot: string; argv: string[] }): Promise<void> {
  const { env, stdout, stderr } = process;
  const closers = createClosers();
  const interruption = closeOnSignal(closers);
  process.exitCode = await execute({ appRoot, argv, env, stdout, stderr, closers, interruption });
}

/**
 * Closes everything on a signal. If this command started PostgreSQL, it is stopped before the process ends. A second
 * signal ends the process immediately.
 */
function closeOnSignal(closers: Closers): Interruption {
  const controller = new AbortController();
  const interruption: Interruption = { signal: controller.signal, isAwaited: false };
  onSignals(["SIGINT", "SIGTERM", "SIGHUP"], (signal) => {
    const end = () => process.exit(128 + constants.signals[signal]);
    if (controller.signal.aborted) end();
    controller.abort();
    if (!interruption.isAwaited) void closers.closeAll().then(end);
  });
  return interruption;
}
