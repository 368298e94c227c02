import autocannon from "autocannon";
import { randomBytes } from "node:crypto";
import type { CpuUse } from "./cpu";
import { median, quantile } from "./statistics";

/** One load: the same kind of request repeated on that many connections. */
export interface LoadJob {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: BodySource;
  readonly statusExpected: number;
  readonly connections: number;
  readonly seconds: number;
}

export type BodySource =
  | { readonly kind: "none" }
  | { readonly kind: "fixed"; readonly body: string }
  /** A new message to one of these numbers in every request. */
  | { readonly kind: "newMessages"; readonly handles: readonly string[] };

export interface LoadResult {
  /** Responses with the expected status. */
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** Null if no request times were measured. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** Unexpected responses by status, `0` for none at all. */
  readonly wrong: Readonly<Record<string, number>>;
  /** Further figures. */
  readonly facts?: readonly Fact[];
  /** If the figures are of a part of the measured time only: the CPU use in that part. */
  readonly cpu?: CpuUse;
}

/** A figure of one case only. */
export interface Fact {
  /** With its unit: `callback lag p99, ms`. */
  readonly name: string;
  readonly value: number;
  /** The maximum allowed value. */
  readonly atMost?: number;
}

const TIMEOUT_SECONDS = 20;
const RUN_TAG = randomBytes(6).toString("hex");
let messages = 0;

/** Puts one load on a server and measures it, from the first response to the last. */
export async function putLoad(job: LoadJob): Promise<LoadResult> {
  const meter = createMeter(job.statusExpected);
  const template = { method: job.method, headers: job.headers };
  const nextBody = bodyMaker(job.body);
  const run = autocannon({
    url: job.url,
    connections: job.connections,
    duration: job.seconds,
    timeout: TIMEOUT_SECONDS,
    requests: [
      job.body.kind === "newMessages"
        ? { ...template, setupRequest: (request) => ({ ...request, body: nextBody() }) }
        : { ...template, body: nextBody() },
    ],
  });
  void run.on("response", (_client, statusCode, _bytes, responseTimeMs) =>
    meter.note(statusCode, responseTimeMs),
  );
  const { errors, timeouts } = await run;
  return meter.result(errors + timeouts);
}

/** Builds a text to a number, with a unique id. */
export function newMessage(handle: string): string {
  messages += 1;
  return JSON.stringify({
    client_message_id: `bench-${RUN_TAG}-${messages}`,
    type: "text",
    to: { kind: "whatsapp", handle },
    text: { body: `Your parcel ${messages} is on its way and will be with you today before six.` },
  });
}

function bodyMaker(source: BodySource): () => string {
  switch (source.kind) {
    case "none":
      return () => "";
    case "fixed":
      return () => source.body;
    case "newMessages":
      return () => newMessage(source.handles[messages % source.handles.length] ?? "");
  }
}

/** Counts responses, and records the times of the expected ones. */
export function createMeter(statusExpected: number) {
  const latenciesMs: number[] = [];
  const wrong: Record<string, number> = {};
  let firstAtMs: number | null = null;
  let lastAtMs = 0;
  return {
    note(status: number, latencyMs: number): void {
      lastAtMs = performance.now();
      firstAtMs ??= lastAtMs - latencyMs;
      if (status === statusExpected) latenciesMs.push(latencyMs);
      else wrong[status] = (wrong[status] ?? 0) + 1;
    },
    result(unanswered: number): LoadResult {
      const seconds = (lastAtMs - (firstAtMs ?? lastAtMs)) / 1000;
      const sorted = latenciesMs.sort((a, b) => a - b);
      return {
        requests: sorted.length,
        requestsPerSecond: seconds > 0 ? sorted.length / seconds : 0,
        p50Ms: quantile(sorted, 0.5),
        p99Ms: quantile(sorted, 0.99),
        wrong: unanswered > 0 ? { ...wrong, 0: unanswered } : wrong,
      };
    },
  };
}

/** Sums up several measurements of one load: all their requests, and the medians of their figures. */
export function summaryOf(results: readonly LoadResult[]) {
  return {
    requests: results.reduce((sum, { requests }) => sum + requests, 0),
    requestsPerSecond: median(results.map(({ requestsPerSecond }) => requestsPerSecond)),
    p50Ms: median(results.map(({ p50Ms }) => p50Ms ?? NaN)),
    p99Ms: median(results.map(({ p99Ms }) => p99Ms ?? NaN)),
  };
}

/** Sums up the failed requests of several measurements. */
export function wrongOf(results: readonly LoadResult[]): Record<string, number> {
  const wrong: Record<string, number> = {};
  for (const result of results) {
    for (const [status, count] of Object.entries(result.wrong)) wrong[status] = (wrong[status] ?? 0) + count;
  }
  return wrong;
}
