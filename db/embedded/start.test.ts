import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { postgresAccount } from "@/db/embedded/account";
import { identityFor } from "@/db/embedded/command";
import { startEmbeddedPostgres } from "@/db/embedded/start";
import {
  leavePostmasterFile,
  openOwners,
  type OwnersWorld,
  pidOf,
  query,
  recall,
  remember,
  silentLog,
} from "@/db/embedded/testing";

let owners: OwnersWorld;

beforeAll(async () => void (owners = await openOwners()));
afterEach(() => owners.end());
afterAll(() => owners.close());

const run: OwnersWorld["run"] = (options) => owners.run(options);

describe("where nothing was started before", () => {
  beforeEach(() => owners.beginEmpty());

  it("refuses to touch a data directory that this process doesn't own", async () => {
    await expect(startEmbeddedPostgres({ dataDir: owners.dataDir(), log: silentLog })).rejects.toThrow(
      /isn't owned by this process/,
    );
    expect(await readdir(owners.dataDir())).toEqual([]);
  });

  it("makes a database, stops without leaving a process or a socket, and the next start has the data", async () => {
    const first = await run();
    await remember(first.running.connection);
    await first.owner.kill("SIGTERM");
    expect(await owners.processes()).toEqual([]);
    await expect(access(first.running.connection.socketDirectory)).rejects.toThrow(/ENOENT/);
    const second = await run();
    expect(second.running.connection).toEqual(first.running.connection);
    expect(await recall(second.running.connection)).toEqual(["kept"]);
  });
});

describe("where a database is", () => {
  beforeEach(() => owners.beginInitialized());

  it("is durable, listens on no TCP port, and wants the password", async () => {
    const { connection } = (await run()).running;
    const settings = await query<{ name: string; setting: string }>(
      connection,
      `SELECT name, setting FROM pg_settings
       WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'server_encoding')`,
    );
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: "on",
      synchronous_commit: "on",
      full_page_writes: "on",
      listen_addresses: "",
      server_encoding: "UTF8",
    });
    await expect(query({ ...connection, password: "guess" }, "SELECT 1")).rejects.toThrow(/password/);
  });

  it("a start after a kill -9 of our process adopts the server that runs on, and supervises it", async () => {
    const first = await run();
    await remember(first.running.connection);
    await first.owner.kill("SIGKILL");
    const second = await run();
    expect(second.running.pid).toBe(first.running.pid);
    expect(await recall(second.running.connection)).toEqual(["kept"]);

    process.kill(pidOf(second.running), "SIGKILL");
    const up = await second.owner.next("up");
    expect(up.pid).not.toBe(first.running.pid);
    expect(await recall(second.running.connection)).toEqual(["kept"]);
    await second.owner.kill("SIGTERM");
    expect(await owners.processes()).toEqual([]);
  });

  it("a stale postmaster.pid whose number a foreign process has by now doesn't block the start, nor harm that process", async () => {
    const account = await postgresAccount(null);
    const foreign = spawn("sleep", ["600"], { ...identityFor(account), cwd: "/" });
    onTestFinished(() => void foreign.kill("SIGKILL"));
    await once(foreign, "spawn");
    await leavePostmasterFile(
      owners,
      `${foreign.pid}\n${join(owners.dataDir(), "postgres")}\n1\n5432\n/tmp\n\n  1  1\nready   \n`,
    );
    const { running } = await run();
    expect(await recall(running.connection)).toEqual(["kept"]);
    expect(foreign.exitCode ?? foreign.signalCode).toBeNull();
  });
});
