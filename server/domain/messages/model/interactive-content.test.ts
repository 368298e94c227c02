import { expect, test } from "vitest";
import { validationError } from "@/server/core/input/parse-input";
import { sendMessageInput } from "./send-request";

type Json = Readonly<Record<string, unknown>>;

/** Returns the field that an error names; null for accepted content. */
function fieldOf(interactive: unknown): string | null {
  const body = {
    client_message_id: "a",
    thread_id: "01890a5d-ac96-774b-bcce-b302099a8057",
    type: "interactive",
    interactive,
  };
  const { error } = sendMessageInput.safeParse(body);
  return error ? (validationError(error, body).field ?? "") : null;
}

const button = (index: number, changes: Json = {}) => ({ id: `${index}`, title: `B${index}`, ...changes });
const row = (index: number, changes: Json = {}) => ({ id: `${index}`, title: `Row ${index}`, ...changes });
const rows = (count: number, from = 0) => Array.from({ length: count }, (_, index) => row(from + index));

const WHOLE = {
  buttons: { type: "buttons", body: "Hi", buttons: [button(1)] },
  list: { type: "list", body: "Hi", button: "Open", sections: [{ rows: rows(1) }] },
  cta_url: { type: "cta_url", body: "Hi", text: "Show", url: "https://example.com" },
  location_request: { type: "location_request", body: "Where?" },
} as const;
type Kind = keyof typeof WHOLE;

const sections = (...list: readonly Json[]) => ({ sections: list });
const buttons = (...list: readonly Json[]) => ({ buttons: list });

/**
 * Meta's rules, besides the limits in content-limits.test.ts: changes that just keep one, and the field that the error
 * names for changes that break it.
 */
const RULES: readonly (readonly [limit: string, Kind, kept: Json, broken: Json, field: string])[] = [
  ["no body", "list", { body: "." }, { body: " " }, "body"],
  ["no header or footer", "location_request", { body: "a" }, { footer: "a" }, "footer"],
  [
    "unique button ids",
    "buttons",
    buttons(button(1), button(2)),
    buttons(button(1), button(2, { id: "1" })),
    "buttons.1.id",
  ],
  [
    "unique button titles",
    "buttons",
    buttons(button(1), button(2)),
    buttons(button(1), button(2, { title: "B1" })),
    "buttons.1.title",
  ],
  ["another field", "buttons", {}, { url: "https://example.com" }, "url"],
  ["no list button", "list", {}, { button: undefined }, "button"],
  ["rows, at most", "list", sections({ rows: rows(10) }), sections({ rows: rows(11) }), "sections.0.rows.10"],
  [
    "rows of all sections, at most",
    "list",
    sections({ title: "A", rows: rows(6) }, { title: "B", rows: rows(4, 6) }),
    sections({ title: "A", rows: rows(6) }, { title: "B", rows: rows(5, 6) }),
    "sections.1.rows.4",
  ],
  [
    "titles of several sections",
    "list",
    sections({ title: "A", rows: rows(1) }, { title: "B", rows: rows(1, 1) }),
    sections({ title: "A", rows: rows(1) }, { rows: rows(1, 1) }),
    "sections.1.title",
  ],
  ...[" ", "\u200b", "", null].map(
    (title) =>
      [
        `no title like ${JSON.stringify(title)} of several sections`,
        "list",
        sections({ title, rows: rows(1) }),
        sections({ title: "A", rows: rows(1) }, { title, rows: rows(1, 1) }),
        "sections.1.title",
      ] as const,
  ),
  [
    "unique row ids",
    "list",
    sections({ title: "A", rows: rows(1) }, { title: "B", rows: rows(1, 1) }),
    sections({ title: "A", rows: rows(1) }, { title: "B", rows: rows(1) }),
    "sections.1.rows.0.id",
  ],
  ["http or https", "cta_url", { url: "http://example.com" }, { url: "ftp://example.com" }, "url"],
  ["a whole link", "cta_url", { url: "https://a" }, { url: "example.com" }, "url"],
  ...[
    " https://a.example",
    "https://a.example/ b",
    "https://a.ex\nample/b",
    "https:\\\\a.example\\b",
    "https:a.example",
    "https://a..b/",
    "https://user@a.example/",
  ].map((url) => [`no link like ${JSON.stringify(url)}`, "cta_url", {}, { url }, "url"] as const),
  [
    "no space around a button id",
    "buttons",
    buttons(button(1, { id: "a b" })),
    buttons(button(1, { id: "a " })),
    "buttons.0.id",
  ],
  ...[" a", "a "].map(
    (id) =>
      [
        `no row id like ${JSON.stringify(id)}`,
        "list",
        sections({ rows: [row(1, { id: "a b" })] }),
        sections({ rows: [row(1, { id })] }),
        "sections.0.rows.0.id",
      ] as const,
  ),
];

test.each(RULES)("%s of %s: just kept it is taken, and broken its field is named", (_, kind, ...rest) => {
  const [kept, broken, field] = rest;
  expect(fieldOf({ ...WHOLE[kind], ...kept })).toBeNull();
  expect(fieldOf({ ...WHOLE[kind], ...broken })).toBe(`interactive.${field}`);
});

test.each(["carousel", "", 7, undefined])("the kind %j is refused", (type) => {
  expect(fieldOf({ type, body: "Hi" })).toBe("interactive.type");
});

test("null is the same as absent in every optional field", () => {
  const nothing = { header: null, footer: null };
  expect(fieldOf({ ...WHOLE.buttons, ...nothing })).toBeNull();
  expect(fieldOf({ ...WHOLE.cta_url, ...nothing })).toBeNull();
  const list = sections({ title: null, rows: [row(1, { description: null })] });
  expect(fieldOf({ ...WHOLE.list, ...nothing, ...list })).toBeNull();
});
