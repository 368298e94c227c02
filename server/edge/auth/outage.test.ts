import { Writable } from "node:stream";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createOrm } from "@/db/client";
import type { Services } from "@/server/core/context";
import { createLogger } from "@/server/platform/log";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { createRuntime } from "@/server/boot/runtime";
import { authMount } from "./mount";
import { newTestPerson, PASSWORD } from "@/server/domain/auth/testing";

let world: TestWorld;
let person: Awaited<ReturnType<typeof newTestPerson>>;

beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
  person = await newTestPerson(world);
  await person.signIn();
});
afterAll(() => world.close());

/** The same services, over an unavailable database, and their log. */
async function withoutDatabase() {
  const orm = createOrm({ url: "postgres://nobody@127.0.0.1:1/none" }, { name: "test", connectionsMax: 1 });
  return { ...logging({ ...world.services, orm }), end: () => orm.$client.end() };
}

function logging(services: Services) {
  let lines = "";
  const destination = new Writable({ write: (chunk, _, done) => ((lines += String(chunk)), done()) });
  const log = createLogger({ level: "warn", destination });
  return { services: { ...services, log }, lines: () => lines };
}

const runtimeOf = (services: Services) => createRuntime(services, async () => new Response(null));

const asked = (path: string, body?: object) =>
  new Request(`http://waypost.example${path}`, {
    headers: {
      cookie: person.browser.cookie(),
      host: "waypost.example",
      origin: "http://waypost.example",
      "content-type": "application/json",
    },
    ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
  });

function signIn() {
  const request = asked("/api/auth/sign-in/email", { email: person.email, password: PASSWORD });
  request.headers.delete("cookie");
  return request;
}

describe("while the database is away", () => {
  test("whoever is signed in is told to come back, not that something is wrong with Waypost", async () => {
    const { services, end } = await withoutDatabase();
    const runtime = runtimeOf(services);
    const organization = person.ctx.actor.organizationId;
    const answers = await Promise.all([
      runtime.trpc.fetch(asked("/api/trpc/account.me"), null),
      runtime.exports.fetch(asked(`/api/export/messages.csv?organization=${organization}`), null),
      runtime.auth.fetch(asked("/api/auth/two-factor/enable", { password: PASSWORD }), null),
      runtime.auth.fetch(signIn(), null),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get("Retry-After")).toBe("1");
      expect(await answer.json()).toMatchObject({ error: { code: "unavailable" } });
    }
    await runtime.close();
    await end();
  });

  test("a page that is made here fails by it, and what it fails with holds nothing of the session", async () => {
    const { services, end } = await withoutDatabase();
    const runtime = runtimeOf(services);
    const failure: unknown = await runtime
      .pageCaller(person.browser.headers(), null)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "unavailable" });
    await runtime.close();
    await end();
    expect(inspect(failure, { depth: null })).not.toMatch(/Failed query|params|token/);
  });
});

describe("what better-auth fails with", () => {
  test("is an error of ours, whose cause is in the log, without the values of the statement", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { services, lines } = logging(world.services);
    const mount = authMount(services);
    const [{ token } = { token: "" }] = await world.database.sql<{ token: string }[]>`
      select token from sessions`;
    for (const [table, request] of [
      ["sessions", () => asked("/api/auth/sign-out", {})],
      ["users", signIn],
    ] as const) {
      await world.database.sql.unsafe(`alter table ${table} rename to ${table}_away`);
      try {
        const answer = await mount(request(), null);
        expect(await answer.json()).toMatchObject({ error: { code: "internal_error" } });
        expect(lines()).toContain(`relation \\"${table}\\" does not exist`);
      } finally {
        await world.database.sql.unsafe(`alter table ${table}_away rename to ${table}`);
      }
    }
    expect(printed).not.toHaveBeenCalled();
    expect(lines()).not.toContain(token);
    expect(lines()).not.toContain(person.email);
  });
});
