import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** Duration of the fixed work per core on the usual test machine; measured on two idle cores. */
const USUAL_MS = 400;
/** Above this, a hanging test would block everyone for hours. */
const SLOWNESS_MAX = 12;
const FIXED_WORK_VARIABLE = "TEST_FIXED_WORK_MS";

const FIXED_WORK = `
const { parentPort } = require("node:worker_threads");
const { createHash } = require("node:crypto");
const startedAt = performance.now();
let digest = Buffer.alloc(32);
for (let round = 0; round < 40_000; round++) {
  const text = JSON.stringify({ round, digest: digest.toString("hex"), list: [1, 2, 3].map((n) => n * round) });
  digest = createHash("sha256").update(JSON.stringify(JSON.parse(text))).update(Buffer.alloc(4096, round)).digest();
}
parentPort.postMessage(performance.now() - startedAt);
`;

/**
 * Measures how long a fixed piece of work takes, in milliseconds, on two threads concurrently. A machine with one core,
 * or with another program on a core, takes longer. The slower thread counts.
 */
export async function measureFixedWorkMs(): Promise<number> {
  return Math.max(...(await Promise.all([runFixedWork(), runFixedWork()])));
}

function runFixedWork(): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(FIXED_WORK, { eval: true });
    worker.once("message", (ms) => resolve(Number(ms)));
    worker.once("error", reject);
  });
}

/** Measures this machine once, for this process and its children. */
export async function measureMachine(): Promise<void> {
  process.env[FIXED_WORK_VARIABLE] = String(Math.round(await measureFixedWorkMs()));
}

/** Returns the result of `measureMachine`; the usual one if nothing was measured. */
export function measuredWorkMs(): number {
  return Number(process.env[FIXED_WORK_VARIABLE] ?? USUAL_MS);
}

/**
 * Returns the limit for a wait whose length proves nothing: `usualMs` on the usual machine, and proportionally more on
 * a slower one. Outside of tests, without a measurement, it is `usualMs`.
 */
export function limitMs(usualMs: number): number {
  return Math.ceil(usualMs * Math.min(SLOWNESS_MAX, Math.max(1, measuredWorkMs() / USUAL_MS)));
}

/** Describes the machine in one line, so that the times of two days can be compared. */
export function describeMachine(fixedWorkMs: number): string {
  const percent = Math.round((fixedWorkMs / USUAL_MS) * 100);
  return `a fixed piece of work takes ${Math.round(fixedWorkMs)} ms (${percent} % of the usual ${USUAL_MS} ms, ${availableParallelism()} cores)`;
}
