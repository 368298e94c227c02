import type { Logger } from "pino";
import { isTimeLimitExceeded, withinTime } from "@/server/lib/time-limit";
import { createTrouble, type TroubleWords } from "@/server/lib/trouble";
import type { LimiterStore } from "./limits";
import { createSilence } from "./silence";
import { tryStore } from "./try-store";

/** Whether a store works, as far as its answers tell; the log is told when that changes. */
export interface StoreHealth {
  answered(): void;
  /** @param failure.requests how many are let through for it; `askedAtMs`: by `performance.now()`. */
  failed(
    error: unknown,
    failure: { readonly requests: number; readonly askedAtMs?: number | undefined },
  ): void;
  /** Whether no request is to wait for it. While that is so, a question here tries it apart from them, once a second. */
  isSilent(): boolean;
  /** As `Limits.look`. */
  look(): Promise<void>;
}

const TROUBLE: TroubleWords = {
  level: "error",
  fails: "the limiter's store fails; requests are let through meanwhile",
  isOver: "the limiter's store answers again",
  counted: "letThrough",
};
/** Longer than a store's connection takes to fail with words of its own. */
const LOOK_MAX_MS = 3_000;

export function createStoreHealth(store: LimiterStore, log: Logger): StoreHealth {
  const trouble = createTrouble(log, TROUBLE, { store: store.name, place: store.place });
  const silence = createSilence();

  function answered(): void {
    silence.answered();
    trouble.answered();
  }

  async function look(maxMs: number): Promise<void> {
    try {
      await withinTime(tryStore(store), maxMs);
      answered();
    } catch (error) {
      trouble.failed(error, 0);
    }
  }

  return {
    answered,
    failed(error, { requests, askedAtMs }) {
      trouble.failed(error, requests);
      if (askedAtMs !== undefined && isTimeLimitExceeded(error)) silence.timedOut(askedAtMs);
    },
    isSilent() {
      if (silence.isTryDue()) void look(store.answerTimeoutMs);
      return silence.isOn();
    },
    look: () => look(Math.max(LOOK_MAX_MS, store.answerTimeoutMs)),
  };
}
