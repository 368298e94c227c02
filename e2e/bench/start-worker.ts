import { fork } from "node:child_process";
import { once } from "node:events";
import type { Closers } from "@/server/lib/closers";
import type { WorkerCalls, WorkerKind, WorkerMessage } from "./worker";

export interface RunningWorker<K extends WorkerKind> {
  readonly pid: number;
  /** One at a time. @throws Error with the worker's message if it failed, or that it ended. */
  run(job: WorkerCalls[K]["job"]): Promise<WorkerCalls[K]["result"]>;
  stop(): Promise<void>;
}

export type StartWorker = <K extends WorkerKind>(kind: K) => Promise<RunningWorker<K>>;

interface WorkerStarterOptions {
  readonly workerFile: string;
  readonly appRoot: string;
  /** Ends the workers, including one that is starting. */
  readonly closers: Closers;
}

/**
 * Starts processes that do one kind of work each, so that the load generator and the system under load never share an
 * event loop.
 */
export function workerStarter({ workerFile, appRoot, closers }: WorkerStarterOptions): StartWorker {
  return async <K extends WorkerKind>(kind: K): Promise<RunningWorker<K>> => {
    const child = fork(workerFile, [kind, appRoot], { env: { ...process.env, NODE_ENV: "production" } });
    const ended = once(child, "exit").then(([code]) => {
      throw new Error(`The worker ${kind} ended with ${String(code)}`);
    });
    ended.catch(() => undefined);

    async function answer(): Promise<unknown> {
      const [message] = await Promise.race([once(child, "message"), ended]);
      const outcome = asMessage(message);
      if ("error" in outcome) throw new Error(outcome.error);
      return outcome.result;
    }

    async function stop(): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null) return;
      if (child.connected) child.disconnect();
      await ended.catch(() => undefined);
    }

    closers.add(stop);
    await answer();
    return {
      pid: child.pid ?? 0,
      async run(job) {
        child.send(job);
        return asResult(kind, await answer());
      },
      stop,
    };
  };
}

/** Guarantee: a worker sends only `WorkerMessage`s (worker.ts). */
function asMessage(message: unknown): WorkerMessage {
  return message as WorkerMessage;
}

/** Guarantee: a worker of this kind returns this kind's result (the table in worker.ts). */
function asResult<K extends WorkerKind>(_kind: K, result: unknown): WorkerCalls[K]["result"] {
  return result as WorkerCalls[K]["result"];
}
