import { expect, test } from "vitest";
import {
  actWords,
  dayWords,
  fileStateWords,
  fileTypeOf,
  isEmojiOnly,
  lineOf,
  mayHaveCaption,
  remainingWords,
  sizeWords,
} from "./words";

test.each([
  ["👍", true],
  ["👨‍👩‍👧 ❤️", true],
  ["🇩🇪🇫🇷", true],
  ["👍👍👍👍", false],
  ["1", false],
  ["Yes 👍", false],
  ["", false],
  ["  ", false],
])("%j is emoji only: %j", (text, isOnly) => {
  expect(isEmojiOnly(text)).toBe(isOnly);
});

test.each([
  [0, "0 bytes"],
  [999, "999 bytes"],
  [1_400, "1.4 kB"],
  [12_345_678, "12.3 MB"],
])("%j bytes are %j", (bytes, words) => {
  expect(sizeWords(bytes)).toBe(words);
});

test("a message in one line says its type where its words don't", () => {
  expect(lineOf({ type: "text", preview: "Hello" })).toBe("Hello");
  expect(lineOf({ type: "image", preview: null })).toBe("Picture");
  expect(lineOf({ type: "document", preview: "a.pdf" })).toBe("Document: a.pdf");
  expect(lineOf({ type: "of tomorrow", preview: null })).toBe("Message");
});

test("a day is named by its distance from today", () => {
  const now = new Date(2026, 10, 26, 12).getTime();
  expect(dayWords(new Date(2026, 10, 26, 0), now)).toBe("Today");
  expect(dayWords(new Date(2026, 10, 25, 23, 59), now)).toBe("Yesterday");
  expect(dayWords(new Date(2026, 10, 24), now)).toMatch(/^Tuesday,? 24 November 2026$/);
});

test("the rest of a window is in hours, then in minutes, then over", () => {
  const until = new Date("2026-11-26T12:00:00Z");
  const before = (minutes: number) => remainingWords(until.toISOString(), until.getTime() - minutes * 60_000);
  expect(before(23 * 60 + 59)).toBe("23 h");
  expect(before(59)).toBe("59 min");
  expect(before(0)).toBe("0 min");
  expect(before(-1)).toBeNull();
});

test.each([
  ["image/jpeg", "image", true],
  ["image/webp", "sticker", false],
  ["video/mp4", "video", true],
  ["audio/ogg; codecs=opus", "audio", false],
  ["application/pdf", "document", true],
  ["text/plain", "document", true],
])("a file of type %s is sent as %s", (mimeType, type, isCaptioned) => {
  expect(fileTypeOf(mimeType)).toBe(type);
  expect(mayHaveCaption(fileTypeOf(mimeType))).toBe(isCaptioned);
});

test("a file that isn't there says why", () => {
  expect(fileStateWords({ state: "stored", goneReason: null })).toBeNull();
  expect(fileStateWords({ state: "pending", goneReason: null })).toBe("being fetched from WhatsApp");
  expect(fileStateWords({ state: "gone", goneReason: null })).toContain("30 days");
  expect(fileStateWords({ state: "linked", goneReason: null })).toContain("URL");
  expect(fileStateWords({ state: "gone", goneReason: "too_large" })).toContain("100 MiB");
  expect(fileStateWords({ state: "gone", goneReason: "no_room" })).toContain("quota");
  expect(fileStateWords({ state: "gone", goneReason: "erased" })).toContain("erased");
});

const ANNA = { id: "1", name: "Anna" };
const BEN = { id: "2", name: "Ben" };

test.each<[string, Parameters<typeof actWords>[0]]>([
  ["Anna closed the conversation", { act: "closed", by: ANNA, assignee: null }],
  ["Anna reopened the conversation", { act: "reopened", by: ANNA, assignee: null }],
  ["Anna assigned the conversation to Ben", { act: "assigned", by: ANNA, assignee: BEN }],
  ["Anna self-assigned the conversation", { act: "assigned", by: ANNA, assignee: ANNA }],
  ["Anna unassigned the conversation", { act: "unassigned", by: ANNA, assignee: null }],
  ["Anna changed the assignee", { act: "reassigned", by: ANNA, assignee: null }],
  ["Waypost closed the conversation", { act: "closed", by: null, assignee: null }],
  [
    "A member assigned the conversation to a member",
    { act: "assigned", by: { id: "1", name: null }, assignee: { id: "2", name: null } },
  ],
])("an act is a sentence: %s", (words, act) => {
  expect(actWords(act)).toBe(words);
});
