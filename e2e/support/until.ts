import { setTimeout as delay } from "node:timers/promises";

const POLL_INTERVAL_MS = 25;

/** Waits until the condition gives something other than null, undefined or false, and answers that. */
export async function until<Value>(
  description: string,
  condition: () => Value | Promise<Value>,
  { timeoutMs = 20_000, intervalMs = POLL_INTERVAL_MS }: { timeoutMs?: number; intervalMs?: number } = {},
): Promise<Exclude<Value, null | undefined | false>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (isThere(value)) return value;
    if (performance.now() > deadline) {
      throw new Error(`Waited ${timeoutMs / 1000} s in vain until ${description}`);
    }
    await delay(intervalMs);
  }
}

function isThere<Value>(value: Value): value is Exclude<Value, null | undefined | false> {
  return value !== null && value !== undefined && value !== false;
}
