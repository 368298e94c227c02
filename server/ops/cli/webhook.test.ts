import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { freePort } from "@/e2e/support/free-port";
import { until } from "@/e2e/support/until";
import { type ListenWorld, openListenWorld } from "@/server/ops/cli/listen/testing";
import { createKey } from "@/server/domain/keys/create";
import { createWebhook } from "@/server/domain/webhooks/endpoints/create";
import { PUBLIC_URL } from "@/server/domain/webhooks/testing";

let world: ListenWorld;
let here: Awaited<ReturnType<ListenWorld["begin"]>>;

beforeAll(async () => void (world = await openListenWorld()));
beforeEach(async () => void (here = await world.begin()));
afterAll(() => world.close());

/** Contacts of the events that the local program received, in order. */
const contactsOf = () => world.receiver.calls.map(({ body }) => JSON.parse(body).data.contact_id);

describe("without a key", () => {
  test("it posts what happens, in order and signed, and leaves nothing behind", async () => {
    const listener = world.start(here.org);
    await listener.listening();
    const written = [await here.write(), await here.write(), await here.write()];
    await world.received(3);
    expect(contactsOf()).toEqual(written);
    const [, secret = ""] = /^Secret (whsec_\S+) /m.exec(listener.stdout()) ?? [];
    for (const { body, headers } of world.receiver.calls) {
      const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      expect(new Webhook(secret).verify(body, texts)).toEqual(JSON.parse(body));
      expect(headers).toMatchObject({ "content-type": "application/json", "user-agent": "Waypost" });
    }
    await until("the last line is printed", () => listener.stdout().match(/ 204 /g)?.length === 3);
    const { code, stdout, stderr } = await listener.stop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout.trim().split("\n");
    const messageId = JSON.parse(world.receiver.calls[0]?.body ?? "{}").data.message_id;
    expect(lines).toHaveLength(6);
    expect(lines[2]).toMatch(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d  message\\.received   ${messageId}  204  \\d+ ms$`),
    );
    expect(lines[5]).toBe("Stopped. 3 accepted, 0 not accepted.");
    expect(await here.left()).toEqual({ endpoints: 0, keys: 0 });
  });

  test("without an address to post to it shows what happens, and posts nothing", async () => {
    const listener = world.startShowing(here.org);
    await listener.listening();
    expect(listener.stdout()).toContain(`Events of organization ${here.ctx.actor.organizationId}, fetched`);
    for (let events = 0; events < 2; events += 1) await here.write();
    await until("two lines are printed", () => listener.stdout().match(/ message\.received /g)?.length === 2);
    const { code, stdout, stderr } = await listener.stop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d {2}message\.received {3}[0-9a-f-]{36}$/m);
    expect(stdout).toMatch(/\nStopped\. 2 shown\.\n$/);
    expect(stdout).not.toContain("whsec_");
    expect(world.receiver.calls).toEqual([]);
    expect(await here.left()).toEqual({ endpoints: 0, keys: 0 });
  });

  test("it begins with what came since, where that is asked for", async () => {
    await createWebhook({ ctx: here.ctx, input: { url: null } });
    const before = await here.write();
    const listener = world.start([...here.org, "--since", "1h"]);
    await world.received(1);
    const after = await here.write();
    await world.received(2);
    expect(contactsOf()).toEqual([before, after]);
    expect((await listener.stop()).code).toBe(0);
  });

  test("a signal while it begins ends it well, and leaves nothing behind", async () => {
    // No request gets a response.
    world.api.refuses(() => undefined);
    const listener = world.start(here.org);
    await until("it asks", () => world.api.refused() > 0);
    world.api.refuses(null);
    const stdout = "Stopped. 0 accepted, 0 not accepted.\n";
    expect(await listener.stop()).toEqual({ code: 0, stdout, stderr: "" });
    expect(await here.left()).toEqual({ endpoints: 0, keys: 0 });
  });

  test("it has to be told of which of several organizations", async () => {
    const { code, stdout, stderr } = await world.listen();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      "waypost: There are several organizations. Choose one with --org; `org list` shows them. (organization_not_named)\n",
    );
  });

  test("it is about the first start's demo where it isn't told", async () => {
    const { organizationId } = here.ctx.actor;
    await world.sql`insert into installation (name, value) values ('demo_organization', ${organizationId})`;
    const listener = world.start([]);
    await listener.listening();
    await world.sql`delete from installation where name = 'demo_organization'`;
    expect(await here.left()).toEqual({ endpoints: 1, keys: 1 });
    await listener.stop();
  });

  test("it needs a running Waypost", async () => {
    const listener = world.start([], { DATABASE_URL: "" });
    const { code, stdout, stderr } = await listener.finished;
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("Waypost isn't running from this checkout. Start it with `npm start`");
  });
});

describe("with a key", () => {
  const newKey = () => createKey({ ctx: here.ctx, input: { name: "Listener", scopes: ["webhooks:manage"] } });
  const ELSEWHERE = { DATABASE_URL: "", WAYPOST_PUBLIC_URL: "" };

  test("it needs no database, and goes on with an endpoint that is there, from then or from now", async () => {
    const { secret } = await newKey();
    const { id } = await createWebhook({ ctx: here.ctx, input: { url: null } });
    const before = await here.write();
    const args = ["--endpoint", id, "--url", `${world.api.url}/`, "--json"];
    const fromThen = world.start([...args, "--since", "1h", "--key", secret], ELSEWHERE);
    await world.received(1);
    await until("it is told", () => fromThen.stdout().includes('"event"'));
    const { code, stdout } = await fromThen.stop();
    expect(code).toBe(0);
    const [first, event, last] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(first).toEqual({
      listening: { organization_id: here.ctx.actor.organizationId, endpoint_id: id, secret: null },
    });
    expect(event).toMatchObject({
      event: { type: "message.received", status: 204, failure: null, tries: 1 },
    });
    const [call] = world.receiver.calls;
    expect(event.event.event_id).toBe(call?.headers["webhook-id"]);
    expect(event.event.event_id).toBe(JSON.parse(call?.body ?? "{}").id);
    expect(event.event.delivery_id).not.toBe(event.event.event_id);
    expect(last).toEqual({ stopped: { taken: 1, not_taken: 0, erased: 0, shown: 0 } });
    const fromNow = world.start([...args, "--key", secret], ELSEWHERE);
    await fromNow.listening();
    const after = await here.write();
    await world.received(2);
    expect(contactsOf()).toEqual([before, after]);
    await fromNow.stop();
    expect(await here.left()).toEqual({ endpoints: 1, keys: 1 });
  });

  test("what it is refused ends it, with the code", async () => {
    const { ctx } = here;
    const { secret } = await newKey();
    const reading = await createKey({ ctx, input: { name: "Other", scopes: ["messages:read"] } });
    const posted = await createWebhook({ ctx, input: { url: PUBLIC_URL } });
    const cases = [
      [["--key", `${secret}x`], "invalid_api_key"],
      [["--key", reading.secret], "missing_scope"],
      [["--key", secret, "--endpoint", randomUUID()], "webhook_not_found"],
      [["--key", secret, "--endpoint", posted.id], "webhook_has_url"],
    ] as const;
    for (const [args, error] of cases) {
      const { code, stdout, stderr } = await world.listen("--url", world.api.url, ...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(new RegExp(`^waypost: .*\\(${error}\\)\n$`));
    }
    const url = `http://127.0.0.1:${await freePort()}`;
    const stderr = `waypost: Waypost at ${url} doesn't respond.\n`;
    expect(await world.listen("--url", url, "--key", secret)).toEqual({ code: 1, stdout: "", stderr });
  });
});
