import { join } from "node:path";
import { z } from "zod";
import { readTextIfPresent, writeFileAtomically } from "./files";

/** By how much a clock can be ahead: ten years. */
export const aheadMaxMs = 10 * 365 * 86_400_000;

const fileSchema = z.object({ ahead_ms: z.int().nonnegative().max(aheadMaxMs) });

/**
 * The simulator's time: the machine's, until a test moves it. It never goes back. Stored in `clock.json`, so that a
 * restart continues at the moved time.
 */
export class Clock {
  readonly #path: string;
  #aheadMs: number;
  #saving: Promise<void> = Promise.resolve();

  private constructor(path: string, aheadMs: number) {
    this.#path = path;
    this.#aheadMs = aheadMs;
  }

  static async open(directory: string): Promise<Clock> {
    const path = join(directory, "clock.json");
    const text = await readTextIfPresent(path);
    return new Clock(path, text === null ? 0 : fileSchema.parse(JSON.parse(text)).ahead_ms);
  }

  /** By how much it is ahead of the machine's clock. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  nowMs(): number {
    return Date.now() + this.#aheadMs;
  }

  now(): Date {
    return new Date(this.nowMs());
  }

  /** Moves the clock forward, as soon as the new time is on disk. Does nothing if it is ahead by more already. */
  moveTo(aheadMs: number): Promise<void> {
    const move = async () => {
      if (aheadMs <= this.#aheadMs) return;
      await writeFileAtomically(this.#path, JSON.stringify({ ahead_ms: aheadMs }));
      this.#aheadMs = aheadMs;
    };
    this.#saving = this.#saving.then(move, move);
    return this.#saving;
  }
}
