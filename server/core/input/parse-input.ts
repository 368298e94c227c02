import { z } from "zod";
import { type FieldFault, WaypostError } from "@/server/platform/errors";

const MESSAGE_LENGTH_MAX = 300;

/** More fields than any form has. Forged input may have any number. */
const OTHERS_MAX = 20;

/** JSON's names for Zod's kinds of values, with their article. */
const KINDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "an array",
};

/**
 * Parses the input with its schema, so that a verb's rules hold for every transport that calls it.
 * @throws WaypostError `validation_failed` with the first invalid field.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: z.input<S>): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw validationError(result.error, input);
}

/**
 * Converts a validation error: the first problem with the path of its field, and the first problem of each other field.
 * @param input the parsed input. It distinguishes missing fields from wrong ones.
 */
export function validationError(cause: unknown, input?: unknown): WaypostError {
  if (!(cause instanceof z.core.$ZodError)) return new WaypostError("validation_failed", { cause });
  const issue = cause.issues[0];
  if (!issue) return new WaypostError("validation_failed", { cause });
  const field = fieldOf(issue);
  if (field === undefined) return new WaypostError("validation_failed", { cause });
  const [, ...others] = faultsOf(cause.issues, input);
  const message = messageOf(field, issue, input);
  return new WaypostError("validation_failed", { field, message, others, cause });
}

/** Returns one fault for each invalid field. */
function faultsOf(issues: readonly z.core.$ZodIssue[], input: unknown): FieldFault[] {
  const faults = new Map<string, FieldFault>();
  for (const issue of issues) {
    const field = fieldOf(issue);
    if (field === undefined || faults.has(field)) continue;
    faults.set(field, { field, message: messageOf(field, issue, input) });
    if (faults.size > OTHERS_MAX) break;
  }
  return [...faults.values()];
}

function messageOf(field: string, issue: z.core.$ZodIssue, input: unknown): string {
  const words = isForMissing(issue, input) ? "is required" : wordsOf(issue);
  return `\`${field}\` ${words}.`.slice(0, MESSAGE_LENGTH_MAX);
}

function fieldOf(issue: z.core.$ZodIssue): string | undefined {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys" && issue.keys[0] !== undefined) path.push(issue.keys[0]);
  return path.length > 0 ? path.join(".").slice(0, 200) : undefined;
}

/** A schema's message for a wrong value is also used for a missing value, unless the schema defines its own message for a missing value. */
function isForMissing({ code, message, path }: z.core.$ZodIssue, input: unknown): boolean {
  const isAboutKind = code === "invalid_type" || code === "invalid_value" || code === "invalid_union";
  return isAboutKind && input !== undefined && !message.startsWith("is ") && !isPresent(input, path);
}

function isPresent(input: unknown, path: readonly PropertyKey[]): boolean {
  let value = input;
  for (const name of path) {
    if (typeof value !== "object" || value === null) return false;
    value = new Map<PropertyKey, unknown>(Object.entries(value)).get(String(name));
  }
  return value !== undefined;
}

function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return "isn't a field of this request";
  if (/^Invalid (option|input|discriminator value)\b/.test(issue.message)) {
    if (issue.code === "invalid_value") return oneOf(issue.values);
    if (issue.code === "invalid_union" && "options" in issue && issue.options) return oneOf(issue.options);
  }
  return describe(issue.message);
}

/** Lists a schema's values in the API's words: "must be one of a, b or c". */
function oneOf(values: readonly z.core.util.Primitive[]): string {
  const [last, ...others] = values.map(String).toReversed();
  if (others.length === 0) return `must be ${typeof values[0] === "string" ? `"${last}"` : last}`;
  const isBoolean = values.every((value) => typeof value === "boolean");
  return `must be ${isBoolean ? "" : "one of "}${others.toReversed().join(", ")} or ${last}`;
}

/**
 * Rewords Zod's messages. Zod says "Invalid input: expected string, received number"; ours begin with "must" or "is".
 */
function describe(message: string): string {
  const [, expected, received] = /^Invalid input: expected (.+), received (.+)$/.exec(message) ?? [];
  if (received === "undefined") return "is required";
  if (expected !== undefined && received !== undefined)
    return `must be ${inWords(expected)}, not ${inWords(received)}`;
  if (message === "Invalid GUID") return "must be a UUID";
  if (/^(must|is|can't) /.test(message)) return message;
  return `is wrong: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}

const inWords = (kind: string) => KINDS[kind] ?? kind;
