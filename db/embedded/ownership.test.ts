import { mkdir, readdir, stat, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { acquireDataDirectory, DataDirectoryInUse, isDataDirectoryOwned } from "@/db/embedded/ownership";
import {
  buildOwnerProgram,
  removeDirectory,
  startOwner,
  temporaryDirectory,
  type OwnerProcess,
} from "@/db/embedded/testing";
import { readRunFile, writeRunFile, type OwnerKind, type RunFile } from "@/db/embedded/run-file";

let home: string;
let program: string;
let dataDir: string;
let count = 0;
const owners: OwnerProcess[] = [];

beforeAll(async () => {
  home = await temporaryDirectory();
  program = await buildOwnerProgram(join(home, "app"));
});
beforeEach(() => void (dataDir = join(home, `data-${count++}`)));
afterEach(() => Promise.all(owners.splice(0).map((owner) => owner.kill("SIGKILL"))));
afterAll(() => removeDirectory(home));

const spawnOwner = (kind: OwnerKind, waitMs?: number) => {
  const owner = startOwner(program, { dataDir, kind, waitMs, runs: false });
  owners.push(owner);
  return owner;
};

const runFileOf = (pid: number, kind: OwnerKind = "server"): RunFile => ({
  kind,
  pid,
  postgres: { socketDirectory: "/tmp/s", port: 5432, user: "u", password: "p", database: "d" },
  base_url: "http://127.0.0.1:3000",
  simulator_url: null,
  started_at: "2026-01-01T00:00:00.000Z",
});

describe("acquireDataDirectory", () => {
  it("lets exactly one of several servers in that start at once; the others name it", async () => {
    const all = Array.from({ length: 5 }, () => spawnOwner("server"));
    const outcomes = await Promise.all(
      all.map((one) => Promise.any([one.next("owned"), one.next("refused")])),
    );
    const winners = all.filter((_, index) => outcomes[index]?.event === "owned").map(({ pid }) => pid);
    expect(winners).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.event !== "refused") continue;
      expect(outcome.name).toBe("DataDirectoryInUse");
      expect(outcome.message).toContain(`process ${winners[0]}`);
    }
  });

  it("is free again at once after kill -9, and nothing has to be cleaned up", async () => {
    const owner = spawnOwner("server");
    await owner.next("owned");
    expect(await isDataDirectoryOwned(dataDir)).toBe(true);
    await owner.kill("SIGKILL");
    expect(await isDataDirectoryOwned(dataDir)).toBe(false);
    const ownership = await acquireDataDirectory(dataDir, { kind: "server", waitMs: 0 });
    expect(await readdir(dataDir)).toEqual([]);
    await ownership.release();
  });

  it("can be released twice, and frees the directory", async () => {
    const ownership = await acquireDataDirectory(dataDir, { kind: "server" });
    await ownership.release();
    await ownership.release();
    expect(await isDataDirectoryOwned(dataDir)).toBe(false);
  });

  it("knows the directory through a symbolic link", async () => {
    const ownership = await acquireDataDirectory(dataDir, { kind: "server" });
    await symlink(dataDir, `${dataDir}-link`);
    await expect(acquireDataDirectory(`${dataDir}-link`, { kind: "server" })).rejects.toThrow(
      DataDirectoryInUse,
    );
    await ownership.release();
  });

  it("lets a server wait for a command, and in when that ends", async () => {
    const command = spawnOwner("cli");
    await command.next("owned");
    const server = acquireDataDirectory(dataDir, { kind: "server" });
    await command.kill("SIGKILL");
    const ownership = await server;
    await expect(acquireDataDirectory(dataDir, { kind: "server" })).rejects.toThrow(/Waypost server/);
    await ownership.release();
  });

  it("lets a server wait for a command only so long", async () => {
    const command = await acquireDataDirectory(dataDir, { kind: "cli" });
    await expect(acquireDataDirectory(dataDir, { kind: "server", waitMs: 150 })).rejects.toThrow(
      /Waypost cli/,
    );
    await command.release();
  });

  it("queues commands: each gets its turn, never two at once", async () => {
    let inside = 0;
    let insideMax = 0;
    const turn = async () => {
      const ownership = await acquireDataDirectory(dataDir, { kind: "cli" });
      insideMax = Math.max(insideMax, ++inside);
      await readdir(dataDir);
      inside--;
      await ownership.release();
    };
    await Promise.all(Array.from({ length: 6 }, turn));
    expect(insideMax).toBe(1);
  });

  it("lets a command wait while a server starts, whatever a former owner's run.json says", async () => {
    const server = await acquireDataDirectory(dataDir, { kind: "server" });
    await writeRunFile(dataDir, runFileOf(process.pid + 1));
    const startedMs = performance.now();
    await expect(acquireDataDirectory(dataDir, { kind: "cli", waitMs: 200 })).rejects.toMatchObject({
      owner: null,
    });
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(200);
    await server.release();
  });

  it("tells a waiting command how to attach as soon as the server has published it", async () => {
    const server = await acquireDataDirectory(dataDir, { kind: "server" });
    // It may be refused while the file is still being written.
    await Promise.all([
      expect(acquireDataDirectory(dataDir, { kind: "cli" })).rejects.toMatchObject({
        name: "DataDirectoryInUse",
        owner: runFileOf(process.pid),
      }),
      writeRunFile(dataDir, runFileOf(process.pid)),
    ]);
    await server.release();
  });

  it("forgets the run.json of an owner that was killed, and removes its own on release", async () => {
    await mkdir(dataDir);
    await writeRunFile(dataDir, runFileOf(1));
    const ownership = await acquireDataDirectory(dataDir, { kind: "server" });
    expect(await readRunFile(dataDir)).toBeNull();
    await writeRunFile(dataDir, runFileOf(process.pid));
    await ownership.release();
    expect(await readRunFile(dataDir)).toBeNull();
  });

  it("isn't fooled by an owner that doesn't answer", async () => {
    await mkdir(dataDir);
    const { dev, ino } = await stat(dataDir, { bigint: true });
    const mute = createServer();
    const address = process.platform === "linux" ? `\0${`waypost-${dev}-${ino}`.padEnd(107, "-")}` : "";
    await new Promise<void>((resolve) => mute.listen(address || `/tmp/waypost-${dev}-${ino}.sock`, resolve));
    await expect(acquireDataDirectory(dataDir, { kind: "cli", waitMs: 50 })).rejects.toThrow(
      /doesn't answer/,
    );
    mute.close();
  });
});

describe("isDataDirectoryOwned", () => {
  it("is false for a directory that doesn't exist", async () => {
    expect(await isDataDirectoryOwned(join(home, "nowhere"))).toBe(false);
  });
});
