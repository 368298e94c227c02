import { describe, expect, test } from "vitest";
import { assertPlainInput } from "./plain-input";

describe("text that can't be stored", () => {
  test.each([
    [{ text: { body: "a\0b" } }, "text.body"],
    [{ text: { body: "\ud83d" } }, "text.body"],
    [{ list: ["ok", "\udc00"] }, "list.1"],
    [{ deep: { "bad\0key": 1 } }, "deep"],
  ])("in %j is refused by its field", (input, field) => {
    expect(() => assertPlainInput(input)).toThrow(
      expect.objectContaining({ code: "validation_failed", field }),
    );
  });

  test("is nothing that people write", () => {
    expect(() => assertPlainInput({ body: "Grüße 🙂 \n\t\u200f العربية", n: 1, none: null })).not.toThrow();
  });

  test("isn't looked for without end: what nests too deeply is refused", () => {
    const nested = Array.from({ length: 30_000 }).reduce<unknown>((inner) => [inner], "x");
    expect(() => assertPlainInput(nested)).toThrow(expect.objectContaining({ code: "validation_failed" }));
  });
});

describe("a member __proto__, which copies would drop", () => {
  test.each([
    ['{"__proto__":"a"}', "__proto__"],
    [String.raw`{"a":{"\u005f_proto__":null}}`, "a.__proto__"],
    ['{"a":[{"__proto__":{"b":1}}]}', "a.0.__proto__"],
  ])("in %s is refused by its field", (json, field) => {
    expect(() => assertPlainInput(JSON.parse(json))).toThrow(
      expect.objectContaining({ code: "validation_failed", field }),
    );
  });

  test("is the only name of that kind", () => {
    const named = JSON.parse('{"constructor":{"prototype":1},"toString":"__proto__"}');
    expect(() => assertPlainInput(named)).not.toThrow();
  });
});
