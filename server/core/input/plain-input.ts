import { WaypostError } from "@/server/platform/errors";

/** Deeper than any valid input. A request of 64 KiB can nest thousands of brackets. */
const DEPTH_MAX = 16;
/** Field names come from the client. Errors show only as much of a path as helps to find the field. */
export const FIELD_LENGTH_MAX = 200;

/** Copies of an object lose this name: assigning it sets the prototype, and Zod's records omit it. */
const UNCOPIED_NAME = "__proto__";

/**
 * Refuses text that PostgreSQL can't store (NUL and lone surrogates) in any key or value, and any member named
 * `__proto__`, which would be dropped silently.
 * @throws WaypostError `validation_failed` naming the field.
 */
export function assertPlainInput(value: unknown, path = "", depth = 0): void {
  if (typeof value === "string") {
    if (!isReadable(value)) throw unreadable(path);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (depth >= DEPTH_MAX) {
    throw new WaypostError("validation_failed", {
      field: path.slice(0, FIELD_LENGTH_MAX),
      message: "The request is nested too deeply.",
    });
  }
  for (const [name, member] of Object.entries(value)) {
    if (!isReadable(name)) throw unreadable(path);
    const field = path === "" ? name : `${path}.${name}`;
    if (name === UNCOPIED_NAME) throw uncopied(field);
    assertPlainInput(member, field, depth + 1);
  }
}

/** Returns true if PostgreSQL can store the text and a person can read it. */
export function isReadable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

function unreadable(path: string): WaypostError {
  return new WaypostError("validation_failed", {
    field: path === "" ? undefined : path.slice(0, FIELD_LENGTH_MAX),
    message: "Text must not hold NUL characters or lone surrogates.",
  });
}

function uncopied(path: string): WaypostError {
  const field = path.slice(0, FIELD_LENGTH_MAX);
  return new WaypostError("validation_failed", {
    field,
    message: `\`${field}\` isn't a field of this request.`,
  });
}
