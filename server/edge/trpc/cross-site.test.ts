import { afterAll, beforeAll, expect, test } from "vitest";
import { type createTestBrowser, newTestPerson } from "@/server/domain/auth/testing";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { trpcMount } from "./mount";
import { appRouter } from "./router";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

const PAGE = "http://waypost.example";

/** Requests a new name for a person with the cookie of their session, as a page of that origin would. */
async function rename(browser: ReturnType<typeof createTestBrowser>, headers: Record<string, string>) {
  const request = new Request("http://localhost/api/trpc/account.rename", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      host: "waypost.example",
      cookie: browser.cookie(),
      ...headers,
    },
    body: JSON.stringify({ name: "Renamed" }),
  });
  const answer = await trpcMount(world.services, appRouter)(request, "192.0.2.1");
  return { status: answer.status, text: await answer.text() };
}

test.each([
  ["of another site", { origin: "https://evil.example" }],
  ["of another port", { origin: `${PAGE}:8080` }],
  ["of nowhere", { origin: "null" }],
  ["of another site that names no origin", { "sec-fetch-site": "cross-site" }],
  ["that a browser says nothing of", {}],
])("a procedure that a page %s calls with somebody's cookie is refused", async (_, headers) => {
  const { browser, signIn, who } = await newTestPerson(world);
  await signIn();
  const { status, text } = await rename(browser, headers);
  expect(status).toBe(403);
  expect(text).toContain("cross_site_request");
  expect(await who()).toMatchObject({ name: "Ada" });
});

test("a procedure that a page of this server calls is done", async () => {
  const { browser, signIn, who } = await newTestPerson(world);
  await signIn();
  expect((await rename(browser, { origin: PAGE })).status).toBe(200);
  expect(await who()).toMatchObject({ name: "Renamed" });
});
