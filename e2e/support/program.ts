import { spawn } from "node:child_process";
import { resolve } from "node:path";

/** Also correct in a bundle, which is as deep in the repository as this file. */
export const REPOSITORY = resolve(import.meta.dirname, "../..");
const OUTPUT_CHARACTERS_MAX = 2_000_000;

/** Variables of the test's environment that must not affect the program. */
const FOREIGN_VARIABLE =
  /^(WAYPOST|INNGEST|VITEST|UPSTASH|S3)_|^(DATABASE_URL|REDIS_URL|PORT|HOST|NODE_ENV|LOG_LEVEL)$/;

export type Environment = Readonly<Record<string, string>>;

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process of `node server/start.mjs …`. */
export interface Program {
  readonly pid: number;
  readonly ended: Promise<Ending>;
  readonly isRunning: () => boolean;
  /** All output so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  kill(signal: NodeJS.Signals): void;
}

const running = new Set<Program>();
// A worker that ends before its tests leaves no server behind.
process.once("exit", () => {
  for (const program of running) program.kill("SIGTERM");
});

let isEnding = false;

/**
 * Stops all programs gracefully, including suspended ones (SIGSTOP), and kills the rest after the timeout. No program
 * can be started afterwards.
 */
export async function endPrograms(timeoutMs: number): Promise<void> {
  isEnding = true;
  const ending = [...running].map(async (program) => {
    program.kill("SIGTERM");
    program.kill("SIGCONT");
    const timer = setTimeout(() => program.kill("SIGKILL"), timeoutMs);
    await program.ended.catch(() => undefined);
    clearTimeout(timer);
  });
  await Promise.all(ending);
}

/** Starts the real program, with no configuration except `env`. */
export function startProgram(
  args: readonly string[],
  env: Environment,
  options: ProgramOptions = {},
): Program {
  if (isEnding) throw new Error("No program is started while this process ends");
  const [executable = "", ...rest] = withLimits([process.execPath, "server/start.mjs", ...args], options);
  const child = spawn(executable, rest, {
    cwd: REPOSITORY,
    env: { ...ownEnvironment(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] = (output[name] + text).slice(-OUTPUT_CHARACTERS_MAX);
    });
  }
  let isRunning = true;
  const ended = new Promise<Ending>((done, fail) => {
    child.once("error", fail);
    child.once("close", (code, signal) => {
      isRunning = false;
      running.delete(program);
      done({ code, signal });
    });
  });
  const program: Program = {
    pid: child.pid ?? 0,
    ended,
    isRunning: () => isRunning,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    kill: (signal) => void child.kill(signal),
  };
  running.add(program);
  return program;
}

export interface ProgramOptions {
  /** The limit of `ulimit -n`. */
  readonly openFilesMax?: number;
}

function withLimits(command: readonly string[], { openFilesMax }: ProgramOptions): readonly string[] {
  if (openFilesMax === undefined) return command;
  return ["sh", "-c", `ulimit -n ${openFilesMax} && exec "$@"`, "sh", ...command];
}

/** Guarantee: these are the process's own variables; Next's types require NODE_ENV, which the program sets itself. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !FOREIGN_VARIABLE.test(name));
  return Object.fromEntries(kept) as NodeJS.ProcessEnv;
}
