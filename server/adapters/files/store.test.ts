import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, statfs, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/db/schema";
import { createFileStore, type FileStore } from "./store";

let directory: string;
let store: FileStore;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "waypost-store-"));
  store = createFileStore(path.join(directory, "uploads"), 0);
});
afterEach(() => rm(directory, { recursive: true }));

async function* pieces(...parts: Uint8Array[]) {
  yield* parts;
}

const filesLeft = async () =>
  (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

async function all(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function keptIds(): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of store.ids()) ids.push(id);
  return ids;
}

describe("a file", () => {
  test("is read back byte for byte under its id, once it is kept, and nobody else on the machine can read it", async () => {
    const [first, second] = [randomBytes(100_000), randomBytes(1)];
    const staged = await store.stage(pieces(first, second), 1_000_000);
    const whole = Buffer.concat([first, second]);
    expect(staged).toMatchObject({
      size: 100_001,
      sha256: createHash("sha256").update(whole).digest("hex"),
    });
    const id = newId();
    expect(await store.find(id)).toBeNull();
    await staged.keep(id);
    await staged.discard();
    const found = await store.find(id);
    expect(found?.size).toBe(100_001);
    for (let reads = 0; reads < 2; reads++) expect(await all(found?.read() ?? pieces())).toEqual(whole);
    const { mode } = await stat(path.join(directory, "uploads", "kept", id));
    expect(mode & 0o077).toBe(0);
    expect(await keptIds()).toEqual([id]);
    await store.remove(id);
    await store.remove(id);
    expect(await store.find(id)).toBeNull();
    expect(await filesLeft()).toEqual([]);
  });

  test("that breaks off leaves nothing behind", async () => {
    const broken = async function* () {
      yield randomBytes(10);
      expect(await filesLeft()).toHaveLength(1);
      throw new Error("aborted");
    };
    await expect(store.stage(broken(), 1_000_000)).rejects.toThrow("aborted");
    expect(await filesLeft()).toEqual([]);
  });

  test("that is discarded leaves nothing behind", async () => {
    await (await store.stage(pieces(randomBytes(10)), 10)).discard();
    expect(await filesLeft()).toEqual([]);
  });

  test("finds no room that another one on its way in will need, until that one is in or gone", async () => {
    const { bavail, bsize } = await statfs(directory);
    // Two fit together, three don't, whatever else is written to this disk in the meantime.
    const share = Math.floor((bavail * bsize) / 2.5);
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const slow = async function* () {
      yield randomBytes(10);
      await finished;
    };
    const others = [store.stage(slow(), share), store.stage(slow(), share)];
    await expect.poll(filesLeft).toHaveLength(2);
    await expect(store.stage(pieces(), share)).rejects.toMatchObject({ code: "unavailable" });
    finish();
    await Promise.all(others);
    await store.stage(pieces(), share);
  });

  test("is refused while very many are on their way in", async () => {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const slow = async function* () {
      await finished;
      yield randomBytes(1);
    };
    const others = Array.from({ length: 64 }, () => store.stage(slow(), 1));
    await expect(store.stage(pieces(), 1)).rejects.toMatchObject({ code: "unavailable" });
    finish();
    await Promise.all(others);
    await store.stage(pieces(), 1);
  });

  test("for which there is no room is refused before a byte of it is read", async () => {
    const full = createFileStore(directory, Number.MAX_SAFE_INTEGER / 2);
    let isRead = false;
    const source = async function* () {
      isRead = true;
      yield randomBytes(1);
    };
    await expect(full.stage(source(), 1)).rejects.toMatchObject({
      code: "unavailable",
      headers: { "Retry-After": expect.stringMatching(/^\d+$/) },
    });
    expect(isRead).toBe(false);
  });
});

test("whether a file could be taken in is said with what is in the way", async () => {
  await store.requireWritable();
  const full = createFileStore(path.join(directory, "uploads"), Number.MAX_SAFE_INTEGER / 2);
  await expect(full.requireWritable()).rejects.toMatchObject({
    cause: { message: expect.stringMatching(/^Less than [\d.]+ bytes are free$/) },
  });
  await writeFile(path.join(directory, "file"), "x");
  const blocked = createFileStore(path.join(directory, "file"), 0);
  await expect(blocked.requireWritable()).rejects.toMatchObject({ code: "ENOTDIR" });
});

test("no id leads out of the directory", async () => {
  await writeFile(path.join(directory, "secret"), "x");
  for (const id of ["../secret", "../../secret", "", "."]) {
    await expect(store.find(id)).rejects.toThrow(/id of an upload/);
    await expect(store.remove(id)).rejects.toThrow(/id of an upload/);
  }
  expect(await readFile(path.join(directory, "secret"), "utf8")).toBe("x");
});

test("what a crash left of a file on its way in is removed, and what is on its way now is not", async () => {
  const [old, fresh] = [await store.stage(pieces(), 0), await store.stage(pieces(), 0)];
  const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60_000);
  await utimes(old.path, twoHoursAgo, twoHoursAgo);
  await store.removeAbandoned();
  expect(await filesLeft()).toEqual([path.basename(fresh.path)]);
});

test("a store that holds nothing yet has nothing, and makes nothing", async () => {
  expect(await keptIds()).toEqual([]);
  await store.removeAbandoned();
  expect(await store.find(newId())).toBeNull();
  expect(await readdir(directory)).toEqual([]);
});
