import { randomInt } from "node:crypto";
import { z } from "zod";
import type { Services } from "@/server/core/context";
import { createMember } from "@/server/domain/members/create";
import { createTestOrganization, type TestWorld } from "@/server/domain/organizations/testing";
import { authMount } from "@/server/edge/auth/mount";
import { personOf } from "./session";
import { totpOf } from "./totp.fixture";

export const PASSWORD = "correct horse battery";

/** An address in a network without any sign-in attempts. */
const newAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

/** A browser as the mount sees it: it stores cookies, and sends from one address. `cookies`: its initial cookies. */
export function createTestBrowser(
  services: Services,
  address: string | null = newAddress(),
  cookies: ReadonlyMap<string, string> = new Map(),
) {
  const mount = authMount(services);
  const jar = new Map(cookies);
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  return {
    cookie,
    cookies: jar as ReadonlyMap<string, string>,
    headers: () => new Headers({ cookie: cookie() }),
    async ask(path: string, body: object, headers: Record<string, string> = {}) {
      const request = new Request(`http://localhost/api/auth${path}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          host: "waypost.example",
          origin: "http://waypost.example",
          cookie: cookie(),
          "user-agent": "A browser of the tests",
          ...headers,
        },
        body: JSON.stringify(body),
      });
      const answer = await mount(request, address);
      const set = answer.headers.getSetCookie();
      for (const line of set) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/max-age=0/i.test(line) || value === "") jar.delete(name);
        else jar.set(name, value);
      }
      const reported: unknown = await answer.json();
      return { status: answer.status, body: reported, setCookies: set, headers: answer.headers };
    },
  };
}

/** Creates the owner of a new organization and their browser, which isn't signed in. */
export async function newTestPerson(world: TestWorld) {
  const ctx = await createTestOrganization(world.services);
  const email = `ada-${randomInt(2 ** 40)}@example.com`;
  const { memberId } = await createMember({
    ctx,
    input: { email, name: "Ada", password: PASSWORD, role: "owner" },
  });
  const address = newAddress();
  const browser = createTestBrowser(world.services, address);
  const who = () => personOf(world.services, browser.headers(), null);
  const signIn = (password = PASSWORD) => browser.ask("/sign-in/email", { email, password });
  const acts = async () => {
    const rows = await world.database.sql<{ action: string }[]>`
      select action from audit_log
      where organization_id = ${ctx.actor.organizationId} and actor_kind = 'member' order by id`;
    return rows.map(({ action }) => action);
  };
  return { ctx, memberId, email, address, browser, who, signIn, acts };
}

const enabled = z.object({ totpUri: z.string(), recoveryCodes: z.array(z.string()) });

/** Enables two-factor sign-in for the person signed in to that browser. @throws Error if that is refused. */
export async function enableTwoFactor(browser: ReturnType<typeof createTestBrowser>) {
  const { body } = await browser.ask("/two-factor/enable", { password: PASSWORD });
  const factor = enabled.parse(body);
  const { status } = await browser.ask("/two-factor/verify-totp", { code: totpOf(factor.totpUri) });
  if (status !== 200) throw new Error(`Turning two-factor sign-in on was answered ${status}`);
  return factor;
}
