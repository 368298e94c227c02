import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { createTestBrowser, newTestPerson, PASSWORD } from "@/server/domain/auth/testing";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

test.each([
  ["sent over https only, where that is the public address", "https://waypost.example", true],
  ["also sent over http, where that is all there is", "http://waypost.example", false],
])("the cookie of a session is %s", async (_, publicUrl, isSecure) => {
  const { email } = await newTestPerson(world);
  const config = { ...world.services.config, publicUrl };
  const browser = createTestBrowser({ ...world.services, config });
  const credentials = { email, password: PASSWORD };
  const { status, setCookies } = await browser.ask("/sign-in/email", credentials, { origin: publicUrl });
  expect(status).toBe(200);
  expect(setCookies.length).toBeGreaterThan(0);
  for (const cookie of setCookies) {
    expect(/; *secure(;|$)/i.test(cookie)).toBe(isSecure);
    expect(cookie.startsWith("__Secure-")).toBe(isSecure);
  }
});
