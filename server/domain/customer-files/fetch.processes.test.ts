import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { servicesWith } from "@/server/core/testing";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { SAMPLES } from "@/server/domain/uploads/testing";
import { fetchDueFile } from "./fetch";
import {
  fileRow,
  givingBytes,
  incompleteFiles,
  makeDue,
  type MediaHost,
  openFilesOrganization,
  receiveFile,
  startMediaHost,
  storedBytes,
  usedBytes,
} from "./testing";

let world: TestWorld;
let host: MediaHost;
let ctx: Context<SystemActor>;
let channelId: string;
beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
});
beforeEach(async () => {
  host = await startMediaHost();
  ({ ctx, channelId } = await openFilesOrganization(world, host));
  return () => host.close();
});
afterAll(() => world.close());

const fetched = async (fileId: string) => {
  await fetchDueFile(ctx.services, fileId);
  return fileRow(ctx, fileId);
};

const incoming = () => incompleteFiles(world);
const bytesOf = (fileId: string) => storedBytes(world, fileId);

/** Asserts that nothing of a file is on the disk. */
async function expectNothingLeft(fileId: string): Promise<void> {
  expect(await bytesOf(fileId)).toBeNull();
  expect(await incoming()).toEqual([]);
  expect(await usedBytes(ctx)).toBe(0);
}

describe("several processes", () => {
  test("fetch a file once", async () => {
    const { fileId } = await receiveFile(ctx, channelId);
    const processes = Array.from({ length: 4 }, () => servicesWith(ctx.services, {}));
    await Promise.all(processes.map((services) => fetchDueFile(services, fileId)));
    expect(host.downloads()).toBe(1);
    expect(await fileRow(ctx, fileId)).toMatchObject({ state: "stored", attempts: 1 });
  });

  test("do the work of one that stops, at once", async () => {
    const { fileId } = await receiveFile(ctx, channelId);
    const stop = new AbortController();
    const services = servicesWith(ctx.services, {
      lifecycle: { isStopping: () => stop.signal.aborted, stopSignal: stop.signal },
    });
    host.serve((res) => void res.writeHead(200).write("a"));
    const stopped = fetchDueFile(services, fileId);
    await vi.waitFor(() => expect(host.downloads()).toBe(1));
    stop.abort();
    await stopped;
    expect(await fileRow(ctx, fileId)).toMatchObject({ state: "pending", attempts: 0, isClaimed: false });
    await expectNothingLeft(fileId);
    host.serve(givingBytes(SAMPLES.png));
    expect(await fetched(fileId)).toMatchObject({ state: "stored" });
  });

  test("do the work of one that died, when its claim is over", async () => {
    const { fileId } = await receiveFile(ctx, channelId);
    await world.database.sql`
      update customer_files set claim_token = gen_random_uuid(), attempts = 1, may_have_bytes = true,
        next_attempt_at = now() + interval '10 minutes' where id = ${fileId}`;
    expect(await fetched(fileId)).toMatchObject({ state: "pending", attempts: 1 });
    // It died after it had stored the bytes, and before it could say so.
    await (await world.services.customerFiles.stage(one(randomBytes(10)), 10)).keep(fileId);
    await makeDue(ctx, fileId);
    expect(await fetched(fileId)).toMatchObject({ state: "stored", attempts: 2 });
    expect(await bytesOf(fileId)).toEqual(SAMPLES.png);
  });

  test("leave some downloads of a process to other channels", async () => {
    const files = await Promise.all(Array.from({ length: 9 }, () => receiveFile(ctx, channelId)));
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    host.serve((res, req) => void finished.then(() => givingBytes(SAMPLES.png)(res, req)));
    const fetching = files.map(({ fileId }) => fetchDueFile(ctx.services, fileId));
    await vi.waitFor(() => expect(host.downloads()).toBe(8));
    finish();
    await Promise.all(fetching);
    const states = await Promise.all(files.map(async ({ fileId }) => (await fileRow(ctx, fileId)).state));
    expect(states.sort()).toEqual(["pending", ...Array(8).fill("stored")]);
  });
});

async function* one(bytes: Buffer) {
  yield bytes;
}
