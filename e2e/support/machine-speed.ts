import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** What the fixed work takes per core where these tests usually run; measured on two quiet cores. */
const USUAL_MS = 400;
/** Beyond this a test that hangs would hold up everyone for hours. */
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
 * How long a fixed piece of work takes, in milliseconds, when two threads do it at the same time. A machine with one core,
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

/** Measures this machine once, for this process and all that it starts. */
export async function measureMachine(): Promise<void> {
  process.env[FIXED_WORK_VARIABLE] = String(Math.round(await measureFixedWorkMs()));
}

/** The result of `measureMachine`; the usual one where nobody has measured. */
export function measuredWorkMs(): number {
  return Number(process.env[FIXED_WORK_VARIABLE] ?? USUAL_MS);
}

/**
 * A limit for a wait that proves nothing by its length: `usualMs` on the usual machine, and in proportion more on a slower
 * one. Outside of tests, where nobody has measured, it is `usualMs`.
 */
export function limitMs(usualMs: number): number {
  return Math.ceil(usualMs * Math.min(SLOWNESS_MAX, Math.max(1, measuredWorkMs() / USUAL_MS)));
}

/** One line for people, so that the times of two days can be compared. */
export function describeMachine(fixedWorkMs: number): string {
  const percent = Math.round((fixedWorkMs / USUAL_MS) * 100);
  return `a fixed piece of work takes ${Math.round(fixedWorkMs)} ms (${percent} % of the usual ${USUAL_MS} ms, ${availableParallelism()} cores)`;
}
