import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { access, chmod, chown, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { blockingDirectory, ownAccount, parsePasswd, postgresAccount } from "@/db/embedded/account";
import { identityFor } from "@/db/embedded/command";
import { connectionOptions } from "@/db/embedded/probe";
import { endPostgresOf, isPostgresOf, postgresProcessesOf } from "@/db/embedded/processes";
import { startEmbeddedPostgres } from "@/db/embedded/start";
import {
  buildOwnerProgram,
  pidOf,
  query,
  recall,
  remember,
  removeDirectory,
  startOwner,
  temporaryDirectory,
  type OwnerProcess,
} from "@/db/embedded/testing";

let home: string;
let program: string;
let dataDir: string;
let count = 0;
const owners: OwnerProcess[] = [];
const others: ChildProcess[] = [];

beforeAll(async () => {
  home = await temporaryDirectory();
  program = await buildOwnerProgram(join(home, "app"));
});
beforeEach(async () => {
  dataDir = join(home, `data-${count++}`);
  await mkdir(dataDir);
  await chmod(dataDir, 0o711);
});
afterEach(async () => {
  for (const owner of owners.splice(0)) await owner.kill("SIGTERM");
  for (const other of others.splice(0)) other.kill("SIGKILL");
  await endPostgresOf(join(dataDir, "postgres"));
});
afterAll(() => removeDirectory(home));

const spawnOwner = (
  options: Parameters<typeof startOwner>[2] & { settings?: Record<string, string> } = {},
) => {
  const { settings, ...rest } = options;
  const owner = startOwner(program, { dataDir, kind: "server", runs: true, settings }, rest);
  owners.push(owner);
  return owner;
};
const run = async (options?: Parameters<typeof spawnOwner>[0]) => {
  const owner = spawnOwner(options);
  return { owner, running: await owner.next("running") };
};
const processes = () => postgresProcessesOf(join(dataDir, "postgres"));

describe("startEmbeddedPostgres", () => {
  it("refuses to touch a data directory that this process doesn't own", async () => {
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(/isn't owned by this process/);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it("stops without leaving a process or a socket, and the next start has the data", async () => {
    const first = await run();
    await remember(first.running.connection);
    await first.owner.kill("SIGTERM");
    expect(await processes()).toEqual([]);
    await expect(access(first.running.connection.socketDirectory)).rejects.toThrow(/ENOENT/);
    const second = await run();
    expect(second.running.connection).toEqual(first.running.connection);
    expect(await recall(second.running.connection)).toEqual(["kept"]);
  });

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

  it("survives a Ctrl-C that the terminal sends to our whole process group", async () => {
    const { owner, running } = await run({ detached: true });
    process.kill(-owner.pid, "SIGINT");
    await expect
      .poll(() => owner.events.some((event) => event.event === "log" && event.message === "SIGINT"))
      .toBe(true);
    expect(await query(running.connection, "SELECT 1")).toHaveLength(1);
    expect(owner.events).not.toContainEqual({ event: "down" });
  });

  it("works for an ordinary user", async () => {
    const own = ownAccount();
    const users = parsePasswd(await readFile("/etc/passwd", "utf8"));
    const account = own.uid === 0 ? users.find(({ name }) => name === "nobody") : own;
    if (!account) throw new Error("This system has no user nobody");
    await chown(dataDir, account.uid, account.gid);
    const outcome = await run({ account }).then(
      async ({ running }) => {
        await remember(running.connection);
        return recall(running.connection);
      },
      (error: unknown) => String(error),
    );
    // A checkout below a directory of mode 700 isn't one that this user could start: it must say so.
    const isReachable = (await blockingDirectory(process.cwd(), account)) === null;
    expect(outcome.toString()).toContain(isReachable ? "kept" : "EmbeddedPostgresError");
  });
});

describe("after a kill -9 of our process", () => {
  it("the next start adopts the server that runs on, and supervises it", async () => {
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
    expect(await processes()).toEqual([]);
  });

  it("a server that was started with other settings is replaced", async () => {
    const first = await run({ settings: { work_mem: "5MB" } });
    await remember(first.running.connection);
    await first.owner.kill("SIGKILL");
    const second = await run();
    expect(second.running.pid).not.toBe(first.running.pid);
    expect(await query(second.running.connection, "SHOW work_mem")).toEqual([{ work_mem: "4MB" }]);
    expect(await recall(second.running.connection)).toEqual(["kept"]);
  });

  it("a server that doesn't know our password isn't adopted, and the start says why", async () => {
    const first = await run();
    await query(first.running.connection, "ALTER ROLE waypost PASSWORD 'another'");
    await first.owner.kill("SIGKILL");
    const refused = await spawnOwner().next("refused");
    expect(refused).toMatchObject({
      name: "EmbeddedPostgresError",
      message: expect.stringMatching(/password/),
    });
    expect(await processes()).toEqual([]);
  });

  it("a server killed as well recovers with the data", async () => {
    const first = await run();
    await remember(first.running.connection);
    await first.owner.kill("SIGKILL");
    process.kill(pidOf(first.running), "SIGKILL");
    const second = await run();
    expect(second.running.pid).not.toBe(first.running.pid);
    expect(await recall(second.running.connection)).toEqual(["kept"]);
  });
});

describe("after a kill -9 of the server", () => {
  it("answers again within seconds under the same socket, and a pool recovers by itself", async () => {
    const { owner, running } = await run();
    await remember(running.connection);
    const sql = postgres({ ...connectionOptions(running.connection), max: 1, backoff: () => 0.05 });
    await sql`SELECT 1`;
    const killedMs = performance.now();
    process.kill(pidOf(running), "SIGKILL");
    await owner.next("down");
    await owner.next("up");
    expect(performance.now() - killedMs).toBeLessThan(5_000);
    await expect.poll(() => sql`SELECT word FROM memory`.catch(() => [])).toEqual([{ word: "kept" }]);
    await sql.end();
  });

  it("answers again although one of its backends hangs on to the shared memory", async () => {
    const { owner, running } = await run();
    const sql = postgres({ ...connectionOptions(running.connection), max: 1, onclose: () => undefined });
    const [backend] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    process.kill(backend?.pid ?? 0, "SIGSTOP");
    process.kill(pidOf(running), "SIGKILL");
    await owner.next("up");
    expect(await isPostgresOf(backend?.pid ?? 0, join(dataDir, "postgres"))).toBe(false);
    await sql.end({ timeout: 0 });
  });

  it("restarts it as often as needed", async () => {
    const { owner, running } = await run();
    let pid = pidOf(running);
    for (let round = 0; round < 3; round++) {
      process.kill(pid, "SIGKILL");
      pid = pidOf(await owner.next("up"));
    }
    expect(await query(running.connection, "SELECT 1")).toHaveLength(1);
  });

  it("tries again until it starts", async () => {
    const { owner, running } = await run();
    const needed = join(dataDir, "postgres", "global");
    await rename(needed, `${needed}-away`);
    process.kill(pidOf(running), "SIGKILL");
    await expect
      .poll(
        () =>
          owner.events.filter((event) => event.event === "log" && /not be restarted/.test(event.message))
            .length,
        {
          timeout: 10_000,
        },
      )
      .toBeGreaterThanOrEqual(2);
    await rename(`${needed}-away`, needed);
    await owner.next("up");
    expect(await query(running.connection, "SELECT 1")).toHaveLength(1);
  });

  it("leaves nothing running when stopped in the middle of the restart", async () => {
    const { owner, running } = await run();
    process.kill(pidOf(running), "SIGKILL");
    await owner.next("down");
    await owner.kill("SIGTERM");
    expect(owner.events.at(-1)).toEqual({ event: "stopped" });
    expect(await processes()).toEqual([]);
  });
});

describe("a stale postmaster.pid", () => {
  const leave = async (text: string) => {
    const { owner, running } = await run();
    await remember(running.connection);
    await owner.kill("SIGTERM");
    const path = join(dataDir, "postgres", "postmaster.pid");
    await writeFile(path, text);
    const { uid, gid } = await postgresAccount(join(dataDir, "postgres"));
    await chown(path, uid, gid);
  };

  it("whose number a foreign process has by now doesn't block the start, nor harm that process", async () => {
    const account = await postgresAccount(null);
    const foreign = spawn("sleep", ["600"], { ...identityFor(account), cwd: "/" });
    others.push(foreign);
    await once(foreign, "spawn");
    await leave(`${foreign.pid}\n${join(dataDir, "postgres")}\n1\n5432\n/tmp\n\n  1  1\nready   \n`);
    const { running } = await run();
    expect(await recall(running.connection)).toEqual(["kept"]);
    expect(foreign.exitCode ?? foreign.signalCode).toBeNull();
  });

  it.each([
    ["empty", ""],
    ["torn", "12"],
    ["garbage", "\0\0\0\0"],
  ])("that is %s doesn't block the start", async (_, text) => {
    await leave(text);
    expect(await recall((await run()).running.connection)).toEqual(["kept"]);
  });
});
