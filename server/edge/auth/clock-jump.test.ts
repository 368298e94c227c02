import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { acceptInvitation } from "@/server/domain/members/accept";
import { inviteMember } from "@/server/domain/members/invite";
import { resetPassword } from "@/server/domain/members/reset-password";
import { account, newEmail, newOwner, nobody } from "@/server/domain/members/testing";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { setMachineClock, WRONG_CLOCKS } from "@/server/testing";
import { ATTEMPTS_MAX, SLOWED } from "@/server/domain/auth/attempts";
import { createTestBrowser, newTestPerson, PASSWORD } from "@/server/domain/auth/testing";

const MINUTE_MS = 60_000;

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld({ isClockMovable: true })));
afterEach(() => setMachineClock(world.database.sql, 0));
afterAll(() => world.close());

describe.each(WRONG_CLOCKS)("a machine's clock that jumps an hour %s", (_, byMs) => {
  const jump = () => setMachineClock(world.database.sql, byMs);
  const backMs = Math.max(0, -byMs);

  test("ends no session, and begins sessions that last once it is right again", async () => {
    const { email, who, signIn } = await newTestPerson(world);
    await signIn();
    await jump();
    expect(await who()).not.toBeNull();
    const other = createTestBrowser(world.services);
    expect((await other.ask("/sign-in/email", { email, password: PASSWORD })).status).toBe(200);
    await setMachineClock(world.database.sql, 0);
    expect(await who()).not.toBeNull();
    expect((await other.ask("/two-factor/enable", { password: PASSWORD })).status).toBe(200);
  });

  test("keeps nobody out who was wrong too often for longer than by the jump", async () => {
    const { email, signIn } = await newTestPerson(world);
    const guesser = createTestBrowser(world.services);
    const attempt = (password: string) => guesser.ask("/sign-in/email", { email, password });
    const max = ATTEMPTS_MAX.accountFromNetwork + SLOWED.accountFromNetwork.max;
    for (let time = 0; time < max; time++) expect((await attempt("wrong")).status).toBe(401);
    expect((await attempt(PASSWORD)).status).toBe(429);
    await jump();
    expect((await signIn()).status).toBe(200);
    await setMachineClock(world.database.sql, byMs + backMs + MINUTE_MS);
    expect((await attempt(PASSWORD)).status).toBe(200);
  });

  test("leaves an invitation and a link for a new password that are made after it working", async () => {
    const ctx = await newOwner(world);
    const { email, browser } = await newTestPerson(world);
    const before = await inviteMember({ ctx, input: { email: newEmail(), role: "agent" } });
    await jump();
    const after = await inviteMember({ ctx, input: { email: newEmail(), role: "agent" } });
    for (const { token } of [before, after])
      expect(await acceptInvitation({ ctx: nobody(world), input: { token, account } })).toHaveProperty(
        "organizationId",
      );
    const { token } = await resetPassword({ services: world.services, job: "test", input: { email } });
    const newPassword = "another horse battery";
    expect((await browser.ask("/reset-password", { token, newPassword })).status).toBe(200);
  });
});
