import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Waypost } from "./client.js";
import {
  ACCEPTED,
  type Answer,
  errorOf,
  json,
  KEY,
  MESSAGE,
  refusal,
  type ScriptedServer,
  startScripted,
} from "./testing.js";

const PAGE = json(200, { data: [], next_cursor: null });
const UPLOAD = json(201, { storage_key: "upl_1" });
const UNUSABLE = Object(Symbol.iterator);
const never = new Date("never");

let server: ScriptedServer;
const serve = async (...answers: readonly Answer[]) => (server = await startScripted(...answers));

beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));
afterEach(() => server.close());

describe("a TypeError names what can't be used, and nothing is sent:", () => {
  const signal = "`signal` must be an AbortSignal";
  const options = (given: string) => `The options must be an object, not ${given}`;
  const calls: readonly (readonly [string, string, (client: Waypost) => PromiseLike<unknown>])[] = [
    ["a date of a list", "`since` isn't a valid date", ({ messages }) => messages.list({ since: never })],
    [
      "a date of a replay",
      "`until` isn't a valid date",
      ({ webhooks }) => webhooks.replay("1", { since: new Date(), until: never, only: "failed" }),
    ],
    [
      "a date of a new endpoint",
      "`since` isn't a valid date",
      ({ webhooks }) => webhooks.create({ url: null, since: never }),
    ],
    ["no options", options("null"), (client) => client.ping(asGiven(null))],
    ["options of a number", options("number"), (client) => client.messages.send(MESSAGE, asGiven(5))],
    ["no options of an upload", options("null"), ({ uploads }) => uploads.create(new Blob(), asGiven(null))],
    ["no options of a loop", options("null"), ({ webhooks }) => webhooks.pull("1", asGiven(null)).next()],
    ["a controller as signal", signal, (client) => client.ping({ signal: asGiven(new AbortController()) })],
    ["text as signal", signal, (client) => client.messages.list({}, { signal: asGiven("stop") })],
  ];

  test.each(calls)("%s", async (_, message, call) => {
    await serve(PAGE);
    const error = await errorOf(Promise.resolve().then(() => call(server.client())));
    expect(error).toBeInstanceOf(TypeError);
    expect(Object(error).message).toBe(message);
    expect(server.requests).toEqual([]);
  });

  test("options of the client, which could be the key", async () => {
    await serve(PAGE);
    expect(() => new Waypost(asGiven(KEY))).toThrow(new TypeError(options("string")));
    expect(() => new Waypost(asGiven(undefined))).toThrow(new TypeError(options("undefined")));
  });
});

test("an empty cursor is none", async () => {
  await serve(json(200, { data: [{ id: "1", event_id: "1", body: "" }], next_cursor: null }), PAGE);
  const { webhooks } = server.client();
  await webhooks.list({ cursor: "", limit: 1 });
  const stop = new AbortController();
  const reading = webhooks.pull("1", { cursor: "", signal: stop.signal }).next();
  await vi.waitFor(() => expect(server.requests).toHaveLength(2));
  stop.abort();
  await reading;
  for (const { path } of server.requests) expect(path).not.toContain("cursor");
});

test.each([
  ["throws", () => asGiven(UNUSABLE.missing.member)],
  ["rejects", () => asGiven(Promise.reject(new Error("The log is gone")))],
])("a log of retries that %s doesn't end the call", async (_, onRetry) => {
  await serve(refusal(503, "unavailable"), json(201, ACCEPTED));
  expect(await server.client({ onRetry }).messages.send(MESSAGE)).toEqual(ACCEPTED);
  expect(server.requests).toHaveLength(2);
});

test("a time of an error that isn't one is left out", async () => {
  const error = { code: "recipient_unreachable", message: "", resend: "later", resend_after: "soon" };
  await serve(json(422, { error }));
  expect(await errorOf(server.client().messages.send(MESSAGE))).toMatchObject({
    code: "recipient_unreachable",
    resendAfter: undefined,
  });
});

describe("a file", () => {
  test("is the same in each try, whatever the caller does with the bytes", async () => {
    const bytes = new TextEncoder().encode("..%PDF-1.4..");
    const views = [bytes.subarray(2, 10), bytes.slice(2, 10).buffer];
    for (const view of views) {
      const change: Answer = (response, request) => {
        new Uint8Array(view instanceof ArrayBuffer ? view : view.buffer).fill(0);
        return refusal(503, "unavailable")(response, request);
      };
      const own = await startScripted(change, UPLOAD);
      await own.client().uploads.create(view);
      expect(own.requests.map(({ body }) => String(body))).toEqual(["%PDF-1.4", "%PDF-1.4"]);
      await own.close();
    }
    await serve(UPLOAD);
  });

  const read: Readonly<Record<string, () => Promise<Readable | ReadableStream<Uint8Array>>>> = {
    "Node, to the end": async () => {
      const stream = Readable.from([Buffer.from("%PDF")]);
      await text(stream);
      return stream;
    },
    "Node, in part": async () => {
      const stream = Readable.from([Buffer.from("%P"), Buffer.from("DF")]);
      await stream[Symbol.asyncIterator]().next();
      return stream;
    },
    "the web, to the end": async () => {
      const stream = new Blob(["%PDF"]).stream();
      const reader = stream.getReader();
      while (!(await reader.read()).done);
      reader.releaseLock();
      return stream;
    },
    "the web, by someone else": async () => {
      const stream = new Blob(["%PDF"]).stream();
      stream.getReader();
      return stream;
    },
  };

  test.each(Object.keys(read))("that was read already is refused: a stream of %s", async (name) => {
    await serve(UPLOAD);
    const stream = (await read[name]?.()) ?? asGiven(undefined);
    const message = "The stream was read already. Pass a new one, or a function that opens one";
    for (const source of [stream, () => stream]) {
      const call = Promise.resolve().then(() => server.client().uploads.create(source));
      expect(await errorOf(call)).toEqual(new TypeError(message));
    }
    expect(server.requests).toEqual([]);
  });
});

/** Guarantee: only tests pass what the types exclude, to see how it is refused. */
function asGiven(value: unknown): never {
  return value as never;
}
