import { storableText } from "../../text";

/** Deeper than anything that the upstream sends: what lies below is left out. */
const DEPTH_MAX = 32;

/**
 * A callback's body as JSON that can be stored and walked: PostgreSQL stores neither NUL nor lone surrogates, and what
 * is nested without end would exhaust a stack later. Nothing else of what was said is touched.
 * @returns null for what is no JSON.
 */
export function parseCallback(body: Buffer): unknown {
  try {
    return storable(JSON.parse(body.toString("utf8")), 0);
  } catch {
    return null;
  }
}

function storable(value: unknown, depth: number): unknown {
  if (typeof value === "string") return storableText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEPTH_MAX) return null;
  if (Array.isArray(value)) return value.map((item) => storable(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [storableText(key), storable(item, depth + 1)]),
  );
}
