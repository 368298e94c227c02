import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { acquireDataDirectory, isDataDirectoryOwned, readRunFile, writeRunFile } from "@/db/embedded";
import { bundleCli, type Cli } from "@/server/cli/testing";
import { authenticateKey } from "@/server/keys/authenticate";
import { openTestWorld, TEST_SECRET, type TestWorld } from "@/server/organizations/testing";
import { startSimulator } from "@/server/whatsapp/simulator/start";
import { eventually } from "@/e2e/support/eventually";

let cli: Cli;
let dataDir: string;

beforeAll(async () => {
  cli = await bundleCli();
});
afterAll(() => cli.remove());
beforeEach(async () => {
  const parent = await mkdtemp(path.join(tmpdir(), "waypost-attach-"));
  // As root, PostgreSQL runs as a user who has to get to the data directory.
  await chmod(parent, 0o711);
  dataDir = path.join(parent, "data");
});
afterEach(() => rm(path.dirname(dataDir), { recursive: true, force: true }));

const env = () => ({ WAYPOST_DATA_DIR: dataDir, PORT: "4321" });

async function json(...args: string[]) {
  const { code, stdout, stderr } = await cli.run([...args, "--json"], env());
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

/** Nothing of a command is left: neither owner nor PostgreSQL. */
async function expectNothingRuns(): Promise<void> {
  expect(await isDataDirectoryOwned(dataDir)).toBe(false);
  expect(await readRunFile(dataDir)).toBeNull();
  expect(await readdir(path.join(dataDir, "postgres"))).not.toContain("postmaster.pid");
}

describe("where no server runs", () => {
  test("commands run PostgreSQL for their own duration, one after another, and keep what they did", async () => {
    const { id } = await json("org", "create", "--name", "Kept");
    await expectNothingRuns();
    const names = ["One", "Two"];
    const keys = await Promise.all(names.map((name) => json("key", "create", "--org", id, "--name", name)));
    await expectNothingRuns();
    const list: { id: string; name: string }[] = await json("key", "list");
    expect(new Set(list.map((key) => key.name))).toEqual(new Set(names));
    expect(new Set(list.map((key) => key.id))).toEqual(new Set(keys.map((key) => key.id)));
    const demo = await json("demo");
    expect(demo).toMatchObject({ base_url: "http://localhost:4321", simulator_url: "" });
    await expectNothingRuns();
  });

  test.each(["SIGINT", "SIGTERM"] as const)(
    "%s in the middle of a command leaves nothing running",
    async (signal) => {
      const organization = await json("org", "create", "--name", "Interrupted");
      // Waits for its standard input, with the database open.
      const options = `--org ${organization.id} --name X --phone-number-id 1 --waba-id 1 --display-phone-number +15550100`;
      const command = `channel connect ${options} --credentials -`.split(" ");
      const { child, finished } = cli.start(command, env());
      await eventually(async () => expect((await readRunFile(dataDir))?.kind).toBe("cli"));
      // As npm has it that passes a Ctrl-C on.
      child.kill(signal);
      child.kill(signal);
      expect(await finished).toEqual({ code: signal === "SIGINT" ? 130 : 143, stdout: "", stderr: "" });
      await expectNothingRuns();
    },
  );
});

describe("where a server runs", () => {
  let world: TestWorld;
  let ownership: Awaited<ReturnType<typeof acquireDataDirectory>>;
  let simulator: Awaited<ReturnType<typeof startSimulator>>;

  beforeEach(async () => {
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
  });

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
    const greeted = await cli.run(["demo"], env());
    expect(greeted.stdout).toMatch(/^curl .* \\$/m);
  });

  test("a command that comes while it starts waits until it says how to be reached", async () => {
    const { child, finished } = cli.start(["org", "create", "--name", "Patient", "--json"], {
      ...env(),
      LOG_LEVEL: "debug",
    });
    const [line] = await once(child.stderr, "data");
    expect(String(line)).toContain("reaching the database");
    expect(child.exitCode).toBeNull();
    await publish();
    expect((await finished).code).toBe(0);
    expect(await world.database.sql`select 1 from organizations where name = 'Patient'`).toHaveLength(1);
  });
});
