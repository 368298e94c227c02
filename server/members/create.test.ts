import { scryptSync } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SystemActor } from "@/server/api/actor";
import type { Context } from "@/server/context";
import { createMember } from "@/server/members/create";
import { hashPassword, verifyPassword } from "@/server/members/password";
import { createTestOrganization, openTestWorld, type TestWorld } from "@/server/organizations/testing";

let world: TestWorld;
let ctx: Context<SystemActor>;
beforeAll(async () => {
  world = await openTestWorld();
  ctx = await createTestOrganization(world.services);
});
afterAll(() => world.close());

const ADA = {
  email: "ada@example.com",
  name: "Ada",
  password: "correct horse battery",
  role: "owner",
} as const;

test("a member gets a user with a hashed password; the audit log knows who, not the password", async () => {
  const { memberId, userId } = await createMember({ ctx, input: ADA });
  const [user] = await world.database.sql<{ password_hash: string; text: string }[]>`
    select u.password_hash, u::text || m::text || (select string_agg(a::text, '') from audit_log a) as text
    from users u join members m on m.user_id = u.id where m.id = ${memberId} and u.id = ${userId}`;
  expect(await verifyPassword(ADA.password, user?.password_hash ?? "")).toBe(true);
  expect(await verifyPassword("another password", user?.password_hash ?? "")).toBe(false);
  expect(user?.text).toContain("member.created");
  expect(user?.text).not.toContain(ADA.password);
});

test("an address has one account, in whatever case it is written, and a refusal leaves nothing behind", async () => {
  const second = createMember({ ctx, input: { ...ADA, email: "ADA@Example.com" } });
  await expect(second).rejects.toMatchObject({ code: "validation_failed", field: "email" });
  expect(await world.database.sql`select 1 from members`).toHaveLength(1);
});

test.each([
  ["email", { email: "ada" }],
  ["password", { password: "short" }],
  ["permissions.0", { permissions: ["messages.send"] }],
  ["permissions.0", { permissions: ["toString"] }],
])("a wrong %s is refused: %j", async (field, wrong) => {
  const creation = createMember({ ctx, input: { ...ADA, email: "eve@example.com", ...wrong } });
  await expect(creation).rejects.toMatchObject({ code: "validation_failed", field });
});

test("the hash has better-auth's form: scrypt of the NFKC password with the salt's hex text", async () => {
  const [salt, hash] = (await hashPassword("Ⅳ caffè")).split(":");
  expect(salt).toMatch(/^[0-9a-f]{32}$/);
  const expected = scryptSync("IV caffè", salt ?? "", 64, { N: 16_384, r: 16, p: 1, maxmem: 64 * 2 ** 20 });
  expect(hash).toBe(expected.toString("hex"));
});

test("a hash that isn't one matches nothing", async () => {
  for (const hash of ["", "salt", "salt:", ":hash", "salt:nothex"]) {
    expect(await verifyPassword("", hash)).toBe(false);
  }
});
