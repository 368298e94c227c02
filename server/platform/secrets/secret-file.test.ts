import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadOrCreateSecret } from "@/server/platform/secrets/secret-file";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "waypost-secret-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test("is made once, of 256 bits, readable by its owner alone, and stays the same", async () => {
  const secret = await loadOrCreateSecret(directory);
  expect(Buffer.from(secret, "base64url")).toHaveLength(32);
  expect(await loadOrCreateSecret(directory)).toBe(secret);
  expect((await stat(path.join(directory, "secret"))).mode & 0o777).toBe(0o600);
});

test("all who start at once get the same one, and nothing else is left", async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateSecret(directory)));
  expect(new Set(secrets).size).toBe(1);
  expect(await readdir(directory)).toEqual(["secret"]);
});

test("one put there by hand counts, without its line end", async () => {
  await writeFile(path.join(directory, "secret"), `${"s".repeat(40)}\n`);
  expect(await loadOrCreateSecret(directory)).toBe("s".repeat(40));
});

test("a file without a secret is named and left alone", async () => {
  const file = path.join(directory, "secret");
  await writeFile(file, "short\n");
  await expect(loadOrCreateSecret(directory)).rejects.toThrow(file);
  expect(await readFile(file, "utf8")).toBe("short\n");
});
