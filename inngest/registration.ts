import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { RegistrationError } from "./register";

/** Registers the functions and their address with an Inngest server. */
export interface Registration {
  /** Registers again immediately. During a registration, once more after it. */
  again(): void;
  /** Why the server refused the latest registration. Null if it accepted it, or if the result isn't known yet. */
  refused(): string | null;
  /** Stops trying. */
  stop(): Promise<void>;
}

export interface RegistrationOptions {
  readonly register: () => Promise<RegistrationError | null>;
  /** Facts for the log: the server, and the registered address. */
  readonly facts: Readonly<Record<string, string>>;
  readonly log: Logger;
  /** Called when the server has accepted the functions for the first time. */
  readonly registered: () => void;
  readonly firstWaitMs?: number;
}

const FIRST_WAIT_MS = 1_000;
const WAIT_MAX_MS = 5_000;

/**
 * Starts immediately and retries until it has succeeded, in the background. Logs the first failure of each kind until
 * then, and the success.
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
