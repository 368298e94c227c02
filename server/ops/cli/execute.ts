import { Command } from "commander";
import type { Closers } from "@/server/lib/closers";
import { readConfig } from "@/server/platform/config";
import { createLogger } from "@/server/platform/log";
import { attach } from "./attach";
import { optionalInstallation } from "./optional-installation";
import type { Answer, Run, RunOnInstallation, RunUntilStopped } from "./command";
import { addCommands, HELP_OF_ALL } from "./commands";
import { failureOf } from "./failure";
import { openInstallation } from "./open-installation";
import type { Surroundings } from "./reach";

/** How a command is ended early. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** The command itself ends by it, and nothing is closed under it. */
  isAwaited: boolean;
}

interface Output {
  write(text: string): unknown;
}

/** A command, and all that it has of the process which runs it. */
export interface Execution {
  readonly appRoot: string;
  /** What follows `waypost`. */
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Gets what the command opens, and is closed at its end. */
  readonly closers: Closers;
  readonly interruption: Interruption;
}

const EXIT_INTERRUPTED = 1;

/**
 * Runs one operator's command. The answer goes to standard output, with `--json` as JSON and nothing else; all the rest
 * goes to standard error.
 * @returns the exit code: 0, 1 when the command failed, 2 when it was called wrongly.
 */
export async function execute(execution: Execution): Promise<number> {
  const { argv, env, stderr, closers, interruption } = execution;
  const exit = { code: 0 };
  try {
    await createProgram(execution, exit).parseAsync(argv, { from: "user" });
    return exit.code;
  } catch (error) {
    // What is closed under the command makes it fail: that is no news to whoever interrupted it.
    if (interruption.signal.aborted && !interruption.isAwaited) return EXIT_INTERRUPTED;
    const { exitCode, text } = failureOf(error, env);
    if (text !== null) stderr.write(`${text}\n`);
    return exitCode;
  } finally {
    await closers.closeAll();
  }
}

function createProgram(execution: Execution, exit: { code: number }): Command {
  const { appRoot, env, stdout, stderr, closers, interruption } = execution;
  const program = new Command("waypost")
    .description("Waypost's commands for operators")
    .configureHelp(HELP_OF_ALL)
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
    })
    .exitOverride()
    .showHelpAfterError();
  const answerBy = async (work: (surroundings: Surroundings) => Promise<Answer>, json?: boolean) => {
    const config = readConfig(env, appRoot);
    const log = createLogger({ level: env.LOG_LEVEL ? config.logLevel : "warn", destination: stderr });
    const answer = await work({ config, log, closers });
    stdout.write(`${json ? JSON.stringify(answer.json) : answer.text}\n`);
    exit.code = answer.exitCode ?? 0;
  };
  const warn = (line: string) => void stderr.write(`waypost: ${line}\n`);
  const run: Run = (work, { json }) =>
    answerBy(async (all) => {
      const attachment = await attach(all);
      const answer = await work(attachment);
      if (attachment.isWithoutServer) warn(withoutServer(all.config.dataDir));
      return answer;
    }, json);
  const runOnInstallation: RunOnInstallation = (work, { json }) =>
    answerBy(async (all) => work(await openInstallation(all)), json);
  const runUntilStopped: RunUntilStopped = (work, { json }) => {
    interruption.isAwaited = true;
    const print = (line: string) => void stdout.write(`${line}\n`);
    return answerBy(
      (all) =>
        work({ optionalInstallation: optionalInstallation(all), stopping: interruption.signal, print, warn }),
      json,
    );
  };
  addCommands(program, run, runOnInstallation, runUntilStopped);
  return program;
}

function withoutServer(dataDir: string): string {
  return `No server runs on the data directory ${dataDir}, so the command worked on its database alone. If your server uses another one, set WAYPOST_DATA_DIR as the server has it.`;
}
