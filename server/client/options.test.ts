import { describe, expect, test } from "vitest";
import { Waypost } from "./client.js";
import { apiUrlOf, limitsOf } from "./options.js";
import { pathOf } from "./operations.js";
import { KEY } from "./testing.js";

const baseUrl = "https://waypost.test";

test.each([
  ["https://waypost.test", "https://waypost.test/api/public/v1"],
  ["https://waypost.test/", "https://waypost.test/api/public/v1"],
  ["https://example.com/waypost/", "https://example.com/waypost/api/public/v1"],
  ["https://waypost.test/api/public/v1/", "https://waypost.test/api/public/v1"],
  ["http://127.0.0.1:3000", "http://127.0.0.1:3000/api/public/v1"],
  ["http://localhost:3000", "http://localhost:3000/api/public/v1"],
  ["http://[::1]:3000", "http://[::1]:3000/api/public/v1"],
])("the API at %s is %s", (given, url) => {
  expect(apiUrlOf(given)).toBe(url);
});

describe("an address is refused", () => {
  test.each([
    ["that is missing", undefined, "`baseUrl` is missing"],
    ["that is no address", "waypost.test", "`baseUrl` must be an http or https address"],
    ["of another protocol", "ftp://waypost.test", "`baseUrl` must be an http or https address"],
    ["with a password", "https://a:b@waypost.test", "without user, password"],
    ["with a query", "https://waypost.test?a=b", "without user, password"],
    ["on which everyone could read the key", "http://waypost.test", "must start with https://"],
    ["that only looks like this machine", "http://localhost.example.com", "must start with https://"],
    ["that only looks like a loopback address", "http://127.0.0.1.example.com", "must start with https://"],
  ])("%s", (_, given, message) => {
    expect(() => new Waypost({ apiKey: KEY, baseUrl: given })).toThrow(message);
  });

  test("unless plain http is allowed", () => {
    expect(apiUrlOf("http://waypost:3000", { allowInsecureHttp: true })).toBe(
      "http://waypost:3000/api/public/v1",
    );
  });
});

test.each([
  ["missing", undefined, "`apiKey` is missing"],
  ["empty", "", "`apiKey` is missing"],
  ["with a line break", `${KEY}\n`, "`apiKey` contains a character"],
  ["with a dash of a word processor", `${KEY}–`, "`apiKey` contains a character"],
])("a key that is %s is refused, and not shown", (_, apiKey, message) => {
  expect(() => new Waypost({ apiKey, baseUrl })).toThrow(message);
  expect(() => new Waypost({ apiKey, baseUrl })).not.toThrow(KEY);
});

test("limits of a call come before those of the client, and these before those of an operation", () => {
  expect(limitsOf()).toEqual({ timeoutMs: 30_000, maxRetries: 4, retryBudgetMs: 120_000 });
  const limits = limitsOf(
    { maxRetries: 0 },
    { maxRetries: 1, timeoutMs: 2 },
    { timeoutMs: 3, retryBudgetMs: 4 },
  );
  expect(limits).toEqual({ maxRetries: 0, timeoutMs: 2, retryBudgetMs: 4 });
});

test.each([
  ["timeoutMs", -1],
  ["timeoutMs", Infinity],
  ["maxRetries", NaN],
  ["retryBudgetMs", 2 ** 31],
])("%s of %d is refused", (name, value) => {
  expect(() => new Waypost({ apiKey: KEY, baseUrl, [name]: value })).toThrow(`\`${name}\` must be`);
});

test("an id can't lead to another path", () => {
  expect(pathOf("getMessage", { id: "a/b?c" })).toBe("/messages/a%2Fb%3Fc");
  for (const id of ["", ".", "..", Object(undefined)])
    expect(() => pathOf("getMessage", { id })).toThrow("`id` must be an id");
});
