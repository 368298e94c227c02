/** Names of fields, lower-case and without separators, whose values are never told: by their end, or as a whole. */
const SECRET_ENDS = [
  "authorization",
  "apikey",
  "password",
  "secret",
  "token",
  "cookie",
  "signature",
] as const;
/** What people wrote, and to whom. */
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

/** Secrets that can be known by how they look, wherever in a text they stand. */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\bak_live_[0-9A-Za-z]+/g, `ak_live_${CENSORED}`],
  [/\bwhsec_[\w+/=-]+/g, `whsec_${CENSORED}`],
  // Meta's access tokens.
  [/\bEAA[0-9A-Za-z]{20,}/g, CENSORED],
  [/\b(Bearer|Basic) +[^\s"\\,]+/gi, `$1 ${CENSORED}`],
  [/\b([\w.]*(?:token|secret|password|appsecret_proof)=)[^&\s"\\]+/gi, `$1${CENSORED}`],
  // User and password of an address.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s"\\]*@/gi, `$1${CENSORED}@`],
];

/** The text without the keys, tokens and passwords in it. Also for a line of JSON, which stays one. */
export function withoutSecrets(text: string): string {
  return SECRET_TEXTS.reduce((kept, [pattern, replacement]) => kept.replace(pattern, replacement), text);
}

/**
 * What may be logged of the facts of a line: a copy without secrets, without what people wrote and without their numbers,
 * at any depth. Errors are told by their root: what wraps it repeats statements with their values.
 */
export function redacted(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return copyOfFields(facts, 0, new Set());
}

function copyOfFields(fields: object, depth: number, above: ReadonlySet<object>): Record<string, unknown> {
  const within = new Set(above).add(fields);
  return Object.fromEntries(
    Object.entries(fields)
      .slice(0, ITEMS_MAX)
      .map(([name, value]) => [name, isPrivate(name) ? censored(value) : copyOf(value, depth + 1, within)]),
  );
}

function isPrivate(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return PRIVATE_NAMES.has(plain) || SECRET_ENDS.some((end) => plain.endsWith(end));
}

/** That there was none may be told. */
function censored(value: unknown): unknown {
  return value === null || value === undefined ? value : CENSORED;
}

function copyOf(value: unknown, depth: number, above: ReadonlySet<object>): unknown {
  if (typeof value === "string") return cut(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return describeError(value);
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (above.has(value)) return "[circular]";
  if (depth >= DEPTH_MAX) return "[deeper]";
  const within = new Set(above).add(value);
  if (value instanceof Set) return copyOf([...value], depth, within);
  if (value instanceof Map) return copyOfFields(Object.fromEntries(value), depth, within);
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((one) => copyOf(one, depth + 1, within));
  return copyOfFields(value, depth, above);
}

function cut(text: string): string {
  return text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text;
}

const CAUSES_MAX = 10;

/** The root of an error without the values in it. */
function describeError(error: Error): Record<string, unknown> {
  const root = rootOf(error);
  const code = "code" in root && typeof root.code === "string" ? root.code : undefined;
  const frames = (root.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    type: root.name,
    message: cut(messageOf(root, code)),
    code,
    stack: frames.slice(0, FRAMES_MAX).join("\n"),
  };
}

function rootOf(error: Error): Error {
  let root = error;
  for (let seen = 0; seen < CAUSES_MAX && root.cause instanceof Error; seen += 1) root = root.cause;
  if (root instanceof AggregateError && root.errors[0] instanceof Error) return root.errors[0];
  return root;
}

/** SQLSTATE class 22, data exceptions: PostgreSQL quotes the value that it couldn't take. */
const DATA_EXCEPTION = /^22/;

function messageOf(error: Error, code: string | undefined): string {
  const { message, name } = error;
  if ("issues" in error && Array.isArray(error.issues)) return issuesOf(error.issues);
  // JSON.parse quotes what it read.
  const quotes = name === "SyntaxError" || (code !== undefined && DATA_EXCEPTION.test(code));
  if (quotes) return message.replace(/["'].*["']/s, CENSORED);
  // Drizzle's, where it has no cause.
  return message.replace(/\nparams: .*$/s, "");
}

/** Zod's message repeats names of fields that it didn't know, and values. */
function issuesOf(issues: readonly unknown[]): string {
  const words = issues.slice(0, ITEMS_MAX).map((issue) => {
    const { code, path } = Object(issue);
    return `${String(code)} at ${Array.isArray(path) ? path.map(String).join(".") : ""}`;
  });
  return words.join("; ");
}
