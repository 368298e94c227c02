import { afterAll, beforeAll, expect, test } from "vitest";
import { createMember } from "@/server/domain/members/create";
import { createTestOrganization, openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { type CommandWorld, openCommands } from "./testing";

const PERSON = {
  email: "ada@example.com",
  name: "Ada",
  password: "correct horse battery",
  role: "owner",
} as const;
let world: TestWorld;
let unsure: CommandWorld;
let sure: CommandWorld;
let organizationId: string;

beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
  const ctx = await createTestOrganization(world.services);
  ({ organizationId } = ctx.actor);
  await createMember({ ctx, input: PERSON });
  unsure = await openCommands(world.database.url);
  sure = await openCommands(world.database.url, { WAYPOST_PUBLIC_URL: "https://waypost.example" });
});
afterAll(async () => {
  await unsure.close();
  await sure.close();
  await world.close();
});

test.each([
  ["reset-password", () => ["member", "reset-password", PERSON.email]],
  [
    "invite",
    () => ["member", "invite", "--org", organizationId, "--email", "grace@example.com", "--role", "admin"],
  ],
] as const)("a link of %s begins with the public address, or says that it guesses", async (_, args) => {
  const reported = await sure.waypost(...args());
  expect(reported.stdout).toMatch(/https:\/\/waypost\.example\/[a-z-]+#/);
  expect(reported.stdout).not.toContain("guess");
  const guessed = await unsure.waypost(...args());
  expect(guessed.stdout).toMatch(/http:\/\/localhost:4321\/[a-z-]+#/);
  expect(guessed.stdout).toContain("is a guess. Set WAYPOST_PUBLIC_URL");
});
