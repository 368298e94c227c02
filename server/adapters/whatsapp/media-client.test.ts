import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { closeServer, listen } from "@/server/edge/http/listen";
import type { StoredFile } from "@/server/adapters/files/store";
import {
  givingIds,
  type MediaUpstream,
  SAMPLES,
  startMediaUpstream,
  storedFileOf,
} from "@/server/domain/uploads/testing";
import { uploadMedia } from "./media-client";
import { answerJson } from "./testing";

/** For calls that don't end by themselves. */
const TIMEOUT_MS = 250;
const TOKEN = "EAAG-secret-token";

let upstream: MediaUpstream;

beforeAll(async () => void (upstream = await startMediaUpstream()));
beforeEach(() => upstream.behave(givingIds));
afterAll(() => upstream.close());

const upload = (
  file: StoredFile = storedFileOf(SAMPLES.png),
  baseUrl = upstream.url,
  options: { timeoutMs?: number } = {},
) =>
  uploadMedia({
    baseUrl,
    phoneNumberId: "1234567890",
    accessToken: TOKEN,
    mimeType: "image/png",
    file,
    ...options,
  });

const graphError = (code: number) => ({
  error: { message: `(#${code}) Title`, type: "OAuthException", code, error_data: { details: "Details" } },
});
const failed = (kind: string, detail: object = {}) => ({ kind: "failed", outcome: { kind, detail } });

test("a file goes out as Meta documents it, byte for byte, with the token in the header", async () => {
  const answer = await upload();
  expect(answer).toEqual({ kind: "ready", mediaId: `media-${upstream.uploads.length}` });
  expect(upstream.uploads.at(-1)).toEqual({
    path: expect.stringMatching(/^\/v\d+\.0\/1234567890\/media$/),
    authorization: `Bearer ${TOKEN}`,
    fields: { messaging_product: "whatsapp", type: "image/png" },
    file: { type: "image/png", bytes: SAMPLES.png },
  });
});

test("a file that holds what looks like the end of the form arrives whole", async () => {
  const bytes = Buffer.from('--x\r\nContent-Disposition: form-data; name="type"\r\n\r\nevil\r\n--x--\r\n');
  await upload(storedFileOf(bytes));
  expect(upstream.uploads.at(-1)).toMatchObject({ fields: { type: "image/png" }, file: { bytes } });
});

test("a file is streamed: no more of it is read than the upstream takes", async () => {
  const piece = Buffer.alloc(1024 * 1024);
  let piecesRead = 0;
  let readBeforeTaking = 0;
  const slow = createServer((req, res) => {
    req.once("end", () => answerJson(res, 200, { id: "m" }));
    req.once("data", () => {
      req.pause();
      void untilStill(() => piecesRead).then((read) => {
        readBeforeTaking = read;
        req.resume();
      });
    });
  });
  const port = await listen(slow, 0, "127.0.0.1");
  const file: StoredFile = {
    size: 64 * piece.length,
    async *read() {
      for (piecesRead = 0; piecesRead < 64; piecesRead++) yield piece;
    },
  };
  const call = { phoneNumberId: "1", accessToken: TOKEN, mimeType: "video/mp4", file };
  const answer = await uploadMedia({ ...call, baseUrl: `http://127.0.0.1:${port}` });
  await closeServer(slow);
  expect(answer).toEqual({ kind: "ready", mediaId: "m" });
  expect(readBeforeTaking).toBeGreaterThan(0);
  expect(readBeforeTaking).toBeLessThan(32);
});

/** Returns the value once it no longer changes. */
async function untilStill(value: () => number): Promise<number> {
  let last = -1;
  let times = 0;
  await vi.waitUntil(
    () => {
      times = value() === last ? times + 1 : 0;
      last = value();
      return times >= 5;
    },
    { interval: 10 },
  );
  return last;
}

describe("may be tried again", () => {
  test("where nobody listens", async () => {
    expect(await upload(undefined, "http://127.0.0.1:1")).toMatchObject(
      failed("retry", { reason: "no connection (ECONNREFUSED)" }),
    );
  });

  test("after a connection that was reset", async () => {
    upstream.behave((res) => res.socket?.resetAndDestroy());
    expect(await upload()).toMatchObject(failed("retry"));
  });

  test("after no answer within the time limit, at all or to its end", async () => {
    upstream.behave(() => undefined);
    const uploadInHaste = () => upload(undefined, undefined, { timeoutMs: TIMEOUT_MS });
    expect(await uploadInHaste()).toMatchObject(failed("retry", { reason: "no response in time" }));
    upstream.behave((res) => {
      res.writeHead(200);
      res.write('{"id":');
    });
    expect(await uploadInHaste()).toMatchObject(failed("retry"));
  });

  test("after an answer without end", async () => {
    upstream.behave((res) => {
      res.writeHead(200);
      const chunk = Buffer.alloc(16 * 1024, "x");
      const write = () => {
        while (!res.destroyed) if (!res.write(chunk)) return void res.once("drain", write);
      };
      write();
    });
    expect(await upload()).toMatchObject(
      failed("retry", { reason: expect.stringMatching(/larger than \d+ bytes/) }),
    );
  });

  test.each<[string, number, string]>([
    ["a 200 without an id", 200, "{}"],
    ["an id that isn't one", 200, '{"id":{}}'],
    ["what isn't JSON", 200, "\0"],
    ["a page of HTML with 500", 500, "<html>"],
    ["a page of HTML with 404, which isn't the upstream's word", 404, "<html>"],
    ["a 413 of something in between", 413, ""],
    ["429", 429, "slow down"],
  ])("after %s", async (_, httpStatus, body) => {
    upstream.behave((res) => res.writeHead(httpStatus).end(body));
    expect(await upload()).toMatchObject(failed("retry", { httpStatus }));
  });

  test("after an error that passes, and for what the channel has to be mended for", async () => {
    upstream.behave((res) => answerJson(res, 500, graphError(131016)));
    expect(await upload()).toMatchObject(failed("retry", { upstreamCode: 131016 }));
    upstream.behave((res) => answerJson(res, 401, graphError(190)));
    expect(await upload()).toMatchObject({
      kind: "failed",
      outcome: { kind: "retry", pauseReason: "credentials_invalid", detail: { upstreamCode: 190 } },
    });
  });

  test("where the file can't be read, or is shorter than it was", async () => {
    const unreadable: StoredFile = {
      size: 10,
      async *read() {
        yield Buffer.from("x");
        throw Object.assign(new Error("no such file"), { code: "ENOENT" });
      },
    };
    expect(await upload(unreadable)).toMatchObject(
      failed("retry", { reason: "the file can't be read (ENOENT)" }),
    );
    expect(await upload({ ...storedFileOf(SAMPLES.png), size: 10_000 })).toMatchObject(failed("retry"));
  });
});

test("what the upstream says is permanent is rejected, with its words", async () => {
  upstream.behave((res) => answerJson(res, 400, graphError(131053)));
  expect(await upload()).toMatchObject(failed("rejected", { upstreamCode: 131053, reason: "Details" }));
});

test("a redirect isn't followed, and no outcome holds the token", async () => {
  upstream.behave((res) => res.writeHead(307, { location: `${upstream.url}/elsewhere` }).end());
  const before = upstream.uploads.length;
  const outcomes = [await upload()];
  expect(upstream.uploads).toHaveLength(before + 1);
  outcomes.push(
    await uploadMedia({
      baseUrl: upstream.url,
      phoneNumberId: "1",
      accessToken: "secret\nwith a line break",
      mimeType: "image/png",
      file: storedFileOf(SAMPLES.png),
    }),
  );
  expect(outcomes.map(({ kind }) => kind)).toEqual(["failed", "failed"]);
  expect(JSON.stringify(outcomes)).not.toMatch(/secret/);
});
