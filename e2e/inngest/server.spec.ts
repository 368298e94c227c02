import { expect, test } from "vitest";
import { readLedger } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { serverRanSecondsAgo } from "@/server/core/queue/heartbeats";
import { type LinkedEngine, openLinkedEngine } from "./linked";
import { describeScenarios, onlyFailures, readBy } from "./scenarios";
import { calledAgain, testWebhooks, untilReported } from "./webhooks";

const AWAY_SECONDS = Number(process.env.AWAY_SECONDS ?? 300);
/** A process takes over after twenty seconds without a run, and checks every second. */
const STANDS_IN_MS_MAX = 30_000;
const RETURNS_MS_MAX = 60_000;
const NO_FAILURES = { failed: {}, uncertain: 0, twice: [], lost: [] };

const opened: { engine?: LinkedEngine } = {};
const linked = (): LinkedEngine => {
  if (!opened.engine) throw new Error("The engine isn't open");
  return opened.engine;
};

testWebhooks(describeScenarios(async () => (opened.engine = await openLinkedEngine())));

test("an Inngest server was told of the functions by the processes themselves, and runs one at a time for a channel", async () => {
  const { seen, world } = linked();
  expect(seen.registrations).toBeGreaterThanOrEqual(world.jobs.length);
  for (const { program } of world.jobs) {
    expect(program.stderr()).toContain("the functions are registered with the Inngest server");
  }
  seen.runsAtOnceMax = 0;
  seen.runs = 0;
  const fate = await world.fateOf(world.send(300));
  expect(onlyFailures(fate)).toEqual(NO_FAILURES);
  expect(seen.runs).toBeGreaterThan(0);
  expect(seen.runsAtOnceMax).toBe(1);
});

test("an Inngest server alone may call: what isn't signed, or wrongly, is 401 and runs nothing", async () => {
  const { callsUrl, server } = linked();
  const body = JSON.stringify({ event: { name: "waypost/sweep.due", data: {} }, steps: {}, ctx: {} });
  for (const signature of [null, `t=${Math.floor(Date.now() / 1000)}&s=${"0".repeat(64)}`]) {
    const answer = await fetch(`${callsUrl}/api/inngest?fnId=waypost-sweep&stepId=step`, {
      method: "POST",
      headers: signature === null ? {} : { "x-inngest-signature": signature },
      body,
    });
    expect(answer.status).toBe(401);
  }
  const event = await fetch(`${server.url}/e/wrong-key`, {
    method: "POST",
    body: '{"name":"x","data":{}}',
  });
  expect(event.status).toBe(401);
});

test("the processes write no key into their logs", () => {
  const { server, world } = linked();
  for (const { program } of [world.api, ...world.jobs]) {
    const output = program.stdout() + program.stderr();
    expect(output).not.toContain(server.eventKey);
    expect(output).not.toContain(server.signingKey);
  }
});

test(`an Inngest server that is away for ${AWAY_SECONDS} s keeps nothing from being sent, loses nothing and doubles nothing`, async () => {
  const { world, setAway } = linked();
  setAway(true);
  const endsAtMs = Date.now() + AWAY_SECONDS * 1000;
  const fates = [];
  const waitedMs = [];
  for (let round = 0; round === 0 || Date.now() < endsAtMs; round++) {
    const startedAtMs = performance.now();
    fates.push(onlyFailures(await world.fateOf(world.send(50), STANDS_IN_MS_MAX + RETURNS_MS_MAX)));
    waitedMs.push(performance.now() - startedAtMs);
  }
  setAway(false);
  const returnedAtMs = Date.now();
  const [first = 0, ...others] = waitedMs.map((ms) => Math.round(ms));
  console.log(
    `${waitedMs.length} rounds of 50 while away: the first took ${first} ms, the longest after it ${Math.max(0, ...others)} ms`,
  );
  expect(fates).toEqual(fates.map(() => NO_FAILURES));
  const ranSince = async () => {
    const ago = await serverRanSecondsAgo(world);
    return ago !== null && Date.now() - ago * 1000 > returnedAtMs;
  };
  await until("the server runs functions again", ranSince, { timeoutMs: RETURNS_MS_MAX });
  console.log(`runs again ${((Date.now() - returnedAtMs) / 1000).toFixed(1)} s after its return`);
  const handedBack = () => world.jobs.every(({ program }) => !isStandingIn(program.stderr()));
  await until("no process stands in for it", handedBack, { timeoutMs: RETURNS_MS_MAX });
  expect(onlyFailures(await world.fateOf(world.send(50)))).toEqual(NO_FAILURES);
});

test("an Inngest server that is killed in the middle of a load loses nothing and doubles nothing, and works again by itself", async () => {
  const { world, kill, revive } = linked();
  world.receiver.calls.length = 0;
  const before = (await readLedger(world.api.simulatorUrl)).messages.length;
  const sending = world.send(1_000);
  const isUnderWay = async () => (await readLedger(world.api.simulatorUrl)).messages.length > before + 100;
  await until("the load is under way", isUnderWay);
  await kill();
  await sending.done;
  await revive();
  const startedAtMs = Date.now();
  expect(onlyFailures(await world.fateOf(sending, RETURNS_MS_MAX))).toEqual(NO_FAILURES);
  const ranSince = async () => {
    const ago = await serverRanSecondsAgo(world);
    return ago !== null && Date.now() - ago * 1000 > startedAtMs;
  };
  await until("the server runs functions again", ranSince, { timeoutMs: RETURNS_MS_MAX });
  console.log(`runs again ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s after its restart`);
  expect(sending.wrong).toEqual([]);
  const areRead = async () => (await readBy(world, sending)) === 1_000;
  await until("the customers' reading is seen", areRead, { timeoutMs: RETURNS_MS_MAX });
  await untilReported(world);
  expect(world.receiver.calls.length).toBeGreaterThan(2 * 1_000);
  expect(calledAgain(world)).toEqual([]);
});

/** Returns whether the process's latest log entry about it says that it runs the functions itself. */
function isStandingIn(log: string): boolean {
  const said =
    log.match(/(?:until the server|the Inngest server) accepts events and runs functions again/g) ?? [];
  return said.at(-1)?.startsWith("until") ?? false;
}
