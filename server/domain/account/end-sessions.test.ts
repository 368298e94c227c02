import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { signedIn } from "./testing";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

test("ending one sign-in leaves the others, and the audit log says so", async () => {
  const { account, isSignedIn, acts } = await signedIn(world, 2);
  const [latest] = await account.sessions();
  await account.endSession({ sessionId: latest?.id ?? "" });
  expect(await isSignedIn()).toEqual([true, true, false]);
  expect((await acts()).at(-1)).toBe("member.sessions_revoked");
});

test("somebody else's sign-in is refused like an unknown one, and lasts", async () => {
  const [ada, grace] = [await signedIn(world, 0), await signedIn(world, 0)];
  const [theirs] = await grace.account.sessions();
  for (const sessionId of [theirs?.id ?? "", "unknown"]) {
    const ending = ada.account.endSession({ sessionId });
    await expect(ending).rejects.toMatchObject({ cause: { code: "session_not_found" } });
  }
  expect(await grace.isSignedIn()).toEqual([true]);
  expect(await ada.acts()).toEqual(["member.signed_in"]);
});

test("ending all other sign-ins leaves this one and everybody else's, and the audit log says so", async () => {
  const [ada, grace] = [await signedIn(world, 2), await signedIn(world, 1)];
  expect(await ada.account.endOtherSessions()).toEqual({ ended: 2 });
  expect(await ada.isSignedIn()).toEqual([true, false, false]);
  expect(await grace.isSignedIn()).toEqual([true, true]);
  expect(await ada.account.sessions()).toMatchObject([{ isThisOne: true }]);
  expect((await ada.acts()).at(-1)).toBe("member.sessions_revoked");
  expect(await grace.acts()).not.toContain("member.sessions_revoked");
});

test("ending all others where there is none changes nothing, and is in no audit log", async () => {
  const { account, isSignedIn, acts } = await signedIn(world, 0);
  expect(await account.endOtherSessions()).toEqual({ ended: 0 });
  expect(await isSignedIn()).toEqual([true]);
  expect(await acts()).toEqual(["member.signed_in"]);
});
