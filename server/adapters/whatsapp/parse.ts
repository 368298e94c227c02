import { storableText } from "@/server/lib/text";

/**
 * Maximum number of objects, lists and members: many times the upstream's usual number, and few enough to parse in one
 * step.
 */
const PARTS_MAX = 250_000;

/** @returns undefined if it isn't JSON, or has so many parts that parsing it would block other requests. */
export function parseCallback(body: Buffer): unknown {
  if (body.length > PARTS_MAX && hasTooManyParts(body)) return undefined;
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

const [QUOTE, BACKSLASH, BRACE, BRACKET, COLON] = Buffer.from('"\\{[:');

function hasTooManyParts(body: Buffer): boolean {
  let parts = 0;
  let isInString = false;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index];
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString) index += byte === BACKSLASH ? 1 : 0;
    else if (byte === BRACE || byte === BRACKET || byte === COLON) parts += 1;
  }
  return parts > PARTS_MAX;
}

/** Deeper than anything that the upstream sends. Deeper values are dropped. */
const DEPTH_MAX = 32;
/** More values than any update of the upstream has (a message can contain several hundred contact cards). */
const VALUES_MAX = 10_000;

/**
 * Makes a part of a callback safe to store and to traverse. PostgreSQL stores neither NUL nor lone surrogates, and
 * excessive nesting or lists would overflow a stack or block other requests. All other content is unchanged.
 */
export function storable(value: unknown): unknown {
  return copyOf(value, 0, { valuesLeft: VALUES_MAX });
}

function copyOf(value: unknown, depth: number, budget: { valuesLeft: number }): unknown {
  budget.valuesLeft -= 1;
  if (typeof value === "string") return storableText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEPTH_MAX) return null;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      if (budget.valuesLeft <= 0) break;
      items.push(copyOf(item, depth + 1, budget));
    }
    return items;
  }
  const source: object = value;
  const members: [string, unknown][] = [];
  for (const key in source) {
    if (budget.valuesLeft <= 0) break;
    members.push([storableText(key), copyOf(Reflect.get(source, key), depth + 1, budget)]);
  }
  return Object.fromEntries(members);
}
