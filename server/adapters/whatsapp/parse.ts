import { storableText } from "@/server/lib/text";

/** Objects, lists and members: many times what a body of the upstream has, and few enough to be parsed in one go. */
const PARTS_MAX = 250_000;

/** @returns undefined for what is no JSON, or of so many parts that to parse it would hold up everyone else. */
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

/** Deeper than anything that the upstream sends: what lies below is left out. */
const DEPTH_MAX = 32;
/** More values than any update of the upstream has (a message can hold some hundred contact cards). */
const VALUES_MAX = 10_000;

/**
 * A part of a callback so that it can be stored and walked: PostgreSQL stores neither NUL nor lone surrogates, and what
 * is nested or listed without end would exhaust a stack, or hold up everyone else. Nothing else of what was said is
 * touched.
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
