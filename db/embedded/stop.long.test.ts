import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acquireDataDirectory } from "@/db/embedded/ownership";
import { connectionOptions } from "@/db/embedded/probe";
import { endPostgresOf, postgresProcessesOf } from "@/db/embedded/processes";
import { startEmbeddedPostgres } from "@/db/embedded/start";
import { recall, remember, removeDirectory, silentLog, temporaryDirectory } from "@/db/embedded/testing";

let home: string;
let dataDir: string;

beforeAll(async () => {
  home = await temporaryDirectory();
  dataDir = join(home, "data");
  await mkdir(dataDir);
  await chmod(dataDir, 0o711);
});
afterAll(async () => {
  await endPostgresOf(join(dataDir, "postgres"));
  await removeDirectory(home);
});

describe("stop", () => {
  it("ends, within 20 seconds and without losing data, a server whose backend hangs", async () => {
    const ownership = await acquireDataDirectory(dataDir, { kind: "server" });
    const server = await startEmbeddedPostgres({ dataDir, log: silentLog });
    await remember(server.connection);
    const sql = postgres({ ...connectionOptions(server.connection), max: 1, onclose: () => undefined });
    const [backend] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    process.kill(backend?.pid ?? 0, "SIGSTOP");

    const askedMs = performance.now();
    const [first, again] = [server.stop(), server.stop()];
    await Promise.all([first, again]);
    expect(performance.now() - askedMs).toBeLessThan(20_000);
    expect(server.pid()).toBeNull();
    expect(await postgresProcessesOf(join(dataDir, "postgres"))).toEqual([]);
    await sql.end({ timeout: 0 });

    const next = await startEmbeddedPostgres({ dataDir, log: silentLog });
    expect(await recall(next.connection)).toEqual(["kept"]);
    await next.stop();
    await ownership.release();
  });
});
