import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { RegistrationError } from "./register";

/** Tells an Inngest server which functions there are, and where. */
export interface Registration {
  /** Tells it anew, at once; while it is being told, once more afterwards. */
  again(): void;
  /** Why the server didn't take it when it was last told; null: it has, or nothing is known yet. */
  refused(): string | null;
  /** Tries no more. */
  stop(): Promise<void>;
}

export interface RegistrationOptions {
  readonly register: () => Promise<RegistrationError | null>;
  /** What the log says with it: which server, and which address it was told. */
  readonly facts: Readonly<Record<string, string>>;
  readonly log: Logger;
  /** The server has taken it for the first time. */
  readonly registered: () => void;
  readonly firstWaitMs?: number;
}

const FIRST_WAIT_MS = 1_000;
const WAIT_MAX_MS = 5_000;

/**
 * Begins at once, and goes on until it has succeeded: nobody waits for it. The log is told of the first failure of each
 * kind until then, and of the success.
 */
export function keepRegistered(options: RegistrationOptions): Registration {
  const { register, facts, log, registered, firstWaitMs = FIRST_WAIT_MS } = options;
  const stopping = new AbortController();
  let isWanted = true;
  let hasSucceeded = false;
  let refused: RegistrationError | null = null;
  let current: Promise<void> | null = null;
  const logged = new Set<RegistrationError["kind"]>();

  async function attempt(): Promise<boolean> {
    refused = await registrationError(register);
    if (refused === null) {
      if (!hasSucceeded || logged.size > 0)
        log.info(facts, "the functions are registered with the Inngest server");
      if (!hasSucceeded) registered();
      hasSucceeded = true;
      logged.clear();
    } else if (!logged.has(refused.kind) && !stopping.signal.aborted) {
      logged.add(refused.kind);
      log.warn(
        { ...facts, reason: refused.reason },
        "the functions can't be registered with the Inngest server",
      );
    }
    return refused === null;
  }

  async function run(): Promise<void> {
    while (isWanted && !stopping.signal.aborted) {
      isWanted = false;
      let waitMs = firstWaitMs;
      while (!stopping.signal.aborted) {
        if (await attempt()) break;
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
    refused: () => refused?.reason ?? null,
    async stop() {
      stopping.abort();
      await current;
    },
  };
}

async function registrationError(
  register: () => Promise<RegistrationError | null>,
): Promise<RegistrationError | null> {
  try {
    return await register();
  } catch (error) {
    return { kind: "server", reason: error instanceof Error ? error.message : "unknown" };
  }
}
