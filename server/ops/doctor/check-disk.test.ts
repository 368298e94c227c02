import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "@/server/platform/config";
import { checkDisk } from "./check-disk";

let directory: string;
beforeAll(async () => void (directory = await mkdtemp(path.join(tmpdir(), "waypost-disk-"))));
afterAll(() => rm(directory, { recursive: true }));

const of = (dataDir: string, databaseDirectory: string | null = null) => ({
  config: readConfig({ NODE_ENV: "test", WAYPOST_DATA_DIR: dataDir }, "/"),
  databaseDirectory,
});
const MIB = 1024 * 1024;

test("says what is free", async () => {
  const [finding] = await checkDisk(of(directory));
  expect(finding?.what).toBe("data directory");
  expect(finding?.seen).toMatch(/ has [\d.]+ [GM]iB of free space$/);
});

test.each([
  [3000, "ok", "2.9 GiB"],
  [2000, "warn", "2.0 GiB"],
  [200, "fail", "200 MiB"],
])("%i MiB free: %s", async (mib, state, words) => {
  const findings = await checkDisk(of(directory), async () => mib * MIB);
  expect(findings).toMatchObject([{ state, seen: `${directory} has ${words} of free space` }]);
});

test("looks at the database's own place too, where that lies elsewhere", async () => {
  const free = async (place: string) => (place === tmpdir() ? 1 : 3000) * MIB;
  expect(await checkDisk(of(directory, tmpdir()), free)).toMatchObject([
    { what: "data directory", state: "ok" },
    { what: "database directory", state: "fail" },
  ]);
  expect(await checkDisk(of(directory, path.join(directory, "postgres")), free)).toHaveLength(1);
});

test("a directory that isn't there is only pointed out; what is no directory fails", async () => {
  expect(await checkDisk(of(path.join(directory, "none")))).toMatchObject([{ state: "warn" }]);
  const file = path.join(directory, "file");
  await writeFile(file, "");
  expect(await checkDisk(of(path.join(file, "below")))).toMatchObject([
    { state: "fail", seen: expect.stringContaining("ENOTDIR") },
  ]);
});
