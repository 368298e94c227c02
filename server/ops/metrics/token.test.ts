import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { admitsBearer, findMetricsToken } from "./mount";

let dataDir: string;

beforeEach(async () => void (dataDir = await mkdtemp(path.join(tmpdir(), "waypost-token-"))));
afterEach(() => rm(dataDir, { recursive: true }));

test("a token is made once, for its owner alone, and is the same for every process of the directory", async () => {
  const own = { metricsToken: null, dataDir };
  const [first, second] = await Promise.all([findMetricsToken(own), findMetricsToken(own)]);
  expect(second).toBe(first);
  expect(first.length).toBeGreaterThanOrEqual(43);
  const file = path.join(dataDir, "metrics-token");
  expect((await readFile(file, "utf8")).trim()).toBe(first);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("the one that was given wins, and a directory that isn't there yet is made for one that wasn't", async () => {
  expect(await findMetricsToken({ metricsToken: "given-given-given", dataDir })).toBe("given-given-given");
  const token = await findMetricsToken({ metricsToken: null, dataDir: path.join(dataDir, "new") });
  expect(token.length).toBeGreaterThanOrEqual(43);
});

test("a file without a token lets nobody in, rather than everybody", async () => {
  await writeFile(path.join(dataDir, "metrics-token"), "\n");
  await expect(findMetricsToken({ metricsToken: null, dataDir })).rejects.toThrow(/holds no token/);
});

test.each([
  ["the token", "Bearer right-right-right", true],
  ["the token, in another spelling of the scheme", "bearer  right-right-right", true],
  ["another one", "Bearer wrong-wrong-wrong", false],
  ["the beginning of it", "Bearer right-right", false],
  ["none", undefined, false],
  ["an empty one", "Bearer ", false],
  ["another scheme", "Basic right-right-right", false],
])("admits by %s or doesn't", (_, authorization, isAdmitted) => {
  expect(admitsBearer("right-right-right")(authorization)).toBe(isAdmitted);
});
