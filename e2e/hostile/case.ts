/** One request as far as it is well-formed HTTP: what must be known to judge its answer. */
export interface RequestLine {
  readonly method: string;
  /** As it was sent: path and query, or whatever stood in their place. */
  readonly target: string;
}

/** What one client does on one connection. */
export interface HostileCase {
  /** What is tried, in a word: for the figures, and to find it. */
  readonly family: string;
  /** The bytes, written one after the other. */
  readonly pieces: readonly Buffer[];
  /** The requests that these bytes hold, in order. */
  readonly requests: readonly RequestLine[];
  /**
   * - `each`: the bytes are valid HTTP, and each request gets one answer.
   * - `refused`: they may be no HTTP; requests that come whole are answered, the rest with a refusal.
   * - `dropped`: the client goes away at once and reads nothing.
   */
  readonly ending: "each" | "refused" | "dropped";
  /** The body of a `POST /messages` that may be accepted: it is read back then. */
  readonly message?: Buffer;
  /** The status of the answer to each of its requests, where nothing is wrong with them. */
  readonly mustBe?: 200 | 201;
}

export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/** The bytes of one request. Text of the head goes out as Latin-1, a byte for each character. */
export function requestBytes(
  { method, target }: RequestLine,
  headers: readonly HeaderLine[],
  body: Buffer | null = null,
): Buffer {
  const length = body === null ? [] : [{ name: "Content-Length", value: String(body.length) }];
  return Buffer.concat([
    headBytes(`${method} ${target} HTTP/1.1`, [...headers, ...length]),
    body ?? Buffer.alloc(0),
  ]);
}

export function headBytes(firstLine: string, headers: readonly HeaderLine[]): Buffer {
  const lines = headers.map(({ name, value }) => `${name}: ${value}\r\n`);
  return Buffer.from(`${firstLine}\r\n${lines.join("")}\r\n`, "latin1");
}

/** The body in chunks of these sizes, the last one takes the rest. */
export function chunked(body: Buffer, sizes: readonly number[] = []): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const size of [...sizes, body.length]) {
    const part = body.subarray(at, at + size);
    if (part.length === 0) continue;
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n"));
    at += part.length;
  }
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
}
