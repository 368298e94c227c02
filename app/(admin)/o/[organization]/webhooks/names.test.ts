import { expect, test } from "vitest";
import { hostOf, nameOf, shortUrl, typedName, withoutQuery } from "./names";

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

test.each([
  ["https://hooks.example.com/waypost", "hooks.example.com/waypost"],
  ["https://hooks.example.com/", "hooks.example.com"],
  ["http://127.0.0.1:4000/hook", "http://127.0.0.1:4000/hook"],
  ["https://hooks.example.com/a?token=secret", "hooks.example.com/a?…"],
  ["https://hooks.example.com/a#secret", "hooks.example.com/a#…"],
  ["https://hooks.example.com/a?", "hooks.example.com/a?"],
])("the URL %s is shown as %s", (url, shown) => {
  expect(shortUrl(url)).toBe(shown);
});

test("of a long URL both ends are shown", () => {
  const shown = shortUrl(`https://hooks.example.com/${"a/".repeat(500)}the-end`);
  expect(shown).toHaveLength(61);
  expect(shown).toMatch(/^hooks\.example\.com\/a\/.*….*\/the-end$/);
});

test("the whole URL is shown without its query", () => {
  const url = `https://hooks.example.com/${"a".repeat(200)}`;
  expect(withoutQuery(`${url}?token=secret`)).toBe(`${url}?…`);
});

test("the host of a URL comes with the port", () => {
  expect(hostOf("https://hooks.example.com:8443/a?b")).toBe("hooks.example.com:8443");
});
