import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { runCommand } from "@/e2e/support/command";
import { until } from "@/e2e/support/until";
import { readRunFile } from "@/db/embedded";
import { createKey } from "@/server/domain/keys/create";
import { listenerOf, type ListenWorld, openListenWorld } from "./listen/testing";
import { bundleCommands, type CommandProcesses, expectNothingRuns, waitsForInput } from "./testing";

let world: ListenWorld;
let here: Awaited<ReturnType<ListenWorld["begin"]>>;
let processes: CommandProcesses;

beforeAll(async () => {
  world = await openListenWorld();
  processes = await bundleCommands();
});
beforeEach(async () => void (here = await world.begin()));
afterAll(async () => {
  await processes.remove();
  await world.close();
});

test("standard output has the answer and nothing else, and the exit code tells how a command ended", async () => {
  const run = (...args: string[]) => processes.run(args, world.commands.surroundings);
  const [made, failed, misused] = await Promise.all([
    run("org", "create", "--name", "Corner shop", "--json"),
    run("key", "revoke", "x"),
    run("org", "create"),
  ]);
  expect({ ...made, stdout: JSON.parse(made.stdout).name }).toEqual({
    code: 0,
    stdout: "Corner shop",
    stderr: "",
  });
  expect(failed).toEqual({
    code: 1,
    stdout: "",
    stderr: "waypost: There is no such API key. (key_not_found)\n",
  });
  expect(misused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("--name <name>") });
});

test("SIGINT in the middle of a command that started PostgreSQL leaves nothing running", async () => {
  const parent = await mkdtemp(path.join(tmpdir(), "waypost-interrupted-"));
  // As root, PostgreSQL runs as a user who must be able to access the data directory.
  await chmod(parent, 0o711);
  const dataDir = path.join(parent, "data");
  const env = { WAYPOST_DATA_DIR: dataDir };
  try {
    const made = await runCommand(["org", "create", "--name", "Interrupted", "--json"], env);
    const { child, finished } = processes.start(waitsForInput(JSON.parse(made.stdout).id), env);
    await until("PostgreSQL is running", async () => (await readRunFile(dataDir))?.kind === "cli");
    // Like npm, which forwards a Ctrl-C.
    child.kill("SIGINT");
    child.kill("SIGINT");
    expect(await finished).toEqual({ code: 130, stdout: "", stderr: "" });
    await expectNothingRuns(dataDir);
  } finally {
    await rm(parent, { recursive: true });
  }
});

test("a listener takes its key from WAYPOST_API_KEY, and ends well by SIGINT", async () => {
  const input = { name: "Listener", scopes: ["webhooks:manage" as const] };
  const { secret } = await createKey({ ctx: here.ctx, input });
  const args = ["webhook", "listen", "--url", world.api.url];
  const listener = listenerOf(
    processes.start(args, { ...world.commands.surroundings, DATABASE_URL: "", WAYPOST_API_KEY: secret }),
  );
  await listener.listening();
  const { code, stdout, stderr } = await listener.stop();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/\nStopped\. 0 shown\.\n$/);
  expect(await here.left()).toEqual({ endpoints: 0, keys: 1 });
});

test("the endpoint of a killed listener is removed by the next, and that of a running one stays", async () => {
  const killed = processes.start(["webhook", "listen", ...here.org], world.commands.surroundings);
  await listenerOf(killed).listening();
  const running = world.start(here.org);
  await running.listening();
  killed.child.kill("SIGKILL");
  await killed.finished;
  expect(await here.left()).toMatchObject({ endpoints: 2 });
  const next = world.start(here.org);
  await next.listening();
  expect(await here.left()).toMatchObject({ endpoints: 2 });
  expect(next.stderr()).toMatch(
    /^waypost: Removed the endpoint [0-9a-f-]{36} of a listener that was killed\.\n$/,
  );
  await here.write();
  await world.received(2);
  for (const listener of [running, next]) expect((await listener.stop()).code).toBe(0);
  expect(await here.left()).toMatchObject({ endpoints: 0 });
});
