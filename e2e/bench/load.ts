import autocannon from "autocannon";
import { randomBytes } from "node:crypto";
import { quantile } from "./statistics";

/** One load: the same kind of request again and again on so many connections. */
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
  /** Answers with the expected status. */
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** Null where no time of a request was measured. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** What else came back: how often each other status, `0` for no answer at all. */
  readonly wrong: Readonly<Record<string, number>>;
  /** What else was seen. */
  readonly facts?: readonly Fact[];
}

/** A figure of one case alone. */
export interface Fact {
  /** With its unit: `callback lag p99, ms`. */
  readonly name: string;
  readonly value: number;
  /** The value that it is not to exceed. */
  readonly atMost?: number;
}

const TIMEOUT_SECONDS = 20;
const RUN_TAG = randomBytes(6).toString("hex");
let messages = 0;

/** Puts one load on a server and measures it, from the first answer to the last. */
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

/** A text to a number, under an id that no other request has. */
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

/** Counts answers and keeps the times of the right ones. */
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

/** Failed requests of several measurements together. */
export function wrongOf(results: readonly LoadResult[]): Record<string, number> {
  const wrong: Record<string, number> = {};
  for (const result of results) {
    for (const [status, count] of Object.entries(result.wrong)) wrong[status] = (wrong[status] ?? 0) + count;
  }
  return wrong;
}
