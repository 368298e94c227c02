import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { JobEvent } from "../job";

export type ServeHandler = (request: Request) => Promise<Response>;

const operations = z.array(
  z.object({ id: z.string(), op: z.string(), data: z.unknown().optional(), error: z.unknown().optional() }),
);

/** Our functions have one step. More calls than this are a bug. */
const CALLS_MAX = 10;

/** The address of a request decides nothing. */
const BASE_URL = "http://waypost.example";

/**
 * Runs a function to its end through the SDK's own serve handler, as an Inngest server would over HTTP: a call responds
 * with the steps it ran (206), and their results go into the next call, until the function is done (200).
 * @throws Error if a step or the function fails: functions have no retries.
 */
export async function callFunction(
  serve: ServeHandler,
  functionId: string,
  { ts = Date.now(), ...named }: JobEvent,
): Promise<void> {
  const event = { ...named, ts };
  const steps: Record<string, { type: "data"; data: unknown }> = {};
  const runId = randomUUID();
  for (let calls = 0; calls < CALLS_MAX; calls++) {
    const response = await serve(
      new Request(`${BASE_URL}/api/inngest?fnId=${functionId}&stepId=step`, {
        method: "POST",
        headers: { "content-type": "application/json", host: "waypost.example" },
        body: JSON.stringify({
          version: 2,
          event,
          events: [event],
          steps,
          ctx: {
            run_id: runId,
            attempt: 0,
            max_attempts: 1,
            stack: { stack: Object.keys(steps), current: Object.keys(steps).length },
            disable_immediate_execution: false,
            use_api: false,
          },
        }),
      }),
    );
    if (response.status === 200) return;
    const body: unknown = await response.json().catch(() => null);
    if (response.status !== 206) throw new Error(`${functionId} failed: ${describe(body)}`);
    for (const operation of operations.parse(body)) {
      if (operation.op !== "StepRun")
        throw new Error(`A step of ${functionId} failed: ${describe(operation)}`);
      steps[operation.id] = { type: "data", data: unwrap(operation.data) };
    }
  }
  throw new Error(`${functionId} didn't end after ${CALLS_MAX} calls`);
}

/** The handler wraps a step's result for transport. */
function unwrap(data: unknown): unknown {
  return typeof data === "object" && data !== null && "data" in data ? data.data : (data ?? null);
}

function describe(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 500) ?? "no answer";
}
