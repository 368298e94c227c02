import { afterAll, beforeAll, expect, test } from "vitest";
import { actsOn } from "@/server/domain/audit/testing";
import { newTestPerson } from "@/server/domain/auth/testing";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { resetPassword } from "./reset-password";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

const reset = (email: string) =>
  resetPassword({ services: world.services, job: "cli member reset-password", input: { email } });

test("that a link for a new password was made is in the audit log, as the operator's, and so is who used it", async () => {
  const { email, browser, memberId, address } = await newTestPerson(world);
  const { token } = await reset(email.toUpperCase());
  const { status } = await browser.ask("/reset-password", { token, newPassword: "another horse battery" });
  expect(status).toBe(200);
  const [, ...acts] = await actsOn(world, memberId);
  expect(acts).toEqual([
    {
      action: "member.password_reset",
      actorKind: "system",
      actorId: "cli member reset-password",
      address: null,
      subjectKind: "member",
      detail: { email },
    },
    {
      action: "member.password_changed",
      actorKind: "member",
      actorId: memberId,
      address,
      subjectKind: "member",
      detail: {},
    },
  ]);
  expect(JSON.stringify(acts)).not.toContain(token);
});

test("a link for an address without an account is refused", async () => {
  await expect(reset("nobody@example.com")).rejects.toMatchObject({
    code: "validation_failed",
    field: "email",
  });
});
