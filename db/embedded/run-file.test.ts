import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readRunFile, removeRunFile, writeRunFile, type RunFile } from "@/db/embedded/run-file";

const run: RunFile = {
  kind: "server",
  pid: 4711,
  postgres: { socketDirectory: "/tmp/s", port: 5432, user: "u", password: "p", database: "d" },
  base_url: "http://127.0.0.1:3000",
  simulator_url: null,
  started_at: "2026-01-01T00:00:00.000Z",
};

let directory: string;
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), "waypost-run-"))));
afterEach(() => rm(directory, { recursive: true, force: true }));

describe("run.json", () => {
  it("gives back what was written", async () => {
    await writeRunFile(directory, run);
    expect(await readRunFile(directory)).toEqual(run);
  });

  it("is readable by its owner alone, also when a wider file was there before", async () => {
    await writeFile(join(directory, "run.json"), "{}", { mode: 0o644 });
    await writeRunFile(directory, run);
    expect((await stat(join(directory, "run.json"))).mode & 0o777).toBe(0o600);
  });

  it("leaves no temporary file behind", async () => {
    await Promise.all(Array.from({ length: 5 }, (_, n) => writeRunFile(directory, { ...run, pid: n + 1 })));
    expect(await readdir(directory)).toEqual(["run.json"]);
  });

  it.each([
    ["absent", null],
    ["empty", ""],
    ["torn", JSON.stringify(run).slice(0, 80)],
    ["of another shape", JSON.stringify({ ...run, kind: "guest" })],
  ])("is null when %s", async (_, text) => {
    if (text !== null) await writeFile(join(directory, "run.json"), text);
    expect(await readRunFile(directory)).toBeNull();
  });

  it("can be removed twice", async () => {
    await writeRunFile(directory, run);
    await removeRunFile(directory);
    await removeRunFile(directory);
    expect(await readRunFile(directory)).toBeNull();
  });
});
