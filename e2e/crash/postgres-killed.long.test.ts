import { afterAll, beforeAll, expect, test } from "vitest";
import { postmasterPid } from "./postmaster";
import { type CrashWorld, openCrashWorld } from "./world";

const MESSAGES = 300;
/** More often than one process could lose its send slots to failing claims and continue. */
const KILLS = 3;

let world: CrashWorld;

beforeAll(async () => {
  world = await openCrashWorld({ ownSimulator: true });
});

afterAll(() => world.close());

test("with PostgreSQL killed while it sends, again and again, the server recovers by itself, answers 503 meanwhile, and loses nothing", async () => {
  const { pid } = world.server();
  for (let kill = 1; kill <= KILLS; kill++) {
    // A fast machine could otherwise have accepted all of them before PostgreSQL is killed.
    const sending = await world.send(MESSAGES, 503);
    process.kill(await postmasterPid(world.dataDir), "SIGKILL");
    const fate = await world.fateOf(sending);

    console.log(`PostgreSQL killed, time ${kill}:`, { answers: sending.answers, ...fate });
    expect(sending.wrong).toEqual([]);
    expect(sending.answers[0] ?? 0).toBe(0);
    expect(sending.answers[503] ?? 0).toBeGreaterThan(0);
    expect(fate.accepted).toBeGreaterThanOrEqual(MESSAGES);
    expect(fate).toMatchObject({ twice: [], lost: [] });
    expect(fate.once + fate.uncertain).toBe(fate.accepted);
  }
  expect(world.server()).toMatchObject({ pid });
  expect(world.server().program.isRunning()).toBe(true);
  expect((await fetch(`${world.server().baseUrl}/readyz`)).status).toBe(200);
});
