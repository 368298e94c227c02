import { z } from "zod";

const changeSchema = z.looseObject({ field: z.string(), value: z.record(z.string(), z.unknown()) });
const entrySchema = z.looseObject({ changes: z.array(z.unknown()) });
const bodySchema = z.looseObject({ entry: z.array(z.unknown()) });

/** Fields whose values are lists of what happened, each entry about one person. */
const LISTING_FIELDS: readonly string[] = ["messages", "user_preferences", "calls"];

const NOTHING = Buffer.alloc(0);

/**
 * A callback's stored bytes without what is about a person: entries that bear one of the names (numbers, WhatsApp's ids
 * of the person, ids of messages). What is about others stays, so that a callback that still waits keeps its meaning.
 * @returns null where there is nothing to cut out; no bytes for what names the person and isn't of the known shape.
 */
export function withoutEntriesOf(body: Buffer, names: ReadonlySet<string>): Buffer | null {
  const text = body.toString("utf8");
  const json = parse(text);
  if (json === undefined) return containsAny(text, names) ? NOTHING : null;
  if (!isNaming(json, names)) return null;
  const parsed = bodySchema.safeParse(json);
  if (!parsed.success) return NOTHING;
  const entry = parsed.data.entry.map((one) => cutEntry(one, names));
  return toBytes({ ...parsed.data, entry });
}

function cutEntry(entry: unknown, names: ReadonlySet<string>): unknown {
  const parsed = entrySchema.safeParse(entry);
  if (!parsed.success) return isNaming(entry, names) ? {} : entry;
  const changes = parsed.data.changes.flatMap((change) => cutChange(change, names));
  return { ...parsed.data, changes };
}

function cutChange(change: unknown, names: ReadonlySet<string>): readonly unknown[] {
  const parsed = changeSchema.safeParse(change);
  if (!parsed.success || !LISTING_FIELDS.includes(parsed.data.field)) {
    return isNaming(change, names) ? [] : [change];
  }
  const members = Object.entries(parsed.data.value).map(([key, member]) => [
    key,
    Array.isArray(member) ? member.filter((item) => !isAbout(item, names)) : member,
  ]);
  return [{ ...parsed.data, value: Object.fromEntries(members) }];
}

/** By the entry's own fields, and what WhatsApp tells of a person: not by what somebody else wrote. */
function isAbout(item: unknown, names: ReadonlySet<string>): boolean {
  if (typeof item !== "object" || item === null) return false;
  const told = "system" in item && typeof item.system === "object" ? Object.values(item.system ?? {}) : [];
  return [...Object.values(item), ...told].some((value) => typeof value === "string" && names.has(value));
}

/** Whether one of the names stands anywhere in it. A stack of its own: nobody promises how deep it is nested. */
function isNaming(value: unknown, names: ReadonlySet<string>): boolean {
  const open = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === "string" && names.has(one)) return true;
    if (typeof one === "object" && one !== null) for (const member of Object.values(one)) open.push(member);
  }
  return false;
}

function containsAny(text: string, names: ReadonlySet<string>): boolean {
  return [...names].some((name) => text.includes(name));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Nothing where it is nested too deep to be written again. */
function toBytes(value: unknown): Buffer {
  try {
    return Buffer.from(JSON.stringify(value));
  } catch {
    return NOTHING;
  }
}
