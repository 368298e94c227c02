import { FIELD_LENGTH_MAX, isReadable } from "@/server/core/input/plain-input";
import { isWaypostError, WaypostError } from "@/server/platform/errors";

const BODY_BYTES_MAX = 64 * 1024;

const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d] as const;
const [COMMA, COLON, QUOTE, BACKSLASH] = [0x2c, 0x3a, 0x22, 0x5c] as const;
/** The white space of JSON, and no other. */
const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

export interface BodyLimits {
  readonly bytesMax: number;
  /** Time limit for the whole body, from the start of reading to the last byte. */
  readonly timeoutMs: number;
}

const PUBLIC_LIMITS: BodyLimits = { bytesMax: BODY_BYTES_MAX, timeoutMs: 10_000 };

/** @throws WaypostError `payload_too_large` if the declared length exceeds the limit. */
export function checkDeclaredLength(contentLength: string | undefined): void {
  if (contentLength !== undefined && Number(contentLength) > BODY_BYTES_MAX) throw tooLarge(BODY_BYTES_MAX);
}

function tooLarge(bytesMax: number): WaypostError {
  return new WaypostError("payload_too_large", {
    message: `The request's body is larger than ${bytesMax / 1024} KiB.`,
  });
}

/** @throws WaypostError `unsupported_media_type`. A missing type counts as JSON. */
export function checkContentType(contentType: string | undefined): void {
  if (contentType === undefined || contentType.trim() === "") return;
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/json") return;
  throw new WaypostError("unsupported_media_type", { message: "The request's body must be JSON." });
}

/** @throws WaypostError `unsupported_media_type` for a compressed body. */
export function checkContentEncoding(contentEncoding: string | undefined): void {
  const encoding = contentEncoding?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") return;
  throw new WaypostError("unsupported_media_type", {
    message: "The request's body must not be encoded. Send it without `Content-Encoding`.",
  });
}

/**
 * Reads a body with a limit for its size and a time limit for all of it.
 * @throws WaypostError `payload_too_large`; `request_timeout`, also if the client disconnected.
 */
export async function readBody(
  source: AsyncIterable<Uint8Array>,
  { bytesMax, timeoutMs }: BodyLimits = PUBLIC_LIMITS,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const refuse = () => reject(neverArrived());
    timer = setTimeout(refuse, timeoutMs);
  });
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), late]);
      if (next.done) return Buffer.concat(chunks);
      size += next.value.byteLength;
      if (size > bytesMax) throw tooLarge(bytesMax);
      chunks.push(next.value);
    }
  } catch (error) {
    // Releases the source: while a node request is being iterated, no other code can read it to its end.
    iterator.return?.().catch(() => undefined);
    // If the client disconnected, its connection error must not be mistaken for one of the database.
    throw isWaypostError(error) ? error : neverArrived(error);
  } finally {
    clearTimeout(timer);
    late.catch(() => undefined);
  }
}

function neverArrived(cause?: unknown): WaypostError {
  return new WaypostError("request_timeout", { headers: { Connection: "close" }, cause });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** @throws WaypostError `validation_failed` for anything but a JSON object in UTF-8 without duplicate names. */
export function parseJsonObject(bytes: Uint8Array): Record<string, unknown> {
  if (bytes.length === 0) {
    throw new WaypostError("validation_failed", { message: "The body is empty. Send a JSON object." });
  }
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    value = JSON.parse(text);
  } catch (cause) {
    throw new WaypostError("validation_failed", { message: "The body isn't valid JSON in UTF-8.", cause });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new WaypostError("validation_failed", { message: "The body must be a JSON object." });
  }
  refuseDuplicateMember(text);
  return { ...value };
}

function refuseDuplicateMember(json: string): void {
  const path = findDuplicateMember(json);
  if (path === null) return;
  if (!path.every(isReadable)) {
    throw new WaypostError("validation_failed", { message: "The body has the same member twice." });
  }
  const field = path.join(".").slice(0, FIELD_LENGTH_MAX);
  throw new WaypostError("validation_failed", { field, message: `\`${field}\` is given twice.` });
}

/** Yields the body of a Fetch request in chunks. Yields nothing if there is no body. */
export async function* streamOf(request: Request): AsyncGenerator<Uint8Array> {
  if (!request.body) return;
  const reader = request.body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    reader.releaseLock();
  }
}

interface Level {
  /** Names found in the object so far. Null for an array. */
  readonly names: Set<string> | null;
  /** The current member, or the element's index. */
  at: string | number;
}

/**
 * Finds the first member whose object has another member with the same name. `JSON.parse` silently keeps the last one,
 * while another parser of the same body keeps the first. Reads the text once, whatever its nesting.
 * @param json valid JSON. Names are compared as `JSON.parse` reads them, with escapes resolved.
 * @returns the path from the root. Null if every name is unique.
 */
export function findDuplicateMember(json: string): string[] | null {
  const levels: Level[] = [];
  let level: Level | undefined;
  for (let index = 0; index < json.length; index += 1) {
    switch (json.charCodeAt(index)) {
      case OPEN_OBJECT:
        levels.push((level = { names: new Set(), at: "" }));
        break;
      case OPEN_ARRAY:
        levels.push((level = { names: null, at: 0 }));
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        levels.pop();
        level = levels.at(-1);
        break;
      case COMMA:
        if (typeof level?.at === "number") level.at += 1;
        break;
      case QUOTE: {
        const end = endOfString(json, index);
        if (level?.names && isName(json, end)) {
          const name: string = JSON.parse(json.slice(index, end));
          level.at = name;
          if (level.names.has(name)) return levels.map(({ at }) => String(at));
          level.names.add(name);
        }
        index = end - 1;
      }
    }
  }
  return null;
}

/** @returns the index after its closing quote. */
function endOfString(json: string, start: number): number {
  let index = start + 1;
  for (; json.charCodeAt(index) !== QUOTE; index += 1) {
    if (json.charCodeAt(index) === BACKSLASH) index += 1;
  }
  return index + 1;
}

/** A string is a name if a colon follows. */
function isName(json: string, end: number): boolean {
  let index = end;
  while (WHITE_SPACE.has(json.charCodeAt(index))) index += 1;
  return json.charCodeAt(index) === COLON;
}
