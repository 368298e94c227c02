import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { createKey } from "@/server/domain/keys/create";
import { type Api, createApi } from "./api";
import { listen, type ListenOptions } from "./listen";
import { openNotes } from "./notes";
import { type ListenWorld, openListenWorld } from "./testing";

let world: ListenWorld;
let here: Awaited<ReturnType<ListenWorld["begin"]>>;
let api: Api;
let directory: string;

beforeAll(async () => {
  world = await openListenWorld();
  directory = await mkdtemp(path.join(tmpdir(), "waypost-notes-"));
});
beforeEach(async () => {
  here = await world.begin();
  const input = { name: "Listener", scopes: ["webhooks:manage" as const] };
  const { secret: key } = await createKey({ ctx: here.ctx, input });
  api = createApi({ baseUrl: world.api.url, key });
});
afterAll(async () => {
  await world.close();
  await rm(directory, { recursive: true });
});

/** Listens until it is stopped. */
function start(options: Partial<ListenOptions>) {
  const controller = new AbortController();
  const reported = {
    listening: 0,
    failedTries: [] as string[],
    handled: [] as string[],
    remarks: [] as string[],
  };
  const counts = listen({
    api,
    forward: world.receiver.url,
    endpointId: null,
    sinceSeconds: null,
    notes: openNotes(directory),
    stopping: controller.signal,
    reporter: {
      listening: () => (reported.listening += 1),
      failedTry: ({ eventId }) => reported.failedTries.push(eventId),
      handled: ({ eventId }) => reported.handled.push(eventId),
      remark: (words) => reported.remarks.push(words),
    },
    ...options,
  });
  const stop = () => {
    controller.abort();
    return counts;
  };
  return { reported, counts, stop, listening: () => until("it listens", () => reported.listening === 1) };
}

test("a program that hangs gets each event in order and freshly signed, however long the page before it took", async () => {
  const arrived: { id: unknown; signedAt: unknown }[] = [];
  // Never responds.
  world.receiver.answers((_, { headers }) => {
    arrived.push({ id: headers["webhook-id"], signedAt: headers["webhook-timestamp"] });
  });
  const patience = { timeoutMs: 500, againAfterMs: [] };
  const { reported, stop, listening } = start({ patience, freshMs: 700 });
  await listening();
  for (let events = 0; events < 8; events += 1) await here.write();
  await until("all are handled", () => reported.handled.length === 8);
  expect(await stop()).toMatchObject({ taken: 0, notTaken: 8, erased: 0 });
  expect(arrived.map(({ id }) => id)).toEqual(reported.handled);
  expect(new Set(reported.handled).size).toBe(8);
  // All events of a page are signed in the same second. The first event has its own page.
  expect(new Set(arrived.map(({ signedAt }) => signedAt)).size).toBeGreaterThan(2);
});

test("each try at a program that hangs is told when it is over, before the next one", async () => {
  world.receiver.answers(() => undefined);
  const patience = { timeoutMs: 200, againAfterMs: [1, 60_000] };
  const { reported, stop, listening } = start({ patience });
  await listening();
  await here.write();
  await until("two are told", () => reported.failedTries.length === 2);
  expect(reported.handled).toEqual([]);
  expect(await stop()).toMatchObject({ taken: 0, notTaken: 0 });
});

test("an answer of the API that doesn't end is given up", async () => {
  world.api.refuses((response) => {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
    };
    response.on("drain", more);
    more();
  });
  const small = createApi({ baseUrl: world.api.url, key: "x", answerBytesMax: 1_000_000 });
  await expect(start({ api: small }).counts).rejects.toMatchObject({ code: "unknown_answer" });
});

test("a listener notes its endpoint while it has it, and believes no notes that others could have written", async () => {
  const { stop, listening } = start({});
  await listening();
  const [noted = ""] = await readdir(directory);
  const { organizationId } = here.ctx.actor;
  // Its process is running.
  expect(await openNotes(directory).left(organizationId)).toEqual([]);
  await stop();
  expect(await readdir(directory)).toEqual([]);
  const notes = openNotes(path.join(directory, "open"));
  await notes.add({ endpointId: noted, organizationId });
  expect(await readdir(path.join(directory, "open"))).toEqual([noted]);
  await notes.remove(noted);
  await chmod(path.join(directory, "open"), 0o777);
  await notes.add({ endpointId: noted, organizationId });
  expect(await readdir(path.join(directory, "open"))).toEqual([]);
});
