import { z } from "zod";
import { type FieldFault, WaypostError } from "../errors";

const MESSAGE_LENGTH_MAX = 300;

/** A form has fewer fields; what somebody makes up may have any number. */
const OTHERS_MAX = 20;

/** The first problem of an input, with the path of its field, and the first of each other field. */
export function validationError(cause: unknown): WaypostError {
  if (!(cause instanceof z.core.$ZodError)) return new WaypostError("validation_failed", { cause });
  const issue = cause.issues[0];
  if (!issue) return new WaypostError("validation_failed", { cause });
  const field = fieldOf(issue);
  if (field === undefined) return new WaypostError("validation_failed", { cause });
  const [, ...others] = faultsOf(cause.issues);
  return new WaypostError("validation_failed", { field, message: messageOf(field, issue), others, cause });
}

/** One for each field that is at fault. */
function faultsOf(issues: readonly z.core.$ZodIssue[]): FieldFault[] {
  const faults = new Map<string, FieldFault>();
  for (const issue of issues) {
    const field = fieldOf(issue);
    if (field === undefined || faults.has(field)) continue;
    faults.set(field, { field, message: messageOf(field, issue) });
    if (faults.size > OTHERS_MAX) break;
  }
  return [...faults.values()];
}

function messageOf(field: string, issue: z.core.$ZodIssue): string {
  const words =
    issue.code === "unrecognized_keys" ? "isn't a field of this request" : describe(issue.message);
  return `\`${field}\` ${words}.`.slice(0, MESSAGE_LENGTH_MAX);
}

function fieldOf(issue: z.core.$ZodIssue): string | undefined {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys" && issue.keys[0] !== undefined) path.push(issue.keys[0]);
  return path.length > 0 ? path.join(".").slice(0, 200) : undefined;
}

/** What Zod calls kinds of values, in JSON's words, with their article. */
const KINDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "a boolean",
  object: "an object",
  record: "an object",
  array: "an array",
};

/** Zod says "Invalid input: expected string, received number"; ours begin with "must" or "is". */
function describe(message: string): string {
  const [, expected, received] = /^Invalid input: expected (.+), received (.+)$/.exec(message) ?? [];
  if (received === "undefined") return "is required";
  if (expected !== undefined && received !== undefined)
    return `must be ${inWords(expected)}, not ${inWords(received)}`;
  const only = /^Invalid input: expected (".+")$/.exec(message);
  if (only) return `must be ${only[1]}`;
  if (message === "Invalid GUID") return "must be a UUID";
  if (/^(must|is|can't) /.test(message)) return message;
  return `is wrong: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}

const inWords = (kind: string) => KINDS[kind] ?? kind;
