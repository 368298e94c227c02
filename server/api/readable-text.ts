import { WaypostError } from "../errors";

/** Deeper than any input of ours; a request can nest 64 KiB of brackets. */
const DEPTH_MAX = 16;
/** Names are the client's: as much of a path is told as helps to find it. */
const FIELD_LENGTH_MAX = 200;

/**
 * Refuses what PostgreSQL can't store and nobody can read: NUL and lone surrogates, anywhere in keys or values.
 * @throws WaypostError `validation_failed` naming the field.
 */
export function assertReadableText(value: unknown, path = "", depth = 0): void {
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
    assertReadableText(member, path === "" ? name : `${path}.${name}`, depth + 1);
  }
}

function isReadable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

function unreadable(path: string): WaypostError {
  return new WaypostError("validation_failed", {
    field: path === "" ? undefined : path.slice(0, FIELD_LENGTH_MAX),
    message: "Text must not hold NUL characters or lone surrogates.",
  });
}
