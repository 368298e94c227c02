import { expect, test } from "vitest";
import { placeOf, rememberPlace } from "./page-trail";

function memory(entries: Record<string, string> = {}) {
  const map = new Map(Object.entries(entries));
  return {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
  };
}

test("a page knows the page before it and the number of its first row", () => {
  const store = memory();
  rememberPlace(store, "failed", "c1", { before: null, start: 51 });
  rememberPlace(store, "failed", "c2", { before: "c1", start: 101 });
  expect(placeOf(store, "failed", "c2")).toEqual({ before: "c1", start: 101 });
  expect(placeOf(store, "failed", "c1")).toEqual({ before: null, start: 51 });
  expect(placeOf(store, "failed", null)).toEqual({ before: null, start: 1 });
});

test("the same cursor under other filters is another page", () => {
  const store = memory();
  rememberPlace(store, "failed", "c1", { before: null, start: 51 });
  expect(placeOf(store, "all", "c1")).toBeNull();
});

test.each(["", "null", "{", '{"before":1,"start":2}', '{"before":null}'])(
  "%j in the storage is no place",
  (text) => {
    expect(placeOf(memory({ "waypost-page:all:c1": text }), "all", "c1")).toBeNull();
  },
);

test("without a storage, and with one that refuses, only the first page has a place", () => {
  const refusing = {
    getItem: () => {
      throw new Error("forbidden");
    },
    setItem: () => {
      throw new Error("full");
    },
  };
  for (const store of [null, refusing]) {
    rememberPlace(store, "all", "c1", { before: null, start: 51 });
    expect(placeOf(store, "all", "c1")).toBeNull();
    expect(placeOf(store, "all", null)).toEqual({ before: null, start: 1 });
  }
});
