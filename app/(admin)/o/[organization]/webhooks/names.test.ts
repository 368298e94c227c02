import { expect, test } from "vitest";
import { nameOf, typedName } from "./names";

const ADDRESS = "https://hooks.example.com:8443/waypost?token=secret";

test.each([
  ["its description", { url: ADDRESS, description: "Shop" }, "Shop"],
  ["its URL, where it has none", { url: ADDRESS, description: "" }, "hooks.example.com:8443/waypost?…"],
  [
    "its URL, where nothing is seen of it",
    { url: ADDRESS, description: "\u200b" },
    "hooks.example.com:8443/waypost?…",
  ],
  ["what it is for, where it has neither", { url: null, description: "" }, "Events to fetch"],
])("an endpoint is called by %s", (_, endpoint, name) => {
  expect(nameOf(endpoint)).toBe(name);
});

test("a long description is cut", () => {
  expect(nameOf({ url: ADDRESS, description: "a".repeat(500) })).toHaveLength(81);
});

test.each([
  ["its description", { url: ADDRESS, description: "Shop" }, "Shop"],
  ["its host, where that is long", { url: ADDRESS, description: "a".repeat(41) }, "hooks.example.com:8443"],
  ["a word, where there is neither", { url: null, description: "" }, "remove"],
])("what is typed is %s", (_, endpoint, word) => {
  expect(typedName(endpoint).word).toBe(word);
});
