import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { limitMs } from "@/e2e/support/machine-speed";
import { setTimeout as delay } from "node:timers/promises";
import type { HttpAnswer } from "@/e2e/support/http-call";

/** Longer than the server's limits for a head (15 s, checked every 30 s) and for a body (10 s). */
const ANSWER_MS_MAX = limitMs(60_000);
const HEAD_END = Buffer.from("\r\n\r\n");

export interface WireAnswer extends HttpAnswer {
  /** Whether the connection accepts no further request. */
  readonly isLast: boolean;
}

/** A connection that sends any given bytes, and parses HTTP/1.1 responses. */
export interface Connection {
  write(bytes: Buffer): Promise<void>;
  /** Returns the next response to a request of this method; null if the connection ended instead. */
  answer(method: string): Promise<WireAnswer | null>;
  /** Resolves when something has arrived that `answer` hasn't consumed yet, including the end, or after this time. */
  quiet(forMs: number): Promise<void>;
  /** Ends writing, and continues reading. */
  endWriting(): void;
  destroy(): void;
}

export async function openConnection(baseUrl: string): Promise<Connection> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
  const incoming = gather(socket);
  await once(socket, "connect");
  return {
    async write(bytes) {
      if (socket.destroyed || !socket.writable) return;
      if (!socket.write(bytes))
        await Promise.race([once(socket, "drain"), once(socket, "close")]).catch(ignore);
    },
    answer: (method) => readAnswer(incoming, method),
    quiet: (forMs) => waitAtMost(forMs, incoming.more()),
    endWriting: () => socket.end(),
    destroy: () => socket.destroy(),
  };
}

const ignore = () => undefined;

interface Incoming {
  bytes: Buffer;
  isEnded: boolean;
  /** Resolves when more data has arrived. */
  more(): Promise<void>;
}

function gather(socket: Socket): Incoming {
  let notify: () => void = ignore;
  let changed = new Promise<void>((resolve) => (notify = resolve));
  const incoming: Incoming = { bytes: Buffer.alloc(0), isEnded: false, more: () => changed };
  const report = () => {
    notify();
    changed = new Promise<void>((resolve) => (notify = resolve));
  };
  socket.on("data", (chunk: Buffer) => {
    incoming.bytes = Buffer.concat([incoming.bytes, chunk]);
    report();
  });
  const end = () => {
    incoming.isEnded = true;
    report();
  };
  socket.on("end", end);
  socket.on("close", end);
  // A reset connection counts as ended.
  socket.on("error", ignore);
  return incoming;
}

async function readAnswer(incoming: Incoming, method: string): Promise<WireAnswer | null> {
  const startedAt = performance.now();
  for (;;) {
    const found = takeAnswer(incoming, method);
    if (found === "interim") continue;
    if (found !== null) return { ...found, durationMs: performance.now() - startedAt };
    if (incoming.isEnded) return null;
    const leftMs = ANSWER_MS_MAX - (performance.now() - startedAt);
    if (leftMs <= 0) throw new Error(`No answer within ${ANSWER_MS_MAX / 1000} s`);
    await waitAtMost(leftMs, incoming.more());
  }
}

async function waitAtMost(timeoutMs: number, pending: Promise<void>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([pending, delay(timeoutMs, undefined, { signal: timer.signal }).catch(ignore)]);
  timer.abort();
}

type Head = Pick<WireAnswer, "status" | "headers" | "isLast">;

/** Consumes one complete response; null while it is incomplete. */
function takeAnswer(incoming: Incoming, method: string): WireAnswer | "interim" | null {
  const headEnd = incoming.bytes.indexOf(HEAD_END);
  if (headEnd < 0) return null;
  const head = parseHead(incoming.bytes.subarray(0, headEnd).toString("latin1"));
  const rest = incoming.bytes.subarray(headEnd + HEAD_END.length);
  if (head.status < 200) {
    incoming.bytes = rest;
    return "interim";
  }
  const body =
    method === "HEAD" || head.status === 204 || head.status === 304
      ? NO_BODY
      : takeBody(head, rest, incoming.isEnded);
  if (body === null) return null;
  incoming.bytes = rest.subarray(body.length);
  return { ...head, text: body.text, durationMs: 0 };
}

const NO_BODY = { length: 0, text: "" };

function parseHead(text: string): Head {
  const [first = "", ...lines] = text.split("\r\n");
  const status = /^HTTP\/1\.1 ([1-5][0-9]{2}) /.exec(first)?.[1];
  if (status === undefined) throw new Error(`Not the first line of an answer: ${first.slice(0, 200)}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const former = headers.get(name);
    headers.set(name, former === undefined ? value : `${former}, ${value}`);
  }
  const isLast = headers.get("connection")?.toLowerCase() === "close";
  return { status: Number(status), headers: Object.fromEntries(headers), isLast };
}

/** Null while it is incomplete. */
function takeBody(
  { headers }: Head,
  bytes: Buffer,
  isEnded: boolean,
): { length: number; text: string } | null {
  const declared = headers["content-length"];
  if (declared !== undefined) {
    const length = Number(declared);
    return bytes.length < length ? null : { length, text: bytes.subarray(0, length).toString("utf8") };
  }
  if (headers["transfer-encoding"] === "chunked") return takeChunks(bytes);
  return isEnded ? { length: bytes.length, text: bytes.toString("utf8") } : null;
}

function takeChunks(bytes: Buffer): { length: number; text: string } | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString("latin1"), 16);
    const end = lineEnd + 2 + size + 2;
    if (bytes.length < end) return null;
    if (size === 0) return { length: end, text: Buffer.concat(chunks).toString("utf8") };
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = end;
  }
}
