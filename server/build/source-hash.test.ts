import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hashSource } from "./source-hash.mjs";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "waypost-source-"));
  await mkdir(join(root, "server/client"), { recursive: true });
  await mkdir(join(root, "server/lib/client"), { recursive: true });
});
afterEach(() => rm(root, { recursive: true }));

test.each([
  ["server/client/client.ts", false],
  ["server/client/dist/index.js", false],
  ["server/lib/text.test.ts", false],
  ["server/lib/client/text.ts", true],
  ["server/clients.ts", true],
])("a new file %s makes another build: %s", async (path, isBuilt) => {
  await mkdir(join(root, path, ".."), { recursive: true });
  const before = hashSource(root);
  await writeFile(join(root, path), "export {};");
  expect(hashSource(root) !== before).toBe(isBuilt);
});
