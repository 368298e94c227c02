import { afterAll, beforeAll, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import { limitPasswords, SCRYPT_PASSWORDS } from "@/server/platform/secrets/passwords";
import type { Context } from "@/server/core/context";
import { createMember } from "@/server/domain/members/create";
import { createTestOrganization, openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";

let world: TestWorld;
let ctx: Context<SystemActor>;
beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
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
  const services = { ...world.services, passwords: limitPasswords(SCRYPT_PASSWORDS) };
  const { memberId, userId } = await createMember({ ctx: { ...ctx, services }, input: ADA });
  const [user] = await world.database.sql<{ password_hash: string; text: string }[]>`
    select c.password as password_hash, u::text || m::text || (select string_agg(a::text, '') from audit_log a) as text
    from users u join members m on m.user_id = u.id join accounts c on c.user_id = u.id where m.id = ${memberId} and u.id = ${userId}`;
  const hash = user?.password_hash ?? "";
  expect(await SCRYPT_PASSWORDS.verify({ hash, password: ADA.password })).toBe(true);
  expect(await SCRYPT_PASSWORDS.verify({ hash, password: "another password" })).toBe(false);
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
  ["password", { password: "Password2026!" }],
  ["password", { email: "eve.adams@example.com", password: "I am eve.adams, hello" }],
  ["permissions.0", { permissions: ["messages.send"] }],
  ["permissions.0", { permissions: ["toString"] }],
])("a wrong %s is refused: %j", async (field, wrong) => {
  const creation = createMember({ ctx, input: { ...ADA, email: "eve@example.com", ...wrong } });
  await expect(creation).rejects.toMatchObject({ code: "validation_failed", field });
});
