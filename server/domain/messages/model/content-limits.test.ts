import { expect, test } from "vitest";
import { z } from "zod";
import { validationError } from "@/server/core/input/parse-input";
import { sendMessageInput } from "./send-request";
import { sendMessageRequest } from "./send-request-document";

type Json = Readonly<Record<string, unknown>>;

const ID = "01890a5d-ac96-774b-bcce-b302099a8057";

/** Fields that have the same rules with each type. */
const COMMON = ["client_message_id", "type", "channel_id", "thread_id", "to", "reply_to"];
const KEYWORDS = ["minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"] as const;
type Keyword = (typeof KEYWORDS)[number];

const FRAME = { "interactive.header": [1, 60], "interactive.footer": [1, 60] } as const;
const FILENAME = { "media.filename": [1, 240] } as const;
const CAPTION = { "text.body": [0, 1024] } as const;

/**
 * The least and the most characters, entries or degrees, by kind and path: Meta's limits ("Text messages", "Media",
 * "Interactive list messages", "Interactive reply buttons messages", "Interactive call-to-action URL button messages",
 * "Location request messages", "Contacts messages").
 */
const META: Readonly<Record<string, Readonly<Record<string, readonly [least: number, most: number]>>>> = {
  text: { "text.body": [1, 4096] },
  image: CAPTION,
  video: CAPTION,
  document: CAPTION,
  template: { "template.variables.*": [1, Infinity] },
  "interactive.buttons": {
    "interactive.body": [1, 1024],
    ...FRAME,
    "interactive.buttons": [1, 3],
    "interactive.buttons.*.id": [1, 256],
    "interactive.buttons.*.title": [1, 20],
  },
  "interactive.list": {
    "interactive.body": [1, 4096],
    ...FRAME,
    "interactive.button": [1, 20],
    "interactive.sections": [1, 10],
    "interactive.sections.*.title": [0, 24],
    "interactive.sections.*.rows": [1, Infinity],
    "interactive.sections.*.rows.*.id": [1, 200],
    "interactive.sections.*.rows.*.title": [1, 24],
    "interactive.sections.*.rows.*.description": [0, 72],
  },
  "interactive.cta_url": {
    "interactive.body": [1, 1024],
    ...FRAME,
    "interactive.text": [1, 20],
    "interactive.url": [0, 2000],
  },
  "interactive.location_request": { "interactive.body": [1, 1024] },
  location: { "location.latitude": [-90, 90], "location.longitude": [-180, 180] },
  contacts: { contacts: [1, 257] },
};

/** Limits of Waypost. Meta documents none. */
const OURS: typeof META = {
  image: FILENAME,
  audio: FILENAME,
  video: FILENAME,
  document: FILENAME,
  sticker: FILENAME,
  location: { "location.name": [0, 1000], "location.address": [0, 1000] },
  contacts: {
    "contacts.*.name": [1, 256],
    "contacts.*.company": [1, 256],
    "contacts.*.phones": [1, 20],
    "contacts.*.phones.*": [1, 256],
    "contacts.*.emails": [0, 20],
    "contacts.*.emails.*": [1, 256],
  },
};

interface Limit {
  /** The type, and where its content has several shapes, the shape. */
  readonly kind: string;
  /** `*` stands for an entry of a list, or a member. */
  readonly path: string;
  readonly keyword: Keyword;
  readonly value: number;
}

const schema: Json = z.toJSONSchema(sendMessageRequest, { io: "input", unrepresentable: "any" });

const asJson = (value: unknown): Json => Object(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Follows a reference, and leaves out that a field may be null. */
function resolved(part: unknown): Json {
  const { $ref, anyOf, ...rest } = asJson(part);
  if (typeof $ref === "string") return resolved(asJson(schema.$defs)[$ref.replace("#/$defs/", "")]);
  const other = listOf(anyOf).find((one) => asJson(one).type !== "null");
  return other === undefined ? rest : resolved(other);
}

/** Returns the limits in a part of the schema, and in what it contains. */
function limitsIn(kind: string, path: string, part: unknown): Limit[] {
  const { properties, items, additionalProperties, oneOf, ...own } = resolved(part);
  const shapes = listOf(oneOf).flatMap((shape) => {
    const { const: name } = asJson(asJson(resolved(shape).properties).type);
    return limitsIn(`${kind}.${String(name)}`, path, shape);
  });
  const members = Object.entries(asJson(properties)).map(([name, member]) => [`${path}.${name}`, member]);
  const entries = [items, additionalProperties].filter(Boolean).map((entry) => [`${path}.*`, entry]);
  return [
    ...KEYWORDS.flatMap((keyword) => {
      const value = own[keyword];
      return typeof value === "number" ? [{ kind, path, keyword, value }] : [];
    }),
    ...shapes,
    ...[...members, ...entries].flatMap(([below, member]) => limitsIn(kind, String(below), member)),
  ];
}

/** All limits of the contents that the schema describes. */
const FOUND: readonly Limit[] = listOf(schema.oneOf).flatMap((request) => {
  const { type, ...fields } = asJson(resolved(request).properties);
  return Object.entries(fields)
    .filter(([name]) => !COMMON.includes(name))
    .flatMap(([name, content]) => limitsIn(String(asJson(type).const), name, content));
});

test("the schema has Meta's limits, those of Waypost, and no others", () => {
  const listed = [META, OURS].flatMap((table) =>
    Object.entries(table).flatMap(([kind, limits]) =>
      Object.entries(limits).flatMap(([path, [least, most]]) => [
        ...(least === 0 ? [] : [`${kind} ${path} from ${least}`]),
        ...(most === Infinity ? [] : [`${kind} ${path} to ${most}`]),
      ]),
    ),
  );
  const found = FOUND.map(
    ({ kind, path, keyword, value }) =>
      `${kind} ${path} ${keyword.startsWith("min") ? "from" : "to"} ${value}`,
  );
  expect(found.toSorted()).toEqual(listed.toSorted());
});

const media = { storage_key: "a", filename: "a" };
const text = { body: "a" };

/** A content of each kind, with a value of every field that has a limit. */
const WHOLE: Readonly<Record<string, Json>> = {
  text: { text },
  image: { media, text },
  audio: { media },
  video: { media, text },
  document: { media, text },
  sticker: { media },
  template: { template: { name: "a", language: "en", variables: { "1": "a" } } },
  "interactive.buttons": {
    interactive: { type: "buttons", body: "a", header: "a", footer: "a", buttons: [{ id: "a", title: "a" }] },
  },
  "interactive.list": {
    interactive: {
      type: "list",
      body: "a",
      header: "a",
      footer: "a",
      button: "a",
      sections: [{ title: "a", rows: [{ id: "a", title: "a", description: "a" }] }],
    },
  },
  "interactive.cta_url": {
    interactive: { type: "cta_url", body: "a", header: "a", footer: "a", text: "a", url: "https://a.b" },
  },
  "interactive.location_request": { interactive: { type: "location_request", body: "a" } },
  reaction: { reaction: { message_id: ID, emoji: "👍" } },
  location: { location: { latitude: 1, longitude: 2, name: "a", address: "a" } },
  contacts: { contacts: [{ name: "a", phones: ["1"], emails: ["a"], company: "a" }] },
};

/** Returns the value with another one at the path: that of the first entry or member, where the path has `*`. */
function changed(value: unknown, way: readonly string[], change: (old: unknown) => unknown): unknown {
  const [step, ...rest] = way;
  if (step === undefined) return change(value);
  if (Array.isArray(value)) return value.map((one: unknown) => changed(one, rest, change));
  const name = step === "*" ? String(Object.keys(asJson(value))[0]) : step;
  return { ...asJson(value), [name]: changed(asJson(value)[name], rest, change) };
}

/** Returns an entry whose texts differ from those of the others. */
function numbered(entry: unknown, index: number): unknown {
  if (typeof entry === "string") return `${entry}${index}`;
  if (Array.isArray(entry)) return entry.map((one: unknown) => numbered(one, index));
  const members = Object.entries(asJson(entry)).map(([name, member]) => [name, numbered(member, index)]);
  return Object.fromEntries(members);
}

/** Returns a value of that size: a text of characters that take two UTF-16 units each, a list, or a number. */
function ofSize(old: unknown, size: number): unknown {
  if (typeof old === "number") return size;
  if (Array.isArray(old)) return Array.from({ length: size }, (_, index) => numbered(old[0], index));
  const text = String(old);
  return text.startsWith("https:") ? `${text}/`.padEnd(size, "x") : "👋".repeat(size);
}

/** Returns the field that the error names for a content with a value of that size; null if it is accepted. */
function fieldOf({ kind, path }: Limit, size: number): string | null {
  const content = changed(WHOLE[kind], path.split("."), (old) => ofSize(old, size));
  const [type] = kind.split(".", 1);
  const body = { client_message_id: "a", thread_id: ID, type, ...asJson(content) };
  const { error } = sendMessageInput.safeParse(body);
  return error ? (validationError(error, body).field ?? "") : null;
}

test.each(FOUND)("$kind: $path: $keyword $value is accepted, and beyond it the field is named", (limit) => {
  const { path, keyword, value } = limit;
  const field = path.replaceAll(".*", path.startsWith("template") ? ".1" : ".0");
  expect(fieldOf(limit, value)).toBeNull();
  expect(fieldOf(limit, value + (keyword.startsWith("min") ? -1 : 1))).toBe(field);
});
