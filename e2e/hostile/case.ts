/** One request as far as it is well-formed HTTP: the facts needed to judge its response. */
export interface RequestLine {
  readonly method: string;
  /** As sent: path and query, or any text in their place. */
  readonly target: string;
}

/** The actions of one client on one connection. */
export interface HostileCase {
  /** A short name of the attack, for figures and for finding it. */
  readonly family: string;
  /** The bytes, written one after the other. */
  readonly pieces: readonly Buffer[];
  /** The requests within these bytes, in order. */
  readonly requests: readonly RequestLine[];
  /**
   * - `each`: the bytes are valid HTTP, and each request gets one response.
   * - `refused`: they may be invalid HTTP; complete requests get a response, the rest a refusal.
   * - `dropped`: the client disconnects immediately and reads nothing.
   */
  readonly ending: "each" | "refused" | "dropped";
  /** The body of a `POST /messages` that may be accepted: it is then read back. */
  readonly message?: Buffer;
  /** The expected status of each response, if the requests are valid. */
  readonly mustBe?: 200 | 201;
}

export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/** Returns the bytes of one request. The head's text is sent as Latin-1, one byte per character. */
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

/** Splits the body into chunks of these sizes; the last one takes the rest. */
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
