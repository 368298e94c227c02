import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type RunFile, writeRunFile } from "@/db/embedded";
import { addressOfOwner } from "./database-address";

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "waypost-owner-"));
  await chmod(dataDir, 0o700);
});
afterEach(() => rm(dataDir, { recursive: true }));

const runWith = (password: string): RunFile => ({
  kind: "server",
  pid: process.pid,
  postgres: { socketDirectory: "/tmp/x", port: 5432, user: "u", password, database: "d" },
  base_url: null,
  simulator_url: null,
  started_at: new Date().toISOString(),
});

test("the password of the owner that is there at each connection is told, and the last one's while there is none", async () => {
  const address = addressOfOwner(dataDir, runWith("first"));
  const password = async () =>
    "password" in address && typeof address.password === "function" ? address.password() : "none";
  expect(await password()).toBe("first");
  await writeRunFile(dataDir, runWith("second"));
  expect(await password()).toBe("second");
  expect(address).toMatchObject({ socketDirectory: "/tmp/x", port: 5432, user: "u", database: "d" });
});
