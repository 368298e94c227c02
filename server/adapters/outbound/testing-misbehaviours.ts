import type { Socket } from "node:net";
import { expect } from "vitest";
import type { OutboundFailure } from "./failure";
import { onRequest } from "./testing-receiver";

/** A faulty (or barely valid) receiver, and the expected result of a call. */
export interface Misbehaviour {
  readonly does: string;
  /** Handles each connection (`startReceiver`). */
  readonly serve: (socket: Socket) => void;
  /** Part of an `OutboundResult`. One with `timeout` lasts until the time limit. */
  readonly expected:
    | { readonly kind: "failed"; readonly failure: OutboundFailure }
    | { readonly httpStatus: number; readonly answer?: string; readonly retryAfter?: string | null };
}

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

/** Writes it when the request has arrived. */
const answering =
  (...parts: readonly (string | Buffer)[]) =>
  (socket: Socket) =>
    onRequest(socket, () => socket.write(Buffer.concat(parts.map((part) => Buffer.from(part)))));

/** Writes it repeatedly, as fast as it is read. */
export function writeOn(socket: Socket, part: Buffer): void {
  const more = () => {
    while (socket.writable && socket.write(part));
  };
  socket.on("drain", more);
  more();
}

/** Writes it repeatedly, every ten milliseconds. */
function drip(socket: Socket, part: string): void {
  const timer = setInterval(() => socket.write(part), 10);
  socket.on("close", () => clearInterval(timer));
}

const failed = (failure: OutboundFailure) => ({ kind: "failed", failure }) as const;
const answered = (httpStatus: number, answer = "") => ({ httpStatus, answer });

export const MISBEHAVIOURS: readonly Misbehaviour[] = [
  // No response.
  { does: "resets at once", serve: (socket) => socket.resetAndDestroy(), expected: failed("reset") },
  { does: "closes at once", serve: (socket) => socket.end(), expected: failed("reset") },
  {
    does: "resets instead of an answer",
    serve: (socket) => onRequest(socket, () => socket.resetAndDestroy()),
    expected: failed("reset"),
  },
  {
    does: "closes instead of an answer",
    serve: (socket) => onRequest(socket, () => socket.end()),
    expected: failed("reset"),
  },
  {
    does: "closes within the headers",
    serve: (socket) => onRequest(socket, () => socket.end("HTTP/1.1 200 OK\r\nContent-Le")),
    expected: failed("reset"),
  },
  {
    does: "never reads",
    serve: (socket) => socket.pause(),
    expected: failed("timeout"),
  },
  {
    does: "stalls before the headers",
    serve: () => undefined,
    expected: failed("timeout"),
  },
  {
    does: "stalls within the status line",
    serve: answering("HTTP/1.1 2"),
    expected: failed("timeout"),
  },
  {
    does: "stalls within the headers",
    serve: answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"),
    expected: failed("timeout"),
  },
  {
    does: "drips a header without end",
    serve: (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nX-Drip: ");
      drip(socket, "a");
    },
    expected: failed("timeout"),
  },
  {
    does: "drips interim answers without end",
    serve: (socket) => drip(socket, "HTTP/1.1 103 Early Hints\r\n\r\n"),
    expected: failed("invalid_answer"),
  },
  {
    does: "sends interim answers without end",
    serve: (socket) =>
      onRequest(socket, () => writeOn(socket, Buffer.from("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(999)))),
    expected: failed("invalid_answer"),
  },
  {
    does: "sends headers without end",
    serve: (socket) =>
      onRequest(socket, () => {
        socket.write("HTTP/1.1 200 OK\r\n");
        writeOn(socket, Buffer.from(`X-More: ${"a".repeat(999)}\r\n`));
      }),
    expected: failed("invalid_answer"),
  },
  {
    does: "sends one header without end",
    serve: (socket) =>
      onRequest(socket, () => {
        socket.write("HTTP/1.1 200 OK\r\nX-More: ");
        writeOn(socket, Buffer.alloc(64 * 1024, "a"));
      }),
    expected: failed("invalid_answer"),
  },
  {
    does: "speaks SSH",
    serve: (socket) => socket.write("SSH-2.0-OpenSSH_9.7\r\n"),
    expected: failed("invalid_answer"),
  },
  { does: "answers words", serve: answering("hello\r\n"), expected: failed("invalid_answer") },
  {
    does: "answers bytes",
    serve: answering(Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x46])),
    expected: failed("invalid_answer"),
  },
  {
    does: "changes the protocol",
    serve: answering("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"),
    expected: failed("invalid_answer"),
  },
  {
    does: "answers a status that isn't one",
    serve: answering("HTTP/1.1 99 No\r\n\r\n"),
    expected: failed("invalid_answer"),
  },
  {
    does: "gives two lengths",
    serve: answering("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
    expected: failed("invalid_answer"),
  },

  // Status and headers, and a fault after them. They decide the result.
  {
    does: "hints before it answers",
    serve: answering("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", OK),
    expected: answered(200),
  },
  {
    does: "stalls after the headers",
    serve: answering("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"),
    expected: answered(200),
  },
  {
    does: "stalls within the body",
    serve: answering("HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nhalf"),
    expected: answered(500, "half"),
  },
  {
    does: "resets within the body",
    serve: (socket) =>
      onRequest(socket, () => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", () => socket.resetAndDestroy());
      }),
    expected: { httpStatus: 200 },
  },
  {
    does: "closes within the body",
    serve: (socket) =>
      onRequest(socket, () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")),
    expected: answered(200, "half"),
  },
  {
    does: "drips the body without end",
    serve: (socket) =>
      onRequest(socket, () => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n");
        drip(socket, "a");
      }),
    expected: { httpStatus: 200, answer: expect.stringMatching(/^a{20,200}$/) },
  },
  {
    does: "drips chunk extensions without end",
    serve: (socket) =>
      onRequest(socket, () => {
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;");
        drip(socket, "a");
      }),
    expected: answered(200),
  },
  {
    does: "sends trailers without end",
    serve: (socket) =>
      onRequest(socket, () => {
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n");
        writeOn(socket, Buffer.from(`X-More: ${"a".repeat(999)}\r\n`));
      }),
    expected: answered(200, "a"),
  },
  {
    does: "sends chunks that aren't",
    serve: answering("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
    expected: answered(200),
  },
  {
    does: "says less than its length",
    serve: answering("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nabc"),
    expected: answered(200, "a"),
  },
  {
    does: "gives no length, as of old",
    serve: (socket) => onRequest(socket, () => socket.end("HTTP/1.0 200 OK\r\n\r\nold")),
    expected: answered(200, "old"),
  },
  {
    does: "answers garbage",
    serve: answering("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\na\0b", Buffer.from([0xff, 0xc3, 0x28])),
    expected: answered(200, "ab\ufffd\ufffd("),
  },
  {
    does: "answers before it has the body",
    serve: (socket) =>
      socket.once("data", () => socket.end("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")),
    expected: answered(413),
  },
  { does: "answers 204", serve: answering("HTTP/1.1 204 No Content\r\n\r\n"), expected: answered(204) },
  {
    does: "answers 400",
    serve: answering("HTTP/1.1 400 Bad\r\nContent-Length: 2\r\n\r\nno"),
    expected: answered(400, "no"),
  },
  {
    does: "answers 410",
    serve: answering("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n"),
    expected: answered(410),
  },
  {
    does: "answers 500",
    serve: answering("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"),
    expected: answered(500),
  },
  {
    does: "answers 999",
    serve: answering("HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n"),
    expected: answered(999),
  },
  ...["120", "0", "-1", "1.5", "Wed, 21 Oct 2099 07:28:00 GMT", "soon", ""].map((retryAfter) => ({
    does: `wants to be asked after ${JSON.stringify(retryAfter)}`,
    serve: answering(`HTTP/1.1 429 Slow\r\nRetry-After: ${retryAfter}\r\nContent-Length: 0\r\n\r\n`),
    expected: { ...answered(429), retryAfter },
  })),
  {
    does: "wants to be asked after two times",
    serve: answering("HTTP/1.1 503 No\r\nretry-after: 7\r\nRetry-After: 9\r\nContent-Length: 0\r\n\r\n"),
    expected: { ...answered(503), retryAfter: "7" },
  },
  {
    does: "wants nothing of the kind",
    serve: answering(OK),
    expected: { ...answered(200), retryAfter: null },
  },
];
