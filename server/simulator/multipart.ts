/** A form body that violates RFC 7578. */
export class MultipartError extends Error {
  override readonly name = "MultipartError";
}

/** One part of a form. Its body must be read to the end before the next part is requested. */
export interface FormPart {
  readonly name: string;
  /** Null for a part that is no file. */
  readonly filename: string | null;
  /** In lower case. Null without the header. */
  readonly contentType: string | null;
  readonly body: AsyncIterable<Buffer>;
}

const headBytesMax = 8 * 1024;
const lineEnd = Buffer.from("\r\n");
const headEnd = Buffer.from("\r\n\r\n");

/** Returns the boundary in a Content-Type header. Null if it isn't a form. */
export function boundaryOf(contentType: string | undefined): string | null {
  const match = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(
    contentType ?? "",
  );
  return match?.[1] ?? match?.[2] ?? null;
}

/**
 * Yields the parts of a form (RFC 7578) as they arrive, with at most one chunk in memory. Throws MultipartError if the
 * bytes aren't such a form, or end too early.
 */
export async function* readForm(chunks: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<FormPart> {
  const bytes = new ByteReader(chunks);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  for await (const _ of bytes.until(delimiter));
  for (;;) {
    const tail = await bytes.take(2);
    if (tail.equals(Buffer.from("--"))) return;
    if (!tail.equals(lineEnd)) throw new MultipartError("a boundary isn't followed by a line end");
    const head: Buffer[] = [];
    let length = 0;
    for await (const piece of bytes.until(headEnd)) {
      length += piece.length;
      if (length > headBytesMax) throw new MultipartError("the head of a part is too long");
      head.push(piece);
    }
    const part = describe(Buffer.concat(head).toString("utf8"));
    yield { ...part, body: bytes.until(delimiter) };
  }
}

function describe(head: string): Omit<FormPart, "body"> {
  const headers = new Map(
    head.split("\r\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const disposition = headers.get("content-disposition") ?? "";
  const name = parameterOf(disposition, "name");
  if (name === null) throw new MultipartError("a part has no name");
  return {
    name,
    filename: parameterOf(disposition, "filename"),
    contentType: headers.get("content-type")?.toLowerCase() ?? null,
  };
}

function parameterOf(header: string, name: string): string | null {
  const match = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;]+))`, "i").exec(header);
  return match?.[1] ?? match?.[2] ?? null;
}

class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  /** A boundary at the very start counts as one at the start of a line. */
  #rest: Buffer = lineEnd;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  async take(count: number): Promise<Buffer> {
    while (this.#rest.length < count) await this.#more();
    return this.#cut(count);
  }

  /** Yields the bytes before the delimiter, and skips the delimiter. */
  async *until(delimiter: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const found = this.#rest.indexOf(delimiter);
      if (found !== -1) {
        if (found > 0) yield this.#cut(found);
        this.#cut(delimiter.length);
        return;
      }
      // The delimiter may have begun in the last bytes.
      const safe = this.#rest.length - delimiter.length + 1;
      if (safe > 0) yield this.#cut(safe);
      await this.#more();
    }
  }

  #cut(count: number): Buffer {
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return taken;
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#chunks.next();
    if (done === true) throw new MultipartError("the body ends before its last boundary");
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
  }
}
