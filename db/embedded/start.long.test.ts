import { chown, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { blockingDirectory, ownAccount, parsePasswd } from "@/db/embedded/account";
import { connectionOptions } from "@/db/embedded/probe";
import { isPostgresOf } from "@/db/embedded/processes";
import {
  leavePostmasterFile,
  openOwners,
  type OwnersWorld,
  pidOf,
  query,
  recall,
  remember,
} from "@/db/embedded/testing";
import { limitMs } from "@/e2e/support/machine-speed";

let owners: OwnersWorld;

beforeAll(async () => void (owners = await openOwners()));
beforeEach(() => owners.beginInitialized());
afterEach(() => owners.end());
afterAll(() => owners.close());

const run: OwnersWorld["run"] = (options) => owners.run(options);

describe("startEmbeddedPostgres", () => {
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
    await owners.beginEmpty();
    const own = ownAccount();
    const users = parsePasswd(await readFile("/etc/passwd", "utf8"));
    const account = own.uid === 0 ? users.find(({ name }) => name === "nobody") : own;
    if (!account) throw new Error("This system has no user nobody");
    await chown(owners.dataDir(), account.uid, account.gid);
    const outcome = await run({ account }).then(
      async ({ running }) => {
        await remember(running.connection);
        return recall(running.connection);
      },
      (error: unknown) => String(error),
    );
    // This user couldn't start a checkout below a directory of mode 700, and must get an error.
    const isReachable = (await blockingDirectory(process.cwd(), account)) === null;
    expect(outcome.toString()).toContain(isReachable ? "kept" : "EmbeddedPostgresError");
  });
});

describe("after a kill -9 of our process", () => {
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
    const refused = await owners.spawn().next("refused");
    expect(refused).toMatchObject({
      name: "EmbeddedPostgresError",
      message: expect.stringMatching(/password/),
    });
    expect(await owners.processes()).toEqual([]);
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
    expect(performance.now() - killedMs).toBeLessThan(limitMs(5_000));
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
    expect(await isPostgresOf(backend?.pid ?? 0, join(owners.dataDir(), "postgres"))).toBe(false);
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
    const needed = join(owners.dataDir(), "postgres", "global");
    await rename(needed, `${needed}-away`);
    process.kill(pidOf(running), "SIGKILL");
    await expect
      .poll(
        () =>
          owner.events.filter(
            (event) => event.event === "log" && /restarting PostgreSQL failed/.test(event.message),
          ).length,
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
    expect(await owners.processes()).toEqual([]);
  });
});

describe("a stale postmaster.pid", () => {
  it.each([
    ["empty", ""],
    ["torn", "12"],
    ["garbage", "\0\0\0\0"],
  ])("that is %s doesn't block the start", async (_, text) => {
    await leavePostmasterFile(owners, text);
    expect(await recall((await run()).running.connection)).toEqual(["kept"]);
  });
});
