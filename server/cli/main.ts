import { Command } from "commander";
import { constants } from "node:os";
import { readConfig } from "../config";
import { createLogger } from "../log";
import { attach } from "./attach";
import { beside } from "./beside";
import { createClosers, type Closers } from "../closers";
import type { Answer, Run, RunOnInstallation, RunUntilStopped } from "./command";
import { addCommands, HELP_OF_ALL } from "./commands";
import { failureOf } from "./failure";
import { openInstallation } from "./open-installation";
import { onSignals } from "../signals";
import type { Surroundings } from "./reach";

/**
 * Runs one operator's command: `argv` is what follows `waypost`. The answer goes to standard output, with `--json` as
 * JSON and nothing else; all the rest goes to standard error. Sets the process's exit code: 0, 1 when the command
 * failed, 2 when it was called wrongly.
 */
export async function main(options: { appRoot: string; distDir: string; argv: string[] }): Promise<void> {
  const closers = createClosers();
  const interruption = closeOnSignal(closers);
  try {
    const program = createProgram(options.appRoot, closers, interruption);
    await program.parseAsync(options.argv, { from: "user" });
  } catch (error) {
    // What is closed under the command makes it fail: that is no news to whoever interrupted it.
    if (interruption.signal.aborted && !interruption.isAwaited) return;
    const { exitCode, text } = failureOf(error);
    process.exitCode = exitCode;
    if (text !== null) process.stderr.write(`${text}\n`);
  } finally {
    await closers.closeAll();
  }
}

function createProgram(appRoot: string, closers: Closers, interruption: Interruption): Command {
  const program = new Command("waypost")
    .description("Waypost's commands for operators")
    .configureHelp(HELP_OF_ALL)
    .exitOverride()
    .showHelpAfterError();
  const answerBy = async (work: (surroundings: Surroundings) => Promise<Answer>, json?: boolean) => {
    const config = readConfig(process.env, appRoot);
    const log = createLogger({ level: process.env.LOG_LEVEL ? config.logLevel : "warn" });
    const answer = await work({ config, log, closers });
    process.stdout.write(`${json ? JSON.stringify(answer.json) : answer.text}\n`);
    process.exitCode = answer.exitCode ?? 0;
  };
  const run: Run = (work, { json }) => answerBy(async (all) => work(await attach(all)), json);
  const runOnInstallation: RunOnInstallation = (work, { json }) =>
    answerBy(async (all) => work(await openInstallation(all)), json);
  const runUntilStopped: RunUntilStopped = (work, { json }) => {
    interruption.isAwaited = true;
    const print = (line: string) => void process.stdout.write(`${line}\n`);
    const warn = (line: string) => void process.stderr.write(`waypost: ${line}\n`);
    return answerBy((all) => work({ beside: beside(all), stopping: interruption.signal, print, warn }), json);
  };
  addCommands(program, run, runOnInstallation, runUntilStopped);
  return program;
}

interface Interruption {
  readonly signal: AbortSignal;
  /** The command itself ends by it, and nothing is closed under it. */
  isAwaited: boolean;
}

/** Nothing is left running: PostgreSQL, where this command started it, ends first. A later signal ends it at once. */
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
