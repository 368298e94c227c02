import { expect, test } from "vitest";
import { validationError } from "@/server/core/input/parse-input";
import { sendMessageInput } from "./send-request";

type Json = Readonly<Record<string, unknown>>;
const ID = "01890a5d-ac96-774b-bcce-b302099a8057";

/** Returns the field that an error names; null for an accepted body. */
function fieldOf(content: Json): string | null {
  const body = { client_message_id: "a", thread_id: ID, ...content };
  const { error } = sendMessageInput.safeParse(body);
  return error ? (validationError(error, body).field ?? "") : null;
}

const place = (changes: Json) => ({ type: "location", location: { latitude: 1, longitude: 2, ...changes } });
const reaction = (changes: Json) => ({
  type: "reaction",
  reaction: { message_id: ID, emoji: "👍", ...changes },
});
const card = { name: "Ana", phones: ["+49 151 1"] };
const contacts = (...list: readonly Json[]) => ({ type: "contacts", contacts: list });
const quote = (reply_to: unknown) => ({ type: "text", text: { body: "Hi" }, reply_to });

/** Besides the limits in content-limits.test.ts: a body that is just taken, and the field that the error names for another that isn't. */
const RULES: readonly (readonly [limit: string, kept: Json, broken: Json, field: string])[] = [
  ["a number", place({ latitude: 0 }), place({ latitude: "1" }), "location.latitude"],
  ["a latitude", place({}), place({ latitude: undefined }), "location.latitude"],
  ["no null", place({}), place({ longitude: null }), "location.longitude"],
  ["emoji", reaction({ emoji: "👨‍👩‍👧‍👦" }), reaction({ emoji: "👍👍" }), "reaction.emoji"],
  ["an emoji, no text", reaction({ emoji: "" }), reaction({ emoji: "ok" }), "reaction.emoji"],
  ["more than a skin tone", reaction({ emoji: "👍🏽" }), reaction({ emoji: "🏽" }), "reaction.emoji"],
  ["an emoji at all", reaction({}), reaction({ emoji: undefined }), "reaction.emoji"],
  ["a message to react to", reaction({}), reaction({ message_id: "wamid.1" }), "reaction.message_id"],
  ["name", contacts(card), contacts({ ...card, name: " " }), "contacts.0.name"],
  ["phones, at least", contacts(card), contacts(card, { ...card, phones: [] }), "contacts.1.phones"],
  ["a phone", contacts(card), contacts({ ...card, phones: ["1", ""] }), "contacts.0.phones.1"],
  [
    "emails",
    contacts({ ...card, emails: ["a@b.c"], company: "Shop" }),
    contacts({ ...card, emails: ["a@b.c", " "] }),
    "contacts.0.emails.1",
  ],
  ["no other field", contacts(card), contacts({ ...card, birthday: "1" }), "contacts.0.birthday"],
  ["a quoted message", quote({ message_id: ID }), quote({ message_id: "1" }), "reply_to.message_id"],
  [
    "no quote by a reaction",
    { ...reaction({}), reply_to: null },
    { ...reaction({}), reply_to: { message_id: ID } },
    "reply_to",
  ],
  ["no quote", quote(null), quote({}), "reply_to.message_id"],
  [
    "quote without WhatsApp's id",
    quote(null),
    quote({ message_id: ID, upstream_id: "1" }),
    "reply_to.upstream_id",
  ],
];

test.each(RULES)("%s: just kept it is taken, and broken its field is named", (_, kept, broken, field) => {
  expect(fieldOf(kept)).toBeNull();
  expect(fieldOf(broken)).toBe(field);
});

test("ids of messages are taken in any case, and kept in lower case", () => {
  const common = { client_message_id: "a", thread_id: ID };
  const ids = { message_id: ID.toUpperCase() };
  expect(sendMessageInput.parse({ ...common, ...quote(ids) }).reply_to?.message_id).toBe(ID);
  expect(sendMessageInput.parse({ ...common, ...reaction(ids) }).reaction?.message_id).toBe(ID);
});

const to = (value: unknown) => fieldOf({ thread_id: null, type: "text", text: { body: "Hi" }, to: value });

test.each([
  { kind: "whatsapp", handle: "4915112345678" },
  { kind: "whatsapp_user", user_id: "US.13491208655302741918" },
  { kind: "whatsapp_user", user_id: "US.ENT.11815799212886844830" },
])("%j is a destination", (value) => {
  expect(to(value)).toBeNull();
});

test.each([
  [{ kind: "sms", handle: "4915112345678" }, "to.kind"],
  [{ kind: "whatsapp_user", handle: "4915112345678" }, "to.user_id"],
  [{ kind: "whatsapp", user_id: "US.1" }, "to.handle"],
  [{ kind: "whatsapp_user", user_id: "us.1" }, "to.user_id"],
  [{ kind: "whatsapp_user", user_id: `US.${"1".repeat(129)}` }, "to.user_id"],
  [{ kind: "whatsapp_user", user_id: "US.1\n" }, "to.user_id"],
  [{ kind: "whatsapp_user", user_id: "US.1", handle: "4915112345678" }, "to.handle"],
])("%j is none: its field is named", (value, field) => {
  expect(to(value)).toBe(field);
});
