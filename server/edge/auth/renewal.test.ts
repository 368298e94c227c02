import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { createRuntime } from "@/server/boot/runtime";
import { newTestPerson } from "@/server/domain/auth/testing";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

const WEEK_SECONDS = 7 * 24 * 60 * 60;

test("a session that is used lasts anew in the browser, too, and never in the database alone", async () => {
  const { browser, signIn, who } = await newTestPerson(world);
  await signIn();
  const person = await who();
  const runtime = createRuntime(world.services, async () => new Response(null));
  const ask = () =>
    runtime.trpc.fetch(
      new Request("http://waypost.example/api/trpc/account.me", { headers: browser.headers() }),
      null,
    );
  const daysLeft = async () => {
    const [row] = await world.database.sql<{ days: number }[]>`
      select round(extract(epoch from expires_at - now()) / 86400)::int as days from sessions
      where id = ${person?.sessionId ?? null}`;
    return row?.days;
  };
  expect((await ask()).headers.getSetCookie()).toEqual([]);
  await world.database.sql`
    update sessions set expires_at = now() + interval '3 days' where id = ${person?.sessionId ?? null}`;

  await runtime.pageCaller(browser.headers(), null);
  expect(await who()).not.toBeNull();
  expect(await daysLeft()).toBe(3);

  const renewed = (await ask()).headers.getSetCookie().join("\n");
  expect(renewed).toContain(`waypost.session_token=${browser.cookies.get("waypost.session_token")}`);
  expect(renewed).toContain(`Max-Age=${WEEK_SECONDS}`);
  expect(renewed).toMatch(/HttpOnly/i);
  expect(await daysLeft()).toBe(7);
  expect((await ask()).headers.getSetCookie()).toEqual([]);
  await runtime.close();
});
