import { expect, test } from "vitest";
import { hostOf, shortUrl, withoutQuery } from "./shown-url";

test.each([
  ["https://hooks.example.com/waypost", "hooks.example.com/waypost"],
  ["https://hooks.example.com/", "hooks.example.com"],
  ["http://127.0.0.1:4000/hook", "http://127.0.0.1:4000/hook"],
  ["https://hooks.example.com/a?token=secret", "hooks.example.com/a?…"],
  ["https://hooks.example.com/a#secret", "hooks.example.com/a#…"],
  ["https://hooks.example.com/a?", "hooks.example.com/a?"],
])("%s is shown as %s", (url, shown) => {
  expect(shortUrl(url)).toBe(shown);
});

test("of a long one both ends are shown", () => {
  const shown = shortUrl(`https://hooks.example.com/${"a/".repeat(500)}the-end`);
  expect(shown).toHaveLength(61);
  expect(shown).toMatch(/^hooks\.example\.com\/a\/.*….*\/the-end$/);
});

test("the whole one is shown without its query", () => {
  const url = `https://hooks.example.com/${"a".repeat(200)}`;
  expect(withoutQuery(`${url}?token=secret`)).toBe(`${url}?…`);
});

test("its host comes with the port", () => {
  expect(hostOf("https://hooks.example.com:8443/a?b")).toBe("hooks.example.com:8443");
});
