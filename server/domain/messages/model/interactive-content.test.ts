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

const text = (length: number) => "👋".repeat(length);
const button = (index: number, changes: Json = {}) => ({ id: `${index}`, title: `B${index}`, ...changes });
const row = (index: number, changes: Json = {}) => ({ id: `${index}`, title: `Row ${index}`, ...changes });
const rows = (count: number, from = 0) => Array.from({ length: count }, (_, index) => row(from + index));
const webAddress = (length: number) => `https://a.b/${"x".repeat(length - 12)}`;

const WHOLE = {
  buttons: { type: "buttons", body: "Hi", buttons: [button(1)] },
  list: { type: "list", body: "Hi", button: "Open", sections: [{ rows: rows(1) }] },
  cta_url: { type: "cta_url", body: "Hi", text: "Show", url: "https://example.com" },
  location_request: { type: "location_request", body: "Where?" },
} as const;
type Kind = keyof typeof WHOLE;

const sections = (...list: readonly Json[]) => ({ sections: list });
const buttons = (...list: readonly Json[]) => ({ buttons: list });

/** Meta's limits: changes that just keep one, and the field that the error names for changes that break it. */
const LIMITS: readonly (readonly [limit: string, Kind, kept: Json, broken: Json, field: string])[] = [
  ["body", "buttons", { body: text(1024) }, { body: text(1025) }, "body"],
  ["body", "cta_url", { body: text(1024) }, { body: text(1025) }, "body"],
  ["body", "location_request", { body: text(1024) }, { body: text(1025) }, "body"],
  ["body", "list", { body: text(4096) }, { body: text(4097) }, "body"],
  ["no body", "list", { body: "." }, { body: " " }, "body"],
  ["header", "buttons", { header: text(60) }, { header: text(61) }, "header"],
  ["header", "list", { header: text(60) }, { header: text(61) }, "header"],
  ["header", "cta_url", { header: text(60) }, { header: text(61) }, "header"],
  ["footer", "buttons", { footer: text(60) }, { footer: text(61) }, "footer"],
  ["footer", "list", { footer: text(60) }, { footer: text(61) }, "footer"],
  ["footer", "cta_url", { footer: text(60) }, { footer: text(61) }, "footer"],
  ["no header or footer", "location_request", { body: "a" }, { footer: "a" }, "footer"],
  ["buttons, at least", "buttons", buttons(button(1)), buttons(), "buttons"],
  [
    "buttons, at most",
    "buttons",
    buttons(button(1), button(2), button(3)),
    buttons(button(1), button(2), button(3), button(4)),
    "buttons",
  ],
  [
    "button id",
    "buttons",
    buttons(button(1, { id: text(256) })),
    buttons(button(1, { id: text(257) })),
    "buttons.0.id",
  ],
  ["empty button id", "buttons", buttons(button(1)), buttons(button(1, { id: "" })), "buttons.0.id"],
  [
    "button title",
    "buttons",
    buttons(button(1, { title: text(20) })),
    buttons(button(1, { title: text(21) })),
    "buttons.0.title",
  ],
  [
    "blank button title",
    "buttons",
    buttons(button(1)),
    buttons(button(1, { title: " " })),
    "buttons.0.title",
  ],
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
  ["list button", "list", { button: text(20) }, { button: text(21) }, "button"],
  ["no list button", "list", {}, { button: undefined }, "button"],
  ["sections, at least", "list", sections({ rows: rows(1) }), sections(), "sections"],
  [
    "sections, at most",
    "list",
    sections(...rows(10).map((one) => ({ title: one.title, rows: [one] }))),
    sections(...rows(11).map((one) => ({ title: one.title, rows: [one] }))),
    "sections",
  ],
  ["rows, at least", "list", sections({ rows: rows(1) }), sections({ rows: [] }), "sections.0.rows"],
  ["rows, at most", "list", sections({ rows: rows(10) }), sections({ rows: rows(11) }), "sections.0.rows.10"],
  [
    "rows of all sections, at most",
    "list",
    sections({ title: "A", rows: rows(6) }, { title: "B", rows: rows(4, 6) }),
    sections({ title: "A", rows: rows(6) }, { title: "B", rows: rows(5, 6) }),
    "sections.1.rows.4",
  ],
  [
    "section title",
    "list",
    sections({ title: text(24), rows: rows(1) }),
    sections({ title: text(25), rows: rows(1) }),
    "sections.0.title",
  ],
  [
    "titles of several sections",
    "list",
    sections({ title: "A", rows: rows(1) }, { title: "B", rows: rows(1, 1) }),
    sections({ title: "A", rows: rows(1) }, { rows: rows(1, 1) }),
    "sections.1.title",
  ],
  [
    "row id",
    "list",
    sections({ rows: [row(1, { id: text(200) })] }),
    sections({ rows: [row(1, { id: text(201) })] }),
    "sections.0.rows.0.id",
  ],
  [
    "row title",
    "list",
    sections({ rows: [row(1, { title: text(24) })] }),
    sections({ rows: [row(1, { title: text(25) })] }),
    "sections.0.rows.0.title",
  ],
  [
    "row description",
    "list",
    sections({ rows: [row(1, { description: text(72) })] }),
    sections({ rows: [row(1, { description: text(73) })] }),
    "sections.0.rows.0.description",
  ],
  [
    "unique row ids",
    "list",
    sections({ title: "A", rows: rows(1) }, { title: "B", rows: rows(1, 1) }),
    sections({ title: "A", rows: rows(1) }, { title: "B", rows: rows(1) }),
    "sections.1.rows.0.id",
  ],
  ["link text", "cta_url", { text: text(20) }, { text: text(21) }, "text"],
  ["link", "cta_url", { url: webAddress(2000) }, { url: webAddress(2001) }, "url"],
  ["http or https", "cta_url", { url: "http://example.com" }, { url: "ftp://example.com" }, "url"],
  ["a whole link", "cta_url", { url: "https://a" }, { url: "example.com" }, "url"],
];

test.each(LIMITS)("%s of %s: just kept it is taken, and broken its field is named", (_, kind, ...rest) => {
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
