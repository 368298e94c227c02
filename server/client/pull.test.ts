import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { WEBHOOK_EVENT_EXAMPLES } from "@/server/domain/webhooks/events/event-examples";
import type { PullOptions } from "./pull.js";
import {
  type Answer,
  breakOff,
  errorOf,
  hang,
  json,
  refusal,
  type ScriptedServer,
  startScripted,
} from "./testing.js";

const EVENT = WEBHOOK_EVENT_EXAMPLES["message.sent"];
const page = (ids: readonly string[], next: string) =>
  json(200, {
    data: ids.map((id) => ({ id, event_id: id, body: JSON.stringify({ ...EVENT, id }) })),
    next_cursor: next,
  });

let server: ScriptedServer;
let saved: string[];
const serve = async (...answers: readonly Answer[]) => (server = await startScripted(...answers));
const pull = (options: PullOptions = {}) =>
  server
    .client()
    .webhooks.pull("1", { saveCursor: (cursor) => void saved.push(cursor), idleMs: 1, ...options });
const cursors = () => server.requests.map(({ path }) => new URL(path, "http://x").searchParams.get("cursor"));

beforeEach(() => {
  saved = [];
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => server.close());

/** Reads events until the last one of these, then aborts. @returns the ids. */
async function readUntil(last: string, options: PullOptions = {}): Promise<string[]> {
  const controller = new AbortController();
  const ids: string[] = [];
  for await (const { id } of pull({ ...options, signal: controller.signal })) {
    ids.push(id);
    if (id === last) controller.abort();
  }
  return ids;
}

test("events come in order, and each batch is acknowledged when the loop has finished it", async () => {
  await serve(page(["1", "2"], "A"), page(["3"], "B"));
  const seen: (readonly [string, readonly string[]])[] = [];
  const controller = new AbortController();
  for await (const { id } of pull({ signal: controller.signal, limit: 2 })) {
    seen.push([id, [...saved]]);
    if (id === "3") controller.abort();
  }
  expect(seen).toEqual([
    ["1", []],
    ["2", []],
    ["3", ["A"]],
  ]);
  expect(saved).toEqual(["A", "B"]);
  expect(server.requests[0]?.path).toBe(
    "/api/public/v1/webhooks/1/deliveries?order=oldest&include=payload&limit=2",
  );
});

test("a loop that is left early doesn't acknowledge its batch, so that its events come again", async () => {
  await serve(page(["1", "2"], "A"));
  for await (const _ of pull()) break;
  const error = new Error("It can't be processed");
  const failing = async () => {
    for await (const _ of pull()) throw error;
  };
  expect(await errorOf(failing())).toBe(error);
  expect(saved).toEqual([]);
});

test("a stop within a batch doesn't acknowledge it", async () => {
  await serve(page(["1", "2"], "A"));
  expect(await readUntil("1")).toEqual(["1"]);
  expect(saved).toEqual([]);
});

test("it continues from a cursor, and asks again after the last event", async () => {
  await serve(page([], "A"), page([], "B"), page([], "B"), page(["1"], "C"));
  expect(await readUntil("1", { cursor: "A" })).toEqual(["1"]);
  expect(cursors()).toEqual(["A", "A", "B", "B"]);
  expect(saved).toEqual(["B", "C"]);
});

test("an erased event is left out", async () => {
  const erased = { id: "1", event_id: "1", body: null };
  const event = { id: "2", event_id: "2", body: JSON.stringify({ ...EVENT, id: "2" }) };
  await serve(json(200, { data: [erased, event], next_cursor: "A" }));
  expect(await readUntil("2")).toEqual(["2"]);
});

describe("an outage", () => {
  test("is waited out, however long, and reported", async () => {
    const failures = [
      breakOff,
      refusal(503, "unavailable"),
      refusal(429, "rate_limited"),
      refusal(500, "internal_error"),
    ];
    await serve(page(["1"], "A"), ...failures, ...failures, page(["2"], "B"));
    const onError = vi.fn<NonNullable<PullOptions["onError"]>>();
    expect(await readUntil("2", { onError })).toEqual(["1", "2"]);
    expect(onError).toHaveBeenCalledTimes(8);
    expect(onError.mock.calls[0]).toMatchObject([{ reason: "network" }]);
    expect(cursors()).toEqual([null, ...Array.from({ length: 9 }, () => "A")]);
  });

  test("can be answers that aren't Waypost's: they are waited out too", async () => {
    const html: Answer = (response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>");
    const redirect: Answer = (response) => response.writeHead(302, { Location: "/" }).end();
    const noContent: Answer = (response) => response.writeHead(204).end();
    const foreign = [json(200, {}), json(200, { data: [null], next_cursor: "A" }), html, redirect, noContent];
    await serve(...foreign, page(["1"], "A"));
    const onError = vi.fn<NonNullable<PullOptions["onError"]>>();
    expect(await readUntil("1", { onError })).toEqual(["1"]);
    expect(onError.mock.calls.map(([error]) => Object(error).reason)).toEqual([
      "invalid_answer",
      "invalid_answer",
      "invalid_answer",
      "redirect",
      "invalid_answer",
    ]);
  });

  test("isn't what a refusal is that waiting doesn't change", async () => {
    await serve(refusal(404, "webhook_not_found"));
    expect(await errorOf(readUntil("1"))).toMatchObject({ code: "webhook_not_found" });
    expect(server.requests).toHaveLength(1);
  });
});

test("the signal ends a wait and a request, without an error", async () => {
  await serve(page([], "A"), hang);
  const controller = new AbortController();
  const reading = (async () => {
    for await (const _ of pull({ signal: controller.signal })) throw new Error("There is no event");
    return "ended";
  })();
  await vi.waitFor(() => expect(server.requests).toHaveLength(2));
  controller.abort();
  expect(await reading).toBe("ended");
});

test("an error of saveCursor is thrown, also while the signal is aborted", async () => {
  await serve(page(["1"], "A"));
  const error = new Error("The database is gone");
  const saveCursor = () => Promise.reject(error);
  expect(await errorOf(readUntil("1", { saveCursor }))).toBe(error);
});
