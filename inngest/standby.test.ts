import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { until } from "@/e2e/support/until";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { recordServerRan } from "@/server/core/queue/heartbeats";
import { keepStandby, type StandbyTimes } from "./standby";

const TIMES: StandbyTimes = { checkEveryMs: 10, probeEveryMs: 20, quietSeconds: 0.3, awaySeconds: 0.6 };

let world: TestWorld;
beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.database.sql`delete from installation where name = 'inngest_ran'`;
});

/** Increases with every read of the row by which the standby detects the server. */
async function countChecks({ database }: TestWorld): Promise<number> {
  const [row] = await database.sql<{ checks: number }[]>`
    select pg_stat_force_next_flush() is null as flushed,
      (seq_scan + coalesce(idx_scan, 0))::int as checks from pg_stat_user_tables where relname = 'installation'`;
  return row?.checks ?? 0;
}

/** A run may fall between the start and the result of a check. The next check then sees it. */
async function serverRunsUntil(isSeen: () => boolean): Promise<void> {
  await until("what the server runs is seen", async () => {
    await recordServerRan(world.services);
    return isSeen();
  });
}

/** A process on standby. `runs` says whether it runs functions itself. */
function standBy(times: StandbyTimes = TIMES) {
  const seen = { runs: false, starts: 0, probes: 0, handedBack: 0 };
  const standby = keepStandby({
    services: world.services,
    inProcess: {
      start() {
        seen.starts += 1;
        seen.runs = true;
      },
      stop: async () => void (seen.runs = false),
    },
    probe: () => void (seen.probes += 1),
    handedBack: () => void (seen.handedBack += 1),
    times,
  });
  onTestFinished(() => standby.stop());
  return { standby, seen };
}

test("a process runs the functions itself when no Inngest server does, and hands them back when one does again", async () => {
  const { standby, seen } = standBy();
  await expect.poll(() => seen.probes).toBeGreaterThan(0);
  await expect.poll(standby.hasTakenOver).toBe(true);
  expect(seen).toMatchObject({ runs: true, starts: 1 });
  const probes = seen.probes;
  await expect.poll(() => seen.probes).toBeGreaterThan(probes);

  standby.eventAccepted();
  await serverRunsUntil(() => seen.handedBack > 0);
  expect(seen).toMatchObject({ runs: false, handedBack: 1 });
  expect(standby.hasTakenOver()).toBe(false);
});

test("a server that runs functions and takes no events is stood in for until it takes one", async () => {
  const { standby, seen } = standBy({ ...TIMES, quietSeconds: 60, awaySeconds: 60 });
  standby.takeOver("accepts no events");
  standby.eventAccepted();
  standby.takeOver("accepts no events");
  await recordServerRan(world.services);
  const probes = seen.probes;
  // Each probe follows a check of the server's runs.
  await expect.poll(() => seen.probes).toBeGreaterThan(probes + 2);
  expect(seen).toMatchObject({ runs: true, starts: 1, handedBack: 0 });

  standby.eventAccepted();
  await serverRunsUntil(() => seen.handedBack > 0);
  expect(seen).toMatchObject({ runs: false, handedBack: 1 });
});

test("a server that runs functions in any process is neither asked nor stood in for", async () => {
  await recordServerRan(world.services);
  const times = { ...TIMES, quietSeconds: 60, awaySeconds: 60 };
  const { standby, seen } = standBy(times);
  const checks = await countChecks(world);
  await expect.poll(() => countChecks(world)).toBeGreaterThan(checks);
  expect(seen).toEqual({ runs: false, starts: 0, probes: 0, handedBack: 0 });
  await standby.stop();
  standby.takeOver("accepts no events");
  expect(seen.starts).toBe(0);
});

test("a server known to be away is stood in for at once, and what it ran before doesn't count as its return", async () => {
  await recordServerRan(world.services);
  const { standby, seen } = standBy({ ...TIMES, quietSeconds: 60, awaySeconds: 60 });
  standby.takeOver("accepts no events");
  standby.eventAccepted();
  expect(seen.runs).toBe(true);
  await expect.poll(() => seen.probes).toBeGreaterThan(1);
  expect(seen.runs).toBe(true);
  await standby.stop();
  expect(seen.runs).toBe(false);
});
