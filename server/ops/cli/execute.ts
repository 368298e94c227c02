import { Command } from "commander";
import type { Closers } from "@/server/lib/closers";
import { readConfig } from "@/server/platform/config";
import { createLogger } from "@/server/platform/log";
import { isDataDirectoryOwned, readRunFile } from "@/db/embedded";
import { attach } from "./attach";
import {
  type Answer,
  type Run,
  type RunOnInstallation,
  type RunUntilStopped,
  type OptionalInstallation,
  CommandError,
} from "./command";
import { addCommands, HELP_OF_ALL } from "./commands";
import { failureOf } from "./failure";
import { openInstallation } from "./open-installation";
import type { Surroundings } from "./reach";

/** Interrupts a command. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** True if the command ends by itself when interrupted. Its resources then stay open until it has ended. */
  isAwaited: boolean;
}

interface Output {
  write(text: string): unknown;
}

/** A command, and everything that it uses of its process. */
export interface Execution {
  readonly appRoot: string;
  /** The arguments after `waypost`. */
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Receives the resources that the command opens, and is closed at its end. */
  readonly closers: Closers;
  readonly interruption: Interruption;
}

const EXIT_INTERRUPTED = 1;

/**
 * Runs one operator's command. The result goes to standard output, with `--json` as JSON and nothing else. All other
 * output goes to standard error.
 * @returns the exit code: 0 for success, 1 for a failure, 2 for a usage error.
 */
export async function execute(execution: Execution): Promise<number> {
  const { argv, env, stderr, closers, interruption } = execution;
  const exit = { code: 0 };
  try {
    await createProgram(execution, exit).parseAsync(argv, { from: "user" });
    return exit.code;
  } catch (error) {
    // Closing the command's resources makes it fail. The person who interrupted it need not see that error.
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

/** Returns the installation on this machine, for a command that doesn't need one. */
function optionalInstallation(surroundings: Surroundings): OptionalInstallation {
  const { config } = surroundings;
  const isOwned = () => isDataDirectoryOwned(config.dataDir);
  return {
    async attach() {
      // Attaching would start a database for this command alone.
      if (config.databaseUrl === null && !(await isOwned())) throw notRunning();
      return attach(surroundings);
    },
    async url() {
      const run = (await isOwned()) ? await readRunFile(config.dataDir) : null;
      return config.publicUrl ?? run?.base_url ?? `http://localhost:${config.port}`;
    },
  };
}

function notRunning(): CommandError {
  return new CommandError(
    "not_running",
    "Waypost isn't running from this checkout. Start it with `npm start`, or give the key of another Waypost with --key and its URL with --url.",
  );
}

function withoutServer(dataDir: string): string {
  return `No server runs on the data directory ${dataDir}, so the command worked on its database alone. If your server uses another one, set WAYPOST_DATA_DIR as the server has it.`;
}
