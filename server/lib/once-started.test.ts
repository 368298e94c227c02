import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClosers } from "./closers";
import { readConfig } from "@/server/platform/config";
import { createLogger } from "@/server/platform/log";
import { openDatabase } from "@/server/boot/database";
import { onceStarted } from "./once-started";

let server: Server;
let dataDir: string;
beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), "waypost-once-started-"))));
afterEach(async () => {
  server.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** PostgreSQL's protocol, message ErrorResponse. */
function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from("E"), length, fields]);
}

test("a start waits for a PostgreSQL that recovers, and says so once; what it says then counts", async () => {
  const answers = [
    errorResponse("57P03", "the database system is starting up"),
    errorResponse("57P03", "the database system is in recovery mode"),
    errorResponse("3D000", 'database "waypost" does not exist'),
  ];
  server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => socket.end(answers.shift() ?? ""));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const config = readConfig(
    {
      NODE_ENV: "test",
      DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/waypost?sslmode=disable`,
      WAYPOST_DATA_DIR: dataDir,
      WAYPOST_SECRET: "0123456789abcdef0123456789abcdef",
    },
    process.cwd(),
  );
  const log = createLogger({ level: "silent" });
  const warned = vi.spyOn(log, "warn");
  await expect(openDatabase(config, log, createClosers())).rejects.toMatchObject({ code: "3D000" });
  expect(answers).toEqual([]);
  expect(warned.mock.calls.map(([facts]) => facts)).toEqual([
    { reason: "the database system is starting up" },
  ]);
});

test("a start gives a database a minute to take its connection, and then fails with what it was", async () => {
  const log = createLogger({ level: "silent" });
  const slow = Object.assign(new Error("write CONNECT_TIMEOUT"), { code: "CONNECT_TIMEOUT" });
  const ask = vi.fn<() => Promise<string>>(async () => "here").mockRejectedValueOnce(slow);
  expect(await onceStarted(log, ask)).toBe("here");

  const clock = vi.spyOn(performance, "now");
  const never = vi.fn<() => Promise<never>>(async () => {
    clock.mockReturnValue(1e9);
    throw slow;
  });
  await expect(onceStarted(log, never)).rejects.toBe(slow);
  expect(never).toHaveBeenCalledTimes(1);
});
