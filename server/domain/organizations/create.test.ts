import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrganization } from "@/server/domain/organizations/create";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { fingerprintKey } from "./fingerprint-key";

let world: TestWorld;
beforeAll(async () => {
  world = await openTestWorld();
});
afterAll(() => world.close());

test("each organization gets 256 random bits of its own to fingerprint with, stored encrypted", async () => {
  const { services } = world;
  const made = await Promise.all(
    ["One", "Two"].map((name) => createOrganization({ services, job: "test", input: { name } })),
  );
  const keys = await Promise.all(made.map(({ id }) => fingerprintKey(services, id)));
  expect(keys.map((key) => key.length)).toEqual([32, 32]);
  expect(keys[0]?.equals(keys[1] ?? Buffer.alloc(0))).toBe(false);
  const rows = await world.database.sql<{ text: string }[]>`select o::text as text from organizations o`;
  for (const key of keys) {
    for (const encoding of ["base64", "base64url", "hex"] as const) {
      expect(JSON.stringify(rows)).not.toContain(key.toString(encoding));
    }
  }
});

test("who made it is in its audit log", async () => {
  const { id } = await createOrganization({
    services: world.services,
    job: "cli org create",
    input: { name: "Three" },
  });
  const rows = await world.database.sql`
    select action, actor_kind, actor_id, subject_id from audit_log where organization_id = ${id}`;
  expect(rows).toEqual([
    { action: "organization.created", actor_kind: "system", actor_id: "cli org create", subject_id: id },
  ]);
});

test("an empty name is refused", async () => {
  const creation = createOrganization({ services: world.services, job: "test", input: { name: " " } });
  await expect(creation).rejects.toMatchObject({ code: "validation_failed", field: "name" });
});
