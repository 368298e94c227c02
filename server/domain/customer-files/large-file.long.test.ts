import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { asKey } from "@/server/domain/messages/testing";
import { fetchDueFile } from "./fetch";
import { FETCH_LIMITS } from "./fetch-file";
import { openMessageFile } from "./open-file";
import { fileRow, type MediaHost, openFilesOrganization, receiveFile, startMediaHost } from "./testing";

const PIECE = Buffer.alloc(64 * 1024, "waypost ");
const PIECES = FETCH_LIMITS.bytesMax / PIECE.length;
/** A quarter of the file. V8 releases collected bytes on another thread, so some are still counted on a busy machine. */
const MEMORY_BYTES_MAX = FETCH_LIMITS.bytesMax / 4;
/** So often is memory measured while a file passes: each measurement collects garbage, which takes time. */
const SAMPLES = 16;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

let world: TestWorld;
let host: MediaHost;
beforeAll(async () => {
  world = await openTestWorld();
  host = await startMediaHost();
});
afterAll(async () => {
  await host.close();
  await world.close();
});

/** Writes the largest file, as fast as it is read. */
function serveLargest(res: ServerResponse, passed: () => void): void {
  res.writeHead(200, { "content-length": FETCH_LIMITS.bytesMax });
  let left = PIECES;
  const more = () => {
    while (left > 0 && !res.destroyed) {
      left -= 1;
      if (left % (PIECES / SAMPLES) === 0) passed();
      if (!res.write(PIECE)) return;
    }
    res.end();
  };
  res.on("drain", more);
  more();
}

/** Memory outside of V8's heap, where bytes are, without what is no longer used. */
function bytesInMemory(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** Measures the largest memory in use, beyond that of the beginning. */
function watchMemory() {
  const before = bytesInMemory();
  let peak = before;
  let samples = 0;
  return {
    sample: () => {
      peak = Math.max(peak, bytesInMemory());
      samples += 1;
    },
    expectConstant: () => {
      expect(samples).toBe(SAMPLES);
      expect(peak - before).toBeLessThan(MEMORY_BYTES_MAX);
    },
  };
}

test("the largest file is fetched and read in constant memory", async () => {
  const { ctx, channelId } = await openFilesOrganization(world, host);
  const { messageId, fileId } = await receiveFile(ctx, channelId, { type: "document" });
  const fetching = watchMemory();
  host.serve((res) => serveLargest(res, fetching.sample));
  await fetchDueFile(ctx.services, fileId);
  fetching.expectConstant();
  expect(await fileRow(ctx, fileId)).toMatchObject({ state: "stored", size: FETCH_LIMITS.bytesMax });

  const key = await asKey(ctx, { scopes: ["messages:read"] });
  const { media, file } = await openMessageFile({ ctx: key, input: { id: messageId } });
  const hash = createHash("sha256");
  let size = 0;
  const reading = watchMemory();
  for await (const chunk of file.read()) {
    hash.update(chunk);
    const part = Math.floor((SAMPLES * size) / FETCH_LIMITS.bytesMax);
    size += chunk.byteLength;
    if (Math.floor((SAMPLES * size) / FETCH_LIMITS.bytesMax) > part) reading.sample();
  }
  reading.expectConstant();
  expect(size).toBe(FETCH_LIMITS.bytesMax);
  expect(hash.digest("hex")).toBe(media.sha256);
});
