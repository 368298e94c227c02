import { errorCauses, rootCause } from "@/server/lib/error-causes";

/**
 * Names of fields whose values are never logged, in lower case and without separators. Matched by suffix, or as a
 * whole.
 */
const SECRET_ENDS = [
  "authorization",
  "apikey",
  "password",
  "secret",
  "token",
  "cookie",
  "signature",
] as const;
/** Fields with text that people wrote, and with their recipients. */
const PRIVATE_NAMES: ReadonlySet<string> = new Set(
  (
    "body text content caption payload entry params parameters variables values " +
    "to from recipient handle waid phone phonenumber msisdn email"
  ).split(" "),
);

const CENSORED = "[redacted]";
const DEPTH_MAX = 6;
const ITEMS_MAX = 100;
const TEXT_LENGTH_MAX = 2_000;
const FRAMES_MAX = 30;
const FRAME_LENGTH_MAX = 300;
/** Approximate limit for all facts of one line together, names included. The syntax around them comes on top. */
const FACTS_LENGTH_MAX = 32_000;

/**
 * Secrets that can be recognised by their form, anywhere in a text. Lines quote input of outsiders, so each pattern
 * begins with its own keyword and doesn't rescan what it has read: the time grows linearly with the text.
 */
const SECRET_TEXTS: readonly (readonly [RegExp, string | ((found: string) => string)])[] = [
  [/\bak_live_[0-9A-Za-z]+/g, `ak_live_${CENSORED}`],
  [/\bwhsec_[\w+/=-]+/g, `whsec_${CENSORED}`],
  // Meta's access tokens.
  [/\bEAA[0-9A-Za-z]{20,}/g, CENSORED],
  // Doesn't match if a word follows, as in "Basic authentication failed". Credentials are longer, or look different.
  [
    /\b([Bb][Ee][Aa][Rr][Ee][Rr]|[Bb][Aa][Ss][Ii][Cc]) +(?![A-Za-z][a-z]{0,14}[.:;)]*(?:[\s"\\,]|$))[^\s"\\,]+/g,
    `$1 ${CENSORED}`,
  ],
  [/((?:token|secret|password|appsecret_proof)=)[^&\s"\\]+/gi, `$1${CENSORED}`],
  // User and password of a URL. A file URL has none, and may have `@` in its path.
  [/(?<!\bfile):\/\/[^\s"\\]+/gi, withoutUser],
];

function withoutUser(address: string): string {
  const end = address.lastIndexOf("@");
  return end === -1 ? address : `://${CENSORED}${address.slice(end)}`;
}

/** Removes keys, tokens and passwords from the text. A line of JSON remains valid JSON. */
export function withoutSecrets(text: string): string {
  let kept = text;
  for (const [pattern, put] of SECRET_TEXTS) {
    kept = typeof put === "string" ? kept.replace(pattern, put) : kept.replace(pattern, put);
  }
  return kept;
}

/** Cuts a text to at most 2,000 characters. It never cuts a secret so that it would no longer be recognised. */
export function cutText(text: string, lengthMax: number = TEXT_LENGTH_MAX): string {
  return text.length > lengthMax ? `${withoutSecrets(text).slice(0, lengthMax)}…` : text;
}

/**
 * Returns the facts of a line as they may be logged: a copy without secrets, without text that people wrote and without
 * their phone numbers, at any depth, and limited to about 32,000 characters. Errors are logged with the stack frames of
 * their root and the messages of their wrappers, except Drizzle's, which repeat statements with their values.
 */
export function redacted(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return copyOfFields(facts, { depth: 0, above: new Set(), room: { left: FACTS_LENGTH_MAX } });
}

interface Copying {
  readonly depth: number;
  readonly above: ReadonlySet<object>;
  /** Shared by all facts of the line. */
  readonly room: { left: number };
}

/** Returns the state for one level deeper. */
function below({ depth, above, room }: Copying, value: object): Copying {
  return { depth: depth + 1, above: new Set(above).add(value), room };
}

function copyOfFields(fields: object, copying: Copying): Record<string, unknown> {
  const copy: [string, unknown][] = [];
  for (const [name, value] of Object.entries(fields).slice(0, ITEMS_MAX)) {
    if (copying.room.left <= 0) break;
    const shownName = show(name, copying);
    copy.push([shownName, isPrivate(name) ? censored(value) : copyOf(value, below(copying, fields))]);
  }
  return Object.fromEntries(copy);
}

function copyOfItems(items: readonly unknown[], copying: Copying): unknown[] {
  const copy: unknown[] = [];
  for (const item of items.slice(0, ITEMS_MAX)) {
    if (copying.room.left <= 0) break;
    copy.push(copyOf(item, below(copying, items)));
  }
  return copy;
}

function isPrivate(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return PRIVATE_NAMES.has(plain) || SECRET_ENDS.some((end) => plain.endsWith(end));
}

/** An absent value may be logged as absent. */
function censored(value: unknown): unknown {
  return value === null || value === undefined ? value : CENSORED;
}

function copyOf(value: unknown, copying: Copying): unknown {
  copying.room.left -= 1;
  if (typeof value === "string") return show(value, copying);
  if (typeof value === "bigint") return show(String(value), copying);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return describeError(value, copying);
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (copying.above.has(value)) return "[circular]";
  if (copying.depth >= DEPTH_MAX) return "[deeper]";
  if (value instanceof Set) return copyOfItems([...value], below(copying, value));
  if (value instanceof Map) return copyOfFields(Object.fromEntries(value), below(copying, value));
  return Array.isArray(value) ? copyOfItems(value, copying) : copyOfFields(value, copying);
}

/** Shortens a text to the remaining space. */
function show(text: string, { room }: Copying, lengthMax?: number): string {
  const shown = cutText(text, lengthMax);
  room.left -= shown.length;
  return shown;
}

/** Describes an error by its root, without the values in it. */
function describeError(error: Error, copying: Copying): Record<string, unknown> {
  const root = firstOf(rootCause(error));
  const frames = framesOf(root);
  return {
    type: root.name,
    message: show(wordsOf(error), copying),
    code: "code" in root && typeof root.code === "string" ? root.code : undefined,
    // Some of Node's own errors have no frames.
    stack: show(frames === "" ? framesOf(error) : frames, copying, FRAMES_MAX * FRAME_LENGTH_MAX),
  };
}

function framesOf({ stack = "" }: Error): string {
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return frames
    .slice(0, FRAMES_MAX)
    .map((frame) => cutText(frame, FRAME_LENGTH_MAX))
    .join("\n");
}

/** Node tries several addresses of a name, and reports the error of each. */
function firstOf(error: Error): Error {
  return error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
}

/** Returns the messages of an error and of its causes. */
function wordsOf(error: Error): string {
  const chain = errorCauses(error);
  return chain.reduceRight((shown, one, index) => {
    const cause = chain[index + 1];
    return cause === undefined ? messageOf(firstOf(one)) : around(one, cause, shown);
  }, "");
}

const STATEMENT = /^Failed query: /;

/** @param shown the loggable text of the cause. Wrapping errors often repeat it. */
function around(error: Error, cause: Error, shown: string): string {
  const { message } = error;
  if (STATEMENT.test(message) || message === "") return shown;
  if (cause.message !== "" && message.includes(cause.message)) {
    return message.replaceAll(cause.message, () => shown);
  }
  const own = messageOf(error);
  if (shown.startsWith(own)) return shown;
  return shown === "" || own.includes(shown) ? own : `${own}: ${shown}`;
}

/** SQLSTATE class 22, data exceptions: PostgreSQL quotes the invalid value. */
const DATA_EXCEPTION = /^22/;

function messageOf(error: Error): string {
  const { message, name } = error;
  if ("issues" in error && Array.isArray(error.issues)) return issuesOf(error.issues);
  const isDataException =
    "code" in error && typeof error.code === "string" && DATA_EXCEPTION.test(error.code);
  // JSON.parse quotes its input.
  if (name === "SyntaxError" || isDataException) return message.replace(/["'].*["']/s, CENSORED);
  // Drizzle's message, if the error has no cause.
  return message.replace(/\nparams: .*$/s, "");
}

/** Zod's message repeats unknown field names, and values. */
function issuesOf(issues: readonly unknown[]): string {
  const words = issues.slice(0, ITEMS_MAX).map((issue) => {
    const { code, path } = Object(issue);
    return `${String(code)} at ${Array.isArray(path) ? path.map(String).join(".") : ""}`;
  });
  return words.join("; ");
}
