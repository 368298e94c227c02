import { vi } from "vitest";
import { limitMs } from "./machine-speed";

/** Repeats the assertion until it holds, and returns its result. Fails with the assertion's own error. */
export function eventually<Value>(assertion: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(assertion, { timeout: limitMs(30_000), interval: 10 });
}
