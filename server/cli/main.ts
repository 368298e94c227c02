import { Command } from "commander";
import { constants } from "node:os";
import { readConfig } from "../config";
import { createLogger } from "../log";
import { attach } from "./attach";
import { createClosers, type Closers } from "../closers";
import type { Answer, Run, RunOnInstallation } from "./command";
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
    await createProgram(options.appRoot, closers).parseAsync(options.argv, { from: "user" });
  } catch (error) {
    // What is closed under the command makes it fail: that is no news to whoever interrupted it.
    if (interruption.aborted) return;
    const { exitCode, text } = failureOf(error);
    process.exitCode = exitCode;
    if (text !== null) process.stderr.write(`${text}\n`);
  } finally {
    await closers.closeAll();
  }
}

function createProgram(appRoot: string, closers: Closers): Command {
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
  addCommands(program, run, runOnInstallation);
  return program;
}

/** Nothing is left running: PostgreSQL, where this command started it, ends first. A later signal ends it at once. */
function closeOnSignal(closers: Closers): AbortSignal {
  const interruption = new AbortController();
  onSignals(["SIGINT", "SIGTERM", "SIGHUP"], (signal) => {
    const end = () => process.exit(128 + constants.signals[signal]);
    if (interruption.signal.aborted) end();
    interruption.abort();
    void closers.closeAll().then(end);
  });
  return interruption.signal;
}
