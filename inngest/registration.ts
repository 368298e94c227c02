import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { z } from "zod";

/** Tells an Inngest server which functions there are, and where. */
export interface Registration {
  /** Tells it anew, at once; while it is being told, once more afterwards. */
  again(): void;
  /** Tries no more. */
  stop(): Promise<void>;
}

export interface RegistrationOptions {
  /** The SDK's own registration: `PUT` of its serve handler. */
  readonly register: () => Promise<Response>;
  /** As the log names it. */
  readonly serveOrigin: string;
  readonly log: Logger;
  /** The server has taken it for the first time. */
  readonly registered: () => void;
  readonly firstWaitMs?: number;
}

const FIRST_WAIT_MS = 1_000;
const WAIT_MAX_MS = 5_000;

const answerSchema = z.object({ message: z.string() });

/** Begins at once, and goes on until it has succeeded: nobody waits for it. The log is told of the first failure. */
export function keepRegistered(options: RegistrationOptions): Registration {
  const { register, serveOrigin, log, registered, firstWaitMs = FIRST_WAIT_MS } = options;
  const stopping = new AbortController();
  let isWanted = true;
  let hasSucceeded = false;
  let current: Promise<void> | null = null;

  async function attempt(isFirst: boolean): Promise<boolean> {
    const problem = await problemOf(register);
    if (problem === null) {
      if (!hasSucceeded || !isFirst)
        log.info({ serveOrigin }, "the functions are registered with the Inngest server");
      if (!hasSucceeded) registered();
      hasSucceeded = true;
    } else if (isFirst && !stopping.signal.aborted) {
      log.warn(
        { reason: problem, serveOrigin },
        "the functions can't be registered with the Inngest server yet",
      );
    }
    return problem === null;
  }

  async function run(): Promise<void> {
    while (isWanted && !stopping.signal.aborted) {
      isWanted = false;
      let waitMs = firstWaitMs;
      for (let tries = 0; !stopping.signal.aborted; tries++) {
        if (await attempt(tries === 0)) break;
        await pause(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
        waitMs = Math.min(waitMs * 2, WAIT_MAX_MS);
      }
    }
    current = null;
  }

  current = run();
  return {
    again() {
      isWanted = true;
      current ??= run();
    },
    async stop() {
      stopping.abort();
      await current;
    },
  };
}

/** Null when the server has taken it. */
async function problemOf(register: () => Promise<Response>): Promise<string | null> {
  try {
    const answer = await register();
    const { data } = answerSchema.safeParse(await answer.json().catch(() => null));
    return answer.status === 200 ? null : `${answer.status} ${data?.message ?? ""}`.trim();
  } catch (error) {
    return error instanceof Error ? error.message : "unknown";
  }
}
