import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrm } from "@/db/client";
import { createTestDatabase, type TestDatabase } from "@/db/testing";
import { checkSecret, SecretMismatch } from "@/server/platform/secrets/secret-check";
import { createVault } from "@/server/platform/secrets/vault";

let database: TestDatabase;
let orm: ReturnType<typeof createOrm>;
beforeAll(async () => {
  database = await createTestDatabase();
  orm = createOrm(database.connection, { name: "test", connectionsMax: 10 });
});
afterAll(async () => {
  await orm.$client.end({ timeout: 1 });
  await database.drop();
});

test("of first starts at once under two secrets one secret wins, and from then on only that one passes", async () => {
  const vaults = ["one secret of two".repeat(3), "the other of the two".repeat(3)].map(createVault);
  const starts = Array.from({ length: 10 }, (_, index) => vaults[index % 2] ?? vaults[0]);
  const outcomes = await Promise.allSettled(
    starts.map((vault) => checkSecret(orm, vault ?? { checkValue: "" })),
  );
  const winner = outcomes.findIndex((outcome) => outcome.status === "fulfilled") % 2;
  outcomes.forEach((outcome, index) => expect(outcome.status === "fulfilled").toBe(index % 2 === winner));
  await expect(checkSecret(orm, vaults[winner] ?? { checkValue: "" })).resolves.toBeUndefined();
  await expect(checkSecret(orm, vaults[1 - winner] ?? { checkValue: "" })).rejects.toThrow(SecretMismatch);
});

test("the value that is kept doesn't hold the secret", async () => {
  const rows = await database.sql`select value from installation`;
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain("secret of two");
});
