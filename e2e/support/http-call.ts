import { Agent, request, type IncomingMessage } from "node:http";
import { limitMs } from "./machine-speed";

const TIMEOUT_MS = limitMs(60_000);
const ANSWER_BYTES_MAX = 5_000_000;

/** Shorter than any server keeps a connection, which could otherwise close at the moment of reuse. */
const IDLE_MS_MAX = 20_000;

const agent = new Agent({ keepAlive: true, maxSockets: 128, timeout: IDLE_MS_MAX });

export type RequestHeaders = Readonly<Record<string, string | readonly string[]>>;

/** One request, exactly as it should be sent. */
export interface HttpCall {
  readonly method: string;
  /** Absolute. Its path and query are sent unchanged, not normalized. */
  readonly url: string;
  /** Several values of one name are sent as separate headers. */
  readonly headers: RequestHeaders;
  /** False sends no `Host`. */
  readonly hasHost?: boolean;
  readonly body?: Uint8Array;
  /**
   * `whole` declares its length (the default), `chunked` doesn't, `halves` is chunked and sends its second half after
   * the response's headers have arrived, `stalled` declares one byte more than it sends.
   */
  readonly delivery?: "whole" | "chunked" | "halves" | "stalled";
}

export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly durationMs: number;
}

/** Sends it through Node's own client, which neither corrects nor follows anything. */
export function httpCall(call: HttpCall): Promise<HttpAnswer> {
  const { method, url, headers, hasHost = true, body, delivery = "whole" } = call;
  const origin = new URL(url).origin;
  const half = delivery === "halves" && body ? Math.floor(body.byteLength / 2) : undefined;
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(origin, {
      method,
      path: url.slice(origin.length) || "/",
      headers: { ...lengthHeader(body, delivery), ...copyOf(headers) },
      setHost: hasHost,
      // A connection with half a request can't be reused.
      agent: delivery === "whole" ? agent : false,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    outgoing.on("error", reject);
    outgoing.once("response", (incoming) => {
      const sent =
        delivery === "halves" && new Promise<void>((done) => outgoing.end(body?.subarray(half), done));
      Promise.resolve(sent)
        .then(() => readAnswer(incoming, startedAt))
        .then(resolve, reject)
        .finally(() => delivery !== "whole" && outgoing.destroy());
    });
    if (delivery === "stalled") outgoing.flushHeaders();
    if (body) outgoing.write(body.subarray(0, half));
    if (delivery === "whole" || delivery === "chunked") outgoing.end();
  });
}

/** Node's types require mutable lists. */
function copyOf(headers: RequestHeaders): Record<string, string | string[]> {
  const copies = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === "string" ? value : [...value],
  ]);
  return Object.fromEntries(copies);
}

function lengthHeader(body: Uint8Array | undefined, delivery: HttpCall["delivery"]): Record<string, string> {
  if (!body) return {};
  if (delivery === "chunked" || delivery === "halves") return { "Transfer-Encoding": "chunked" };
  return { "Content-Length": String(body.byteLength + (delivery === "stalled" ? 1 : 0)) };
}

async function readAnswer(incoming: IncomingMessage, startedAt: number): Promise<HttpAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    const bytes = Buffer.from(chunk);
    size += bytes.byteLength;
    if (size > ANSWER_BYTES_MAX) throw new Error(`The answer is larger than ${ANSWER_BYTES_MAX} bytes`);
    chunks.push(bytes);
  }
  return {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    ),
    text: Buffer.concat(chunks).toString("utf8"),
    durationMs: performance.now() - startedAt,
  };
}
