import { expect, test } from "vitest";
import { filtersIn, withFilter } from "./use-saved-filters";

test("filters are saved without the position, the order and an open dialog", () => {
  expect(filtersIn("state=failed&after=c1&sort=-Name&q=a+b&dialog=test")).toBe("state=failed&q=a+b");
});

test("a filter replaces one with its name, and the names are in order", () => {
  const one = withFilter(withFilter([], { name: "b", search: "state=read" }), { name: "a", search: "q=1" });
  expect(withFilter(one, { name: "b", search: "state=failed" })).toEqual([
    { name: "a", search: "q=1" },
    { name: "b", search: "state=failed" },
  ]);
});
