import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Answer, errorOf, hang, json, refusal, type ScriptedServer, startScripted } from "./testing.js";
import type { UploadSource } from "./upload-body.js";

const BYTES = new TextEncoder().encode("%PDF-1.4 a file");
const UPLOAD = { storage_key: "upl_1" };
const OPTIONS = { contentType: "application/pdf", filename: "Größe & Preis.pdf" };

let server: ScriptedServer;
const serve = async (...answers: readonly Answer[]) => (server = await startScripted(...answers));
const webStream = () => new Blob([BYTES]).stream();

beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));
afterEach(() => server.close());

const SOURCES: Readonly<Record<string, () => UploadSource>> = {
  bytes: () => BYTES,
  "a Buffer": () => Buffer.from(BYTES),
  "an ArrayBuffer": () => BYTES.slice().buffer,
  "a Blob": () => new Blob([BYTES]),
  "a stream of the web": webStream,
  "a stream of Node": () => Readable.from([Buffer.from(BYTES.slice(0, 4)), Buffer.from(BYTES.slice(4))]),
  "a function that opens a stream": () => webStream,
  "a function that promises a stream": () => async () => Readable.from([Buffer.from(BYTES)]),
};

test.each(Object.keys(SOURCES))("%s arrives whole, with its type and name", async (name) => {
  await serve(json(201, UPLOAD));
  expect(await server.client().uploads.create(SOURCES[name]?.() ?? new Blob(), OPTIONS)).toEqual(UPLOAD);
  const [request] = server.requests;
  expect(request).toMatchObject({ method: "POST", path: "/api/public/v1/uploads", body: Buffer.from(BYTES) });
  expect(request?.headers).toMatchObject({
    "content-type": "application/pdf",
    "x-filename": "Gr%C3%B6%C3%9Fe%20%26%20Preis.pdf",
  });
});

test("type and name are those of a File, if nothing else is said", async () => {
  await serve(json(201, UPLOAD));
  await server.client().uploads.create(new File([BYTES], "a.pdf", { type: "application/pdf" }));
  await server.client().uploads.create(BYTES);
  const [ofFile, ofBytes] = server.requests.map(({ headers }) => [
    headers["content-type"],
    headers["x-filename"],
  ]);
  expect(ofFile).toEqual(["application/pdf", "a.pdf"]);
  expect(ofBytes).toEqual(["application/octet-stream", undefined]);
});

describe("retries", () => {
  const failing = refusal(503, "unavailable");

  test("send bytes again", async () => {
    await serve(failing, json(201, UPLOAD));
    expect(await server.client().uploads.create(BYTES)).toEqual(UPLOAD);
    expect(server.requests.map(({ body }) => body)).toEqual([Buffer.from(BYTES), Buffer.from(BYTES)]);
  });

  test("open a stream again with a function", async () => {
    await serve(failing, json(201, UPLOAD));
    const open = vi.fn<typeof webStream>(webStream);
    expect(await server.client().uploads.create(open)).toEqual(UPLOAD);
    expect(open).toHaveBeenCalledTimes(2);
    expect(server.requests.map(({ body }) => body)).toEqual([Buffer.from(BYTES), Buffer.from(BYTES)]);
  });

  test("don't send a stream again, of which something was read", async () => {
    await serve(failing);
    expect(await errorOf(server.client().uploads.create(webStream()))).toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(1);
  });

  test("send a stream of which nothing was read", async () => {
    await serve(json(201, UPLOAD));
    const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    const fetch = vi
      .fn<typeof globalThis.fetch>(globalThis.fetch)
      .mockRejectedValueOnce(new TypeError("fetch failed", { cause }));
    expect(await server.client({ fetch }).uploads.create(webStream())).toEqual(UPLOAD);
    expect(fetch).toHaveBeenCalledTimes(2);
    expect(server.requests[0]?.body).toEqual(Buffer.from(BYTES));
  });
});

describe("a stream", () => {
  test("that fails gives its own error, and isn't retried", async () => {
    await serve(json(201, UPLOAD));
    const error = new Error("The disk is gone");
    const broken = () =>
      Readable.from(
        (async function* () {
          yield Buffer.from("%PDF");
          throw error;
        })(),
      );
    expect(await errorOf(server.client().uploads.create(broken()))).toBe(error);
    expect(await errorOf(server.client().uploads.create(broken))).toBe(error);
    expect(await errorOf(server.client().uploads.create(() => Promise.reject(error)))).toBe(error);
    expect(server.requests.length).toBeLessThanOrEqual(2);
  });

  test.each(["Node", "web"])("of %s that hangs is closed when the time is over", async (kind) => {
    await serve(hang);
    const isClosed = vi.fn<() => void>();
    const ofNode = () => new Readable({ read: () => undefined, destroy: () => isClosed() });
    const ofWeb = () => new ReadableStream<Uint8Array>({ cancel: isClosed });
    const stream = kind === "Node" ? ofNode() : ofWeb();
    const call = server.client().uploads.create(stream, { timeoutMs: 50 });
    expect(await errorOf(call)).toMatchObject({ name: "WaypostConnectionError", reason: "timeout" });
    await vi.waitFor(() => expect(isClosed).toHaveBeenCalledOnce());
  });

  test("of text is refused: its bytes would be guessed", async () => {
    await serve(json(201, UPLOAD));
    const call = server.client().uploads.create(asSource(Readable.from(["text"])));
    expect(await errorOf(call)).toEqual(
      new TypeError("A stream of a file must yield Uint8Array, not string"),
    );
  });
});

test.each([
  ["text", "%PDF"],
  ["nothing", undefined],
  ["an object", {}],
])("%s isn't a file", async (_, source) => {
  await serve(json(201, UPLOAD));
  const call = Promise.resolve().then(() => server.client().uploads.create(asSource(source)));
  expect(await errorOf(call)).toBeInstanceOf(TypeError);
  expect(server.requests).toEqual([]);
});

/** Guarantee: only tests pass what the types exclude, to see how it is refused. */
function asSource(value: unknown): UploadSource {
  return value as UploadSource;
}
