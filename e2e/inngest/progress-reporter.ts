import type { Reporter, TestCase, TestModule } from "vitest/node";

const EVERY_MS = 30_000;

/** Prints the name of each test when it starts, and its running time every half minute: some take minutes. */
export class ProgressReporter implements Reporter {
  #running: { readonly what: string; readonly sinceMs: number } | null = null;
  readonly #timer = setInterval(() => this.#sayHowLong(), EVERY_MS).unref();

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.#begin(`${relativeModuleId}: starts what it tests`);
  }

  onTestCaseReady({ fullName }: TestCase): void {
    this.#begin(fullName);
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  #begin(what: string): void {
    this.#running = { what, sinceMs: performance.now() };
    say(`runs: ${what}`);
  }

  #sayHowLong(): void {
    if (this.#running === null) return;
    const seconds = Math.round((performance.now() - this.#running.sinceMs) / 1000);
    say(`runs for ${seconds} s: ${this.#running.what}`);
  }
}

function say(words: string): void {
  process.stderr.write(`test:inngest: ${words}\n`);
}
