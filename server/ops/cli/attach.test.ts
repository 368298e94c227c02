import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { acquireDataDirectory, readRunFile, writeRunFile } from "@/db/embedded";
import { runCommand, startCommand } from "@/e2e/support/command";
import { until } from "@/e2e/support/until";
import { authenticateKey } from "@/server/domain/keys/authenticate";
import { openTestWorld, TEST_SECRET, type TestWorld } from "@/server/domain/organizations/testing";
import { startSimulator } from "@/server/simulator/start";

let dataDir: string;
let world: TestWorld;
let ownership: Awaited<ReturnType<typeof acquireDataDirectory>>;
let simulator: Awaited<ReturnType<typeof startSimulator>>;

/** This process is the server. */
beforeEach(async () => {
  const parent = await mkdtemp(path.join(tmpdir(), "waypost-attach-"));
  // As root, PostgreSQL runs as a user who must be able to access the data directory.
  await chmod(parent, 0o711);
  dataDir = path.join(parent, "data");
  world = await openTestWorld({ database: "own" });
  ownership = await acquireDataDirectory(dataDir, { kind: "server" });
  await writeFile(path.join(dataDir, "secret"), TEST_SECRET, { mode: 0o600 });
  await mkdir(path.join(dataDir, "simulator"));
  const log = pino({ level: "silent" });
  simulator = await startSimulator({ directory: path.join(dataDir, "simulator"), port: 0, log });
});
afterEach(async () => {
  await simulator.stop();
  await ownership.release();
  await world.close();
  await rm(path.dirname(dataDir), { recursive: true, force: true });
});

const env = () => ({ WAYPOST_DATA_DIR: dataDir, PORT: "4321" });

async function json(...args: string[]) {
  const { code, stdout, stderr } = await runCommand([...args, "--json"], env());
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

const publish = () =>
  writeRunFile(dataDir, {
    kind: "server",
    pid: process.pid,
    postgres: world.database.connection,
    base_url: "http://localhost:5555",
    simulator_url: simulator.url,
    started_at: new Date().toISOString(),
  });

test("commands attach to it, and leave it and its run.json alone", async () => {
  await publish();
  const demo = await json("demo");
  expect(demo).toMatchObject({ base_url: "http://localhost:5555", simulator_url: simulator.url });
  const credentials = { authorization: undefined, xApiKey: demo.api_key.secret };
  const actor = await authenticateKey({ services: world.services, ...credentials });
  expect(actor.organizationId).toBe(demo.organization_id);
  await json("key", "revoke", demo.api_key.id);
  const refused = authenticateKey({ services: world.services, ...credentials });
  await expect(refused).rejects.toMatchObject({ code: "api_key_revoked" });
  expect((await readRunFile(dataDir))?.kind).toBe("server");
  const greeted = await runCommand(["demo"], env());
  expect(greeted.stdout).toMatch(/^curl .* \\$/m);
});

test("a command that comes while it starts waits until it says how to be reached", async () => {
  const command = startCommand(["org", "create", "--name", "Patient", "--json"], {
    ...env(),
    LOG_LEVEL: "debug",
  });
  await until("it looks for the server", () => command.stderr().includes("reaching the database"));
  expect(command.stdout()).toBe("");
  await publish();
  expect((await command.finished).code).toBe(0);
  expect(await world.database.sql`select 1 from organizations where name = 'Patient'`).toHaveLength(1);
});
