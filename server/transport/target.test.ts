import { describe, expect, test } from "vitest";
import { originForm, errorBeforeNext } from "./target";

test.each([
  ["/a?b=http://c", "/a?b=http://c"],
  ["//a", "//a"],
  ["http://a.example/b?c", "/b?c"],
  ["HTTPS://user@a.example:8/b", "/b"],
  ["http://a.example", "/"],
  ["http://a.example?b", "/?b"],
  ["*", null],
  ["a", null],
  ["http:///b", null],
  ["file:///etc/passwd", null],
])("the target %s has the path and query %s", (target, path) => {
  expect(originForm(target)).toBe(path);
});

describe("Next is asked", () => {
  test.each(["/", "/docs/api", "/apiary", "/api-keys", "/keys/%C3%A9", "/api/inngest", "/api/inngest/a"])(
    "for %s",
    (path) => {
      expect(errorBeforeNext("GET", path, false)).toBeNull();
    },
  );

  test.each([
    ["a path that can't be decoded", "/keys/%E0%A4%A"],
    ["the API with an encoded slash", "/api/public/v1%2fping"],
    ["the API in other letters", "/%61PI/public/v1/ping"],
    ["the API behind doubled slashes", "//api/public/v1/ping"],
    ["another version", "/api/public/v12/ping"],
    ["the API alone", "/api"],
    ["a longer name", "/api/inngests"],
  ])("not for %s", (_, path) => {
    expect(errorBeforeNext("GET", path, false)?.code).toBe("not_found");
  });

  test("for the public API where it is Next's", () => {
    expect(errorBeforeNext("POST", "/api/public/v1/ping", true)).toBeNull();
    expect(errorBeforeNext("POST", "/api/public/v1/ping", false)?.code).toBe("not_found");
  });

  test.each(["TRACE", "SEARCH", "get", undefined])("for a route not with the method %s", (method) => {
    expect(errorBeforeNext(method, "/api/inngest/a", false)).toMatchObject({
      code: "method_not_allowed",
      headers: { Allow: "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT" },
    });
  });

  test.each(["POST", "PUT", "OPTIONS", "get", undefined])("for a page not with the method %s", (method) => {
    expect(errorBeforeNext(method, "/docs", false)).toMatchObject({
      code: "method_not_allowed",
      headers: { Allow: "GET, HEAD" },
    });
  });

  test("for what Next's pages send to it in development, with any method that it knows", () => {
    expect(errorBeforeNext("POST", "/__nextjs_original-stack-frames", false)).toBeNull();
  });
});
