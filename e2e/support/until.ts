import { setTimeout as delay } from "node:timers/promises";
import { limitMs } from "./machine-speed";

const POLL_INTERVAL_MS = 25;
const TIMEOUT_MS = 60_000;

/** For conditions that read much, such as a ledger or a page of events. */
export const LONG_READ = { intervalMs: 100 } as const;

/**
 * Waits until the condition returns something other than null, undefined or false, and returns that.
 * @param options.timeoutMs on the usual machine; a slower one gets more.
 */
export async function until<Value>(
  description: string,
  condition: () => Value | Promise<Value>,
  { timeoutMs = TIMEOUT_MS, intervalMs = POLL_INTERVAL_MS }: { timeoutMs?: number; intervalMs?: number } = {},
): Promise<Exclude<Value, null | undefined | false>> {
  const limit = limitMs(timeoutMs);
  const deadline = performance.now() + limit;
  for (;;) {
    const value = await condition();
    if (isThere(value)) return value;
    if (performance.now() > deadline) {
      throw new Error(`Waited ${limit / 1000} s in vain until ${description}`);
    }
    await delay(intervalMs);
  }
}

function isThere<Value>(value: Value): value is Exclude<Value, null | undefined | false> {
  return value !== null && value !== undefined && value !== false;
}
