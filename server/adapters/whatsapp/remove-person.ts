import { z } from "zod";

const changeSchema = z.looseObject({ field: z.string(), value: z.record(z.string(), z.unknown()) });
// Doesn't check the items: a schema for them would take far longer than the search.
const list = z.custom<unknown[]>(Array.isArray);
const entrySchema = z.looseObject({ changes: list });
const bodySchema = z.looseObject({ entry: list });
/** ASCII letters and digits written as escapes. They could hide names. */
const ESCAPED_ASCII = /\\u00[2-7]/i;

/** Fields with lists of events, each entry about one person. */
const LISTING_FIELDS: readonly string[] = ["messages", "user_preferences", "calls"];

/** Members of an entry that identify the person. */
const PERSON_FIELDS: readonly string[] = [
  "from",
  "from_user_id",
  "from_parent_user_id",
  "recipient_id",
  "recipient_user_id",
  "recipient_parent_user_id",
  "wa_id",
  "user_id",
  "parent_user_id",
];

const NOTHING = Buffer.alloc(0);

interface RemoveOptions {
  /** If true, statuses stay until they are applied, because an unprocessed callback still needs them. */
  readonly keepsStatuses: boolean;
}

/**
 * Removes a person's data from a callback's stored bytes: entries that contain one of the names (numbers, WhatsApp's
 * ids of the person, ids of messages), and further data about the same people. Data about others stays, so that an
 * unprocessed callback keeps its meaning.
 * @returns null if there is nothing to remove; empty bytes for content that names the person and doesn't have the known
 * format.
 */
export function withoutEntriesOf(
  body: Buffer,
  names: ReadonlySet<string>,
  options: RemoveOptions = { keepsStatuses: false },
): Buffer | null {
  const text = body.toString("utf8");
  if (!containsAny(text, names) && !ESCAPED_ASCII.test(text)) return null;
  const json = parse(text);
  if (json === undefined) return containsAny(text, names) ? NOTHING : null;
  if (!isNaming(json, names)) return null;
  const parsed = bodySchema.safeParse(json);
  if (!parsed.success) return NOTHING;
  const entry = parsed.data.entry.map((one) => cutEntry(one, names, options));
  return toBytes({ ...parsed.data, entry });
}

function cutEntry(entry: unknown, names: ReadonlySet<string>, options: RemoveOptions): unknown {
  const parsed = entrySchema.safeParse(entry);
  if (!parsed.success) return isNaming(entry, names) ? {} : entry;
  const changes = parsed.data.changes.flatMap((change) => cutChange(change, names, options));
  return { ...parsed.data, changes };
}

function cutChange(
  change: unknown,
  names: ReadonlySet<string>,
  { keepsStatuses }: RemoveOptions,
): readonly unknown[] {
  const parsed = changeSchema.safeParse(change);
  if (!parsed.success || !LISTING_FIELDS.includes(parsed.data.field)) {
    return isNaming(change, names) ? [] : [change];
  }
  const members = Object.entries(parsed.data.value);
  const items = members.flatMap(([, member]): readonly unknown[] => (Array.isArray(member) ? member : []));
  const namesHere = withNamesIn(
    items.filter((item) => isAbout(item, names)),
    names,
  );
  const left = members.map(([key, member]) => {
    if (!Array.isArray(member) || (keepsStatuses && key === "statuses")) return [key, member];
    const namesToCut = key === "contacts" ? namesHere : names;
    return [key, member.filter((item) => !isAbout(item, namesToCut))];
  });
  return [{ ...parsed.data, value: Object.fromEntries(left) }];
}

/** If an entry is identified by its message's id, further data about its person is removed too. */
function withNamesIn(items: readonly unknown[], names: ReadonlySet<string>): ReadonlySet<string> {
  const more = items.flatMap((item) =>
    Object.entries(Object(item)).flatMap(([key, value]) =>
      PERSON_FIELDS.includes(key) && typeof value === "string" ? [value] : [],
    ),
  );
  return new Set([...names, ...more]);
}

/** Checks the entry's own fields, and WhatsApp's information about a person, but not text that other people wrote. */
function isAbout(item: unknown, names: ReadonlySet<string>): boolean {
  if (typeof item !== "object" || item === null) return false;
  const members = "system" in item && typeof item.system === "object" ? Object.values(item.system ?? {}) : [];
  return [...Object.values(item), ...members].some((value) => isName(value, names));
}

/**
 * Returns true if one of the names occurs anywhere in the value. Uses its own stack, because the nesting has no limit.
 */
function isNaming(value: unknown, names: ReadonlySet<string>): boolean {
  const open = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (isName(one, names)) return true;
    if (typeof one === "object" && one !== null) for (const member of Object.values(one)) open.push(member);
  }
  return false;
}

/** A number may also be a JSON number. */
function isName(value: unknown, names: ReadonlySet<string>): boolean {
  if (typeof value === "string") return names.has(value);
  return typeof value === "number" && names.has(String(value));
}

/** Characters of numbers, ids of people and ids of messages. */
const WORD = /[0-9A-Za-z+/=._-]+/g;

/** Checks each word once, however many names there are. */
function containsAny(text: string, names: ReadonlySet<string>): boolean {
  for (const [word] of text.matchAll(WORD)) {
    if (names.has(word) || names.has(word.replace(/^\+|\.$/g, ""))) return true;
  }
  return false;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns nothing if the value is nested too deeply to be serialized. */
function toBytes(value: unknown): Buffer {
  try {
    return Buffer.from(JSON.stringify(value));
  } catch {
    return NOTHING;
  }
}
