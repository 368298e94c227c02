import { afterAll, beforeAll, expect, test } from "vitest";
import { appRouter } from "../api/router";
import { t } from "../api/trpc";
import { personOf } from "../auth/session";
import { createTestBrowser, newTestPerson, PASSWORD } from "../auth/testing";
import { openTestWorld, type TestWorld } from "../organizations/testing";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

/** Somebody who is signed in here and in so many browsers elsewhere. */
async function signedIn(elsewhere: number) {
  const person = await newTestPerson(world);
  await person.signIn();
  const others = Array.from({ length: elsewhere }, () => createTestBrowser(world.services));
  for (const other of others) await other.ask("/sign-in/email", { email: person.email, password: PASSWORD });
  const isSignedIn = () =>
    Promise.all(
      [person.browser, ...others].map(
        async (one) => (await personOf(world.services, one.headers(), null)) !== null,
      ),
    );
  const { account } = t.createCallerFactory(appRouter)({
    services: world.services,
    actor: null,
    person: await person.who(),
    requestId: null,
  });
  return { ...person, isSignedIn, account };
}

test("ending all other sign-ins leaves this one and everybody else's, and the audit log says so", async () => {
  const [ada, grace] = [await signedIn(2), await signedIn(1)];
  expect(await ada.account.endOtherSessions()).toEqual({ ended: 2 });
  expect(await ada.isSignedIn()).toEqual([true, false, false]);
  expect(await grace.isSignedIn()).toEqual([true, true]);
  expect(await ada.account.sessions()).toMatchObject([{ isThisOne: true }]);
  expect((await ada.acts()).at(-1)).toBe("member.sessions_revoked");
  expect(await grace.acts()).not.toContain("member.sessions_revoked");
});

test("ending all others where there is none changes nothing, and is in no audit log", async () => {
  const { account, isSignedIn, acts } = await signedIn(0);
  expect(await account.endOtherSessions()).toEqual({ ended: 0 });
  expect(await isSignedIn()).toEqual([true]);
  expect(await acts()).toEqual(["member.signed_in"]);
});

test("ending one sign-in leaves the others, and the audit log says so", async () => {
  const { account, isSignedIn, acts } = await signedIn(2);
  const [latest] = await account.sessions();
  await account.endSession({ sessionId: latest?.id ?? "" });
  expect(await isSignedIn()).toEqual([true, true, false]);
  expect((await acts()).at(-1)).toBe("member.sessions_revoked");
});

test("somebody else's sign-in is refused like an unknown one, and lasts", async () => {
  const [ada, grace] = [await signedIn(0), await signedIn(0)];
  const [theirs] = await grace.account.sessions();
  for (const sessionId of [theirs?.id ?? "", "unknown"]) {
    const ending = ada.account.endSession({ sessionId });
    await expect(ending).rejects.toMatchObject({ cause: { code: "session_not_found" } });
  }
  expect(await grace.isSignedIn()).toEqual([true]);
  expect(await ada.acts()).toEqual(["member.signed_in"]);
});
