import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { acquireDataDirectory, isDataDirectoryOwned, writeRunFile } from "@/db/embedded";
import { runCommand } from "@/e2e/support/command";
import { registerWithSimulator } from "@/server/ops/demo/register";
import {
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  TEST_SECRET,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { describeCommands } from "./commands";
import { recordIntakeHeartbeat } from "@/server/domain/messages/sweep";
import { recordJobHeartbeat, recordSweep } from "@/server/core/queue/heartbeats";
import { startSimulator } from "@/server/simulator/start";

interface Line {
  readonly check: string;
  readonly what: string;
  readonly state: string;
  readonly seen: string;
  readonly remedy: string | null;
}

let dataDir: string;

beforeEach(async () => {
  const parent = await mkdtemp(path.join(tmpdir(), "waypost-doctor-"));
  // As root, PostgreSQL runs as a user who must be able to access the data directory.
  await chmod(parent, 0o711);
  dataDir = path.join(parent, "data");
});
afterEach(() => rm(path.dirname(dataDir), { recursive: true, force: true }));

async function doctor(env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runCommand(["doctor", "--json"], {
    WAYPOST_DATA_DIR: dataDir,
    ...env,
  });
  const { state, checks }: { state: string; checks: Line[] } = JSON.parse(stdout);
  const of = (check: string) => checks.filter((line) => line.check === check);
  return { code, stderr, state, checks, of, stdout };
}

describe("over DATABASE_URL", () => {
  let world: TestWorld;
  beforeEach(async () => void (world = await openTestWorld({ database: "own" })));
  afterEach(() => world.close());
  const env = () => ({ DATABASE_URL: world.database.url, WAYPOST_SECRET: TEST_SECRET });
  /** Writes the records of a process with the role `all`. */
  const runJobs = async () => {
    await recordJobHeartbeat(world.services);
    await recordSweep(world.services);
    await recordIntakeHeartbeat(world.services);
  };

  test("an installation that works is well, with what is worth a look pointed out", async () => {
    await runJobs();
    const { code, stderr, state, checks, of } = await doctor(env());
    expect({ code, stderr, state }).toEqual({ code: 0, stderr: "", state: "warn" });
    const names = [
      "database",
      "disk",
      "limiter",
      "secret",
      "clock",
      "jobs",
      "callbacks",
      "webhooks",
      "upstream",
    ];
    expect([...new Set(checks.map(({ check }) => check))]).toEqual(names);
    const { description } = describeCommands().find(({ name }) => name === "doctor") ?? {};
    expect(names.filter((name) => !description?.includes(name))).toEqual([]);
    expect(of("database").map(({ state }) => state)).toEqual(["ok", "ok"]);
    expect(of("jobs")[0]).toMatchObject({ what: "sweep", state: "ok" });
    for (const line of checks) expect(line.remedy === null).toBe(line.state === "ok");
  });

  test("an installation in which nobody sends fails, also while nothing waits", async () => {
    const { code, of } = await doctor(env());
    expect(code).toBe(1);
    expect(of("jobs")).toMatchObject([
      { what: "sweep", state: "fail", remedy: expect.stringContaining("WAYPOST_ROLE=jobs") },
      { what: "due messages", state: "ok" },
    ]);
  });

  test("a person reads a line for each, what to do below it, and the sum", async () => {
    await runJobs();
    const { code, stdout } = await runCommand(["doctor"], { WAYPOST_DATA_DIR: dataDir, ...env() });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok {4}database: connection: PostgreSQL .*DATABASE_URL$/m);
    expect(stdout).toMatch(
      /^warn {2}upstream: channels: none is connected\n {6}→ Connect a number with `channel connect`/m,
    );
    expect(stdout).toMatch(/\n\n\d+ ok, \d+ warn, 0 fail\n$/);
  });

  test("another secret fails, and none is shown", async () => {
    const another = "another secret, which isn't the right one";
    const { code, of, stdout } = await doctor({ ...env(), WAYPOST_SECRET: another });
    expect(code).toBe(1);
    expect(of("secret")).toMatchObject([{ state: "fail", seen: "the variable doesn't match the database" }]);
    for (const secret of [another, TEST_SECRET, new URL(world.database.url).password])
      expect(stdout).not.toContain(secret);
  });

  test("a database that isn't there fails, without its password, and the rest says that it needs it", async () => {
    const url = "postgres://me:the-password@127.0.0.1:1/x";
    const { code, stderr, of, stdout } = await doctor({ ...env(), DATABASE_URL: url });
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(of("database")).toMatchObject([
      { state: "fail", seen: "the database doesn't respond (ECONNREFUSED)" },
    ]);
    for (const check of ["secret", "clock", "limiter", "jobs", "callbacks", "webhooks", "upstream"])
      expect(of(check)).toMatchObject([{ state: "warn", seen: "not checked: it needs the database" }]);
    expect(stdout).not.toContain("the-password");
  });
});

test("beside a running server its database and its simulator are examined", async () => {
  const world = await openTestWorld({ database: "own" });
  const ownership = await acquireDataDirectory(dataDir, { kind: "server" });
  await writeFile(path.join(dataDir, "secret"), TEST_SECRET, { mode: 0o600 });
  await mkdir(path.join(dataDir, "simulator"));
  const log = pino({ level: "silent" });
  const simulator = await startSimulator({ directory: path.join(dataDir, "simulator"), port: 0, log });
  try {
    await writeRunFile(dataDir, {
      kind: "server",
      pid: process.pid,
      postgres: world.database.connection,
      base_url: "http://localhost:5555",
      simulator_url: simulator.url,
      started_at: new Date().toISOString(),
    });
    const channelId = await connectTestChannel(await createTestOrganization(world.services));
    const here = { services: world.services, simulatorUrl: simulator.url, baseUrl: "http://127.0.0.1:1" };
    await registerWithSimulator(here);
    const { of } = await doctor();
    expect(of("database")[0]?.seen).toMatch(/, that of the running server$/);
    expect(of("secret")).toMatchObject([{ state: "ok" }]);
    expect(of("upstream")).toMatchObject([{ what: `channel ${channelId} (Test channel)`, state: "ok" }]);
  } finally {
    await simulator.stop();
    await ownership.release();
    await world.close();
  }
});

describe("where no server runs", () => {
  test("PostgreSQL runs for the examination, which changes nothing and leaves nothing running", async () => {
    const made = await runCommand(["org", "create", "--name", "Kept"], { WAYPOST_DATA_DIR: dataDir });
    expect(made.code).toBe(0);
    const { of } = await doctor();
    expect(of("database")[0]).toMatchObject({
      state: "ok",
      seen: expect.stringMatching(/started for this command/),
    });
    expect(of("secret")).toMatchObject([{ state: "ok" }]);
    expect(await isDataDirectoryOwned(dataDir)).toBe(false);
    expect(await readdir(path.join(dataDir, "postgres"))).not.toContain("postmaster.pid");
    await rm(path.join(dataDir, "secret"));
    const { code, of: without } = await doctor();
    expect(code).toBe(1);
    expect(without("secret")).toMatchObject([{ state: "fail", seen: expect.stringMatching(/is missing$/) }]);
    expect(await readdir(dataDir)).not.toContain("secret");
  });

  test("and nothing ever did, nothing is made", async () => {
    const { code, of } = await doctor();
    expect(code).toBe(0);
    expect(of("database")).toMatchObject([{ state: "warn", seen: `${dataDir} has no database yet` }]);
    expect(await readdir(path.dirname(dataDir))).toEqual([]);
  });

  test("and the database's password is lost, it says so", async () => {
    await mkdir(dataDir);
    await writeFile(path.join(dataDir, "postgres.json"), "{}");
    const { code, of } = await doctor();
    expect(code).toBe(1);
    expect(of("database")).toMatchObject([
      { state: "fail", seen: expect.stringMatching(/damaged: restore it/) },
    ]);
  });
});
