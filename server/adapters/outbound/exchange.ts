import { storableText } from "@/server/lib/text";
import type { Connection } from "./connection";
import { failureOfCall, type OutboundFailure } from "./failure";

const KEPT_BYTES_MAX = 2 * 1024;

export interface Exchange {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Deadline for the status line and the headers, by `performance.now()`. */
  readonly deadlineMs: number;
}

export type Exchanged =
  | {
      readonly kind: "answered";
      readonly httpStatus: number;
      readonly retryAfter: string | null;
      readonly answer: string;
      /** When the headers had arrived, by `performance.now()`. */
      readonly answeredAtMs: number;
      /** True if the response is complete and the connection can be reused. */
      readonly isWhole: boolean;
    }
  | { readonly kind: "failed"; readonly failure: OutboundFailure };

const ANSWER_TIMEOUT_MS = 2_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const INFORMATIONAL_MAX = 20;

/**
 * Posts once through this connection. The status line and the headers decide the result. Of the body, the first 64 KiB
 * are read, for at most two seconds. Unless the response was complete, the connection is closed.
 */
export async function exchange(
  connection: Connection,
  { path, headers, body, deadlineMs }: Exchange,
): Promise<Exchanged> {
  return new Promise((resolve) => {
    const excerpt = createExcerpt();
    let head: { httpStatus: number; retryAfter: string | null; answeredAtMs: number } | undefined;
    let informational = 0;
    let timer = setTimeout(() => fail("timeout"), deadlineMs - performance.now());

    const fail = (failure: OutboundFailure) => {
      clearTimeout(timer);
      resolve({ kind: "failed", failure });
      connection.end();
    };
    const answered = (isWhole: boolean) => {
      if (!head) return;
      clearTimeout(timer);
      resolve({ kind: "answered", ...head, answer: excerpt.text(), isWhole });
      if (isWhole) connection.served();
      else connection.end();
    };

    connection.client.dispatch(
      { method: "POST", path, headers, body },
      {
        onRequestStart: () => undefined,
        onResponseStart(_, httpStatus, { "retry-after": retryAfter = null }) {
          if (httpStatus < 200) {
            if (++informational > INFORMATIONAL_MAX) fail("invalid_answer");
            return;
          }
          const first = Array.isArray(retryAfter) ? (retryAfter[0] ?? null) : retryAfter;
          head = { httpStatus, retryAfter: first, answeredAtMs: performance.now() };
          clearTimeout(timer);
          timer = setTimeout(() => answered(false), ANSWER_TIMEOUT_MS);
        },
        onResponseData(_, chunk) {
          if (excerpt.add(chunk) > ANSWER_BYTES_MAX) answered(false);
        },
        onResponseEnd: () => answered(true),
        onResponseError: (_, error) => (head ? answered(false) : fail(failureOfCall(error))),
      },
    );
  });
}

/** The beginning of a response as text. */
interface Excerpt {
  /** @returns the number of bytes received so far. */
  add(chunk: Buffer): number;
  /**
   * Returns the first 2 KB read as UTF-8, without an incomplete character at the end. PostgreSQL can store the text,
   * and it has at most 2 KB again, whatever the bytes were.
   */
  text(): string;
}

export function createExcerpt(): Excerpt {
  const kept: Buffer[] = [];
  let size = 0;
  return {
    add(chunk) {
      // Copied, because the chunk of a socket is part of a larger buffer.
      if (size < KEPT_BYTES_MAX) kept.push(Buffer.from(chunk.subarray(0, KEPT_BYTES_MAX - size)));
      size += chunk.byteLength;
      return size;
    },
    text() {
      if (size === 0) return "";
      return atMost(storableText(new TextDecoder().decode(Buffer.concat(kept), { stream: true })));
    },
  };
}

/** Cuts the text again, because invalid UTF-8 grows: each byte becomes a character of three. */
function atMost(text: string): string {
  if (Buffer.byteLength(text) <= KEPT_BYTES_MAX) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(KEPT_BYTES_MAX));
  return text.slice(0, read);
}
