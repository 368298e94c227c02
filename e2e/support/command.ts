import { execute } from "@/server/ops/cli/execute";
import { createClosers } from "@/server/lib/closers";
import { type Environment, REPOSITORY } from "./program";

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running operator's command. */
export interface Running {
  readonly finished: Promise<Finished>;
  /** The output so far. */
  stdout(): string;
  stderr(): string;
  /** The same as Ctrl+C. */
  interrupt(): void;
}

/**
 * Starts an operator's command within this process, which saves the second that a separate process takes. It does
 * everything that the program does, over its own connections. Signals, standard input and `WAYPOST_API_KEY` are for
 * tests of the program itself.
 */
export function startCommand(args: readonly string[], env: Environment): Running {
  const text = { stdout: "", stderr: "" };
  const into = (name: keyof typeof text) => ({ write: (more: string) => void (text[name] += more) });
  const controller = new AbortController();
  const ended = execute({
    appRoot: REPOSITORY,
    argv: args,
    env: { NODE_ENV: "test", ...env },
    stdout: into("stdout"),
    stderr: into("stderr"),
    closers: createClosers(),
    interruption: { signal: controller.signal, isAwaited: false },
  });
  return {
    finished: ended.then((code) => ({ code, ...text })),
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    interrupt: () => controller.abort(),
  };
}

/** Runs an operator's command within this process to its end. */
export function runCommand(args: readonly string[], env: Environment): Promise<Finished> {
  return startCommand(args, env).finished;
}
