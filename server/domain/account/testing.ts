import { appRouter } from "@/server/edge/trpc/router";
import { t } from "@/server/core/trpc";
import { personOf } from "@/server/domain/auth/session";
import { createTestBrowser, newTestPerson, PASSWORD } from "@/server/domain/auth/testing";
import type { TestWorld } from "@/server/domain/organizations/testing";

/** Creates a person who is signed in here and in the given number of other browsers. */
export async function signedIn(world: TestWorld, elsewhere: number) {
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
