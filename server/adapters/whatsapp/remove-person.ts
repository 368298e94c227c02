import { z } from "zod";

const changeSchema = z.looseObject({ field: z.string(), value: z.record(z.string(), z.unknown()) });
// A schema of its items would take far longer than looking at them.
const list = z.custom<unknown[]>(Array.isArray);
const entrySchema = z.looseObject({ changes: list });
const bodySchema = z.looseObject({ entry: list });
/** Letters and digits that are written as escapes: names could hide in them. */
const ESCAPED_ASCII = /\\u00[2-7]/i;

/** Fields whose values are lists of what happened, each entry about one person. */
const LISTING_FIELDS: readonly string[] = ["messages", "user_preferences", "calls"];

/** Members of an entry that say who the person is. */
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
  /** Statuses of a callback that still waits tell what became of messages: they stay until they are applied. */
  readonly keepsStatuses: boolean;
}

/**
 * A callback's stored bytes without what is about a person: entries that bear one of the names (numbers, WhatsApp's ids
 * of the person, ids of messages), and what tells more of whom they are about. What is about others stays, so that a
 * callback that still waits keeps its meaning.
 * @returns null where there is nothing to cut out; no bytes for what names the person and isn't of the known shape.
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

/** Where an entry is known by its message's id, what is told of its person beside it goes too. */
function withNamesIn(items: readonly unknown[], names: ReadonlySet<string>): ReadonlySet<string> {
  const more = items.flatMap((item) =>
    Object.entries(Object(item)).flatMap(([key, value]) =>
      PERSON_FIELDS.includes(key) && typeof value === "string" ? [value] : [],
    ),
  );
  return new Set([...names, ...more]);
}

/** By the entry's own fields, and what WhatsApp tells of a person: not by what somebody else wrote. */
function isAbout(item: unknown, names: ReadonlySet<string>): boolean {
  if (typeof item !== "object" || item === null) return false;
  const members = "system" in item && typeof item.system === "object" ? Object.values(item.system ?? {}) : [];
  return [...Object.values(item), ...members].some((value) => isName(value, names));
}

/** Whether one of the names stands anywhere in it. A stack of its own: nobody promises how deep it is nested. */
function isNaming(value: unknown, names: ReadonlySet<string>): boolean {
  const open = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (isName(one, names)) return true;
    if (typeof one === "object" && one !== null) for (const member of Object.values(one)) open.push(member);
  }
  return false;
}

/** A number may also come as a JSON number. */
function isName(value: unknown, names: ReadonlySet<string>): boolean {
  if (typeof value === "string") return names.has(value);
  return typeof value === "number" && names.has(String(value));
}

/** What numbers, ids of people and ids of messages are made of. */
const WORD = /[0-9A-Za-z+/=._-]+/g;

/** Looks at each word once, however many names there are. */
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

/** Nothing where it is nested too deep to be written again. */
function toBytes(value: unknown): Buffer {
  try {
    return Buffer.from(JSON.stringify(value));
  } catch {
    return NOTHING;
  }
}
