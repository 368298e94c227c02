import { generateDrizzleJson, generateMigration } from "drizzle-kit-cli/api";
import { afterEach, expect, test } from "vitest";
import { describeSchema } from "./describe-schema.fixture";
import * as schema from "./schema";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "./testing";

const open: TestDatabase[] = [];
afterEach(() => Promise.all(open.splice(0).map((database) => database.drop())));

async function opened(creation: Promise<TestDatabase>): Promise<TestDatabase> {
  const database = await creation;
  open.push(database);
  return database;
}

/** Hand-written parts of the migrations, which the Drizzle schema can’t declare. */
const ADDED_BY_HAND = [
  expect.stringMatching(/^function CREATE OR REPLACE FUNCTION public\.give_back_rate_units\(/),
  expect.stringMatching(/^function CREATE OR REPLACE FUNCTION public\.lock_webhook_slots\(/),
  expect.stringMatching(/^function CREATE OR REPLACE FUNCTION public\.take_rate_units\(/),
  "statistics contact_identities_suffix_index.1 0",
  "statistics contacts_last_name_index.2 0",
  "statistics contacts_name_index.2 0",
  "statistics contacts_second_name_index.2 0",
  "storage messages p {fillfactor=80}",
  "storage rate_windows u {fillfactor=50}",
  expect.stringMatching(/^storage rate_windows_.* u /),
];

test("a migrated database has the schema that the program declares, and what is added by hand", async () => {
  const { sql: declared } = await opened(createEmptyDatabase());
  const [nothing, everything] = [
    generateDrizzleJson({}),
    generateDrizzleJson(schema, undefined, undefined, "snake_case"),
  ];
  for (const statement of await generateMigration(nothing, everything)) await declared.unsafe(statement);
  const { sql: migrated } = await opened(createTestDatabase());

  const [declaredLines, migratedLines] = [await describeSchema(declared), await describeSchema(migrated)];
  expect(declaredLines.length).toBeGreaterThan(500);
  expect(declaredLines.filter((line) => !migratedLines.includes(line))).toEqual([]);
  expect(migratedLines.filter((line) => !declaredLines.includes(line))).toEqual(ADDED_BY_HAND);
});
