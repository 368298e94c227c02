import { WaypostError } from "@/server/platform/errors";

/** Deeper than any input of ours; a request can nest 64 KiB of brackets. */
const DEPTH_MAX = 16;
/** Names are the client's: as much of a path is told as helps to find it. */
export const FIELD_LENGTH_MAX = 200;

/** A name that an object's copies don't keep: assigned, it sets the prototype, and Zod's records leave it out. */
const UNCOPIED_NAME = "__proto__";

/**
 * Refuses what PostgreSQL can't store and nobody can read, NUL and lone surrogates, anywhere in keys or values; and a
 * member `__proto__`, which would be dropped unseen.
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

/** Whether PostgreSQL can store it, and somebody read it. */
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
