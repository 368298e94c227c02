import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ARRAY_TYPES } from "./array-types";
import { createTestDatabase, type TestDatabase } from "./testing";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test("arrays of texts come back as they were sent, whatever stands in them", async () => {
  const text = fc
    .oneof(fc.string({ unit: "binary" }), fc.constantFrom("NULL", '"', "\\", "{}", ",", ""))
    .map((any) => any.replaceAll("\0", ""));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text)), async (values) => {
      const [row] = await database.sql`select ${values}::text[] as same`;
      expect(row?.same).toEqual(values);
    }),
    { numRuns: 50 },
  );
});

test("arrays of every type used have their own elements", async () => {
  const id = "01a1fd6d-7ca5-7997-af54-044a3376baba";
  const at = new Date("2026-01-01T00:00:00.123Z");
  const [row] = await database.sql`
    select ${[1, null]}::int[] as integers, ${[2 ** 40]}::bigint[] as bigints, ${[id]}::uuid[] as ids,
      ${[at.toISOString()]}::timestamptz[] as times, ${["true", "false"]}::text[]::boolean[] as booleans`;
  expect(row).toEqual({
    integers: [1, null],
    bigints: [2 ** 40],
    ids: [id],
    times: [at],
    booleans: [true, false],
  });
});

test("every array type that a statement casts to is one of them: another would be sent as garbage", async () => {
  const folders = ["server", "db", "inngest"];
  const listed = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder, { recursive: true })).map((file) => path.join(folder, file)),
    ),
  );
  const files = listed.flat().filter((file) => file.endsWith(".ts"));
  const casts = await Promise.all(
    files.map(async (file) =>
      [...(await readFile(file, "utf8")).matchAll(/\}::([a-z ]+?)\[\]/g)].map((cast) => cast[1]),
    ),
  );
  expect(casts.flat().length).toBeGreaterThan(50);
  expect(Object.keys(ARRAY_TYPES)).toEqual(expect.arrayContaining([...new Set(casts.flat())]));
});
