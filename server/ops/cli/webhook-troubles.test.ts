import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { type ListenWorld, openListenWorld } from "@/server/ops/cli/listen/testing";
import { openNotes } from "@/server/ops/cli/listen/notes";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import { createWebhook } from "@/server/domain/webhooks/endpoints/create";
import { removeWebhook } from "@/server/domain/webhooks/endpoints/remove";

let world: ListenWorld;
let here: Awaited<ReturnType<ListenWorld["begin"]>>;

beforeAll(async () => void (world = await openListenWorld()));
beforeEach(async () => void (here = await world.begin()));
afterAll(() => world.close());

test("a local program that fails is tried again a few times, and what it never takes keeps nothing up", async () => {
  let calls = 0;
  world.receiver.answers((response) => {
    calls += 1;
    // Accepts the second attempt of the first event, and no attempt of the second event.
    response.writeHead(calls === 2 || calls > 6 ? 200 : 500).end();
  });
  const listener = world.start(here.org);
  await listener.listening();
  for (let events = 0; events < 3; events += 1) await here.write();
  await until("seven lines are printed", () => listener.stdout().match(/ ms/g)?.length === 7);
  const { code, stdout, stderr } = await listener.stop();
  const lines = stdout.trim().split("\n").slice(2);
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d {2}message\.received .* 500 {2}\d+ ms {2}retry in 0\.3 s$/);
  expect(lines[1]).toMatch(/ 200 {2}\d+ ms {2}after 2 attempts$/);
  for (const [index, seconds] of ["0.3", "1.5", "4"].entries()) {
    expect(lines[2 + index]).toMatch(new RegExp(` 500  \\d+ ms  retry in ${seconds} s$`));
  }
  expect(lines[5]).toMatch(/ 500 {2}\d+ ms {2}failed after 4 attempts$/);
  expect(lines[6]).toMatch(/ 200 {2}\d+ ms$/);
  expect(lines[7]).toBe("Stopped. 2 accepted, 1 not accepted.");
  expect(stderr).toMatch(/^waypost: This command doesn't post failed events again\. .*--since 5m/);
  expect(code).toBe(0);
});

test("it posts to any port, and follows no redirect", async () => {
  world.receiver.answersStatus(302, { Location: "http://127.0.0.1:1/elsewhere" });
  const listener = world.start(here.org);
  await listener.listening();
  await here.write();
  await until("it is said", () => listener.stdout().includes("  302  "));
  await listener.stop();
  const refused = world.start([...here.org, "--forward", "http://127.0.0.1:1/hook"]);
  await refused.listening();
  await here.write();
  await until("it is said", () => refused.stdout().includes("nothing listens there"));
  expect((await refused.stop()).code).toBe(0);
});

test("limits, a restart and a broken network are waited for", async () => {
  const listener = world.start(here.org);
  await listener.listening();
  const outageLogs = [
    (res: ServerResponse) => void res.writeHead(429, { "Retry-After": "1" }).end(),
    (res: ServerResponse) => void res.writeHead(503, { "Retry-After": "1" }).end("{}"),
    (res: ServerResponse) => void res.destroy(),
  ];
  for (const [index, outageLog] of outageLogs.entries()) {
    world.api.refuses(outageLog);
    await until("it was refused", () => world.api.refused() > 0);
    await here.write();
    world.api.refuses(null);
    await world.received(index + 1);
  }
  expect(listener.stderr().match(/Retrying until it responds\./g)).toHaveLength(3);
  expect((await listener.stop()).code).toBe(0);
});

test("an event that was erased is told of, and counts as neither taken nor not", async () => {
  const { ctx } = here;
  const { id } = await createWebhook({ ctx, input: { url: null } });
  const contactId = await here.write();
  await here.write();
  await eraseContact({ ctx, input: { contactId } });
  const listener = world.start([...here.org, "--endpoint", id, "--since", "1h"]);
  await world.received(1);
  await until("it is told", () => listener.stdout().includes(" 204 "));
  const { stdout } = await listener.stop();
  expect(stdout).toMatch(/ {2}erased: there is nothing to post$/m);
  expect(stdout).toContain("Stopped. 1 accepted, 0 not accepted, 1 erased.");
});

test("an endpoint that was removed ends it", async () => {
  const { id } = await createWebhook({ ctx: here.ctx, input: { url: null } });
  const listener = world.start([...here.org, "--endpoint", id]);
  await listener.listening();
  await removeWebhook({ ctx: here.ctx, input: { id } });
  const { code, stderr } = await listener.finished;
  expect(code).toBe(1);
  expect(stderr).toContain("(webhook_not_found)");
  expect(await here.left()).toEqual({ endpoints: 0, keys: 0 });
});

test("where its endpoint can't be removed, it says so", async () => {
  const listener = world.start(here.org);
  await listener.listening();
  world.api.refuses((res) => void res.writeHead(500).end());
  const { code, stderr } = await listener.stop();
  expect(code).toBe(1);
  const [, id = ""] = /The endpoint ([0-9a-f-]{36}) could not be removed\./.exec(stderr) ?? [];
  expect(await here.left()).toEqual({ endpoints: 1, keys: 0 });
  expect(id).not.toBe("");
  await openNotes().remove(id);
});

test.each([
  ["--forward", "localhost:4000"],
  ["--forward", "ftp://localhost/"],
  ["--since", "1 hour"],
  ["--since", "0h"],
  ["--endpoint", "x"],
])("%s %s is a wrong call", async (name, value) => {
  const { code, stdout, stderr } = await world.listen(name, value);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("Expected");
});
