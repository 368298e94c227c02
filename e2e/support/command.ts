import { execute } from "@/server/ops/cli/execute";
import { createClosers } from "@/server/lib/closers";
import { type Environment, REPOSITORY } from "./program";

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** An operator's command that has begun. */
export interface Running {
  readonly finished: Promise<Finished>;
  /** Printed so far. */
  stdout(): string;
  stderr(): string;
  /** As Ctrl-C does. */
  interrupt(): void;
}

/**
 * Starts an operator's command within this process, which saves the second that a process of its own takes. It does all
 * that the program does, over connections of its own. Signals, standard input and `WAYPOST_API_KEY` are for tests of the
 * program itself.
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
