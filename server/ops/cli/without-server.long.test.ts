import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { readRunFile } from "@/db/embedded";
import {
  bundleCommands,
  type CommandProcesses,
  expectNothingRuns,
  waitsForInput,
} from "@/server/ops/cli/testing";
import { until } from "@/e2e/support/until";

let processes: CommandProcesses;
let dataDir: string;

beforeAll(async () => {
  processes = await bundleCommands();
});
afterAll(() => processes.remove());
beforeEach(async () => {
  const parent = await mkdtemp(path.join(tmpdir(), "waypost-without-server-"));
  // As root, PostgreSQL runs as a user who must be able to access the data directory.
  await chmod(parent, 0o711);
  dataDir = path.join(parent, "data");
});
afterEach(() => rm(path.dirname(dataDir), { recursive: true, force: true }));

const env = () => ({ WAYPOST_DATA_DIR: dataDir, PORT: "4321" });

async function json(...args: string[]) {
  const { code, stdout, stderr } = await processes.run([...args, "--json"], env());
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(
      /^waypost: No server runs on the data directory \S+, .*WAYPOST_DATA_DIR.*\n$/,
    ),
  });
  expect(stderr).toContain(dataDir);
  return JSON.parse(stdout);
}

test("commands run PostgreSQL for their own duration, one after another, and keep what they did", async () => {
  const { id } = await json("org", "create", "--name", "Kept");
  await expectNothingRuns(dataDir);
  const names = ["One", "Two"];
  const keys = await Promise.all(names.map((name) => json("key", "create", "--org", id, "--name", name)));
  await expectNothingRuns(dataDir);
  const list: { id: string; name: string }[] = await json("key", "list");
  expect(new Set(list.map((key) => key.name))).toEqual(new Set(names));
  expect(new Set(list.map((key) => key.id))).toEqual(new Set(keys.map((key) => key.id)));
  const demo = await json("demo");
  expect(demo).toMatchObject({ base_url: "http://localhost:4321", simulator_url: "" });
  await expectNothingRuns(dataDir);
});

test.each([
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s in the middle of a command leaves nothing running", async (signal, code) => {
  const organization = await json("org", "create", "--name", "Interrupted");
  const { child, finished } = processes.start(waitsForInput(organization.id), env());
  await until("PostgreSQL is running", async () => (await readRunFile(dataDir))?.kind === "cli");
  child.kill(signal);
  expect(await finished).toEqual({ code, stdout: "", stderr: "" });
  await expectNothingRuns(dataDir);
});
