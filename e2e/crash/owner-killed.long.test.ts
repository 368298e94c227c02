import { afterEach, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import type { Waypost } from "@/e2e/support/waypost";
import { makeCustomers } from "@/e2e/support/customers";
import { startSending, textsTo } from "./clients";
import { fateOf, untilHandedUpstream } from "./fate";
import { postmasterPid } from "./postmaster";
import { openProcesses, type Processes } from "./world";

const MESSAGES = 60;
const CUSTOMERS = 20;
/** A killed process's calls are given up after 50 s, its claims after 60 s; the sweep runs every 10 s. */
const FINISHED_MS_MAX = 110_000;

let processes: Processes;
let attached: Waypost | undefined;

afterEach(async () => {
  await attached?.stop();
  await processes.close();
});

/** Starts the owner of a PostgreSQL, a process that is attached to it, and customers who can be written to. */
async function openOwnerAndAttached() {
  processes = await openProcesses({ ownSimulator: true });
  attached = await processes.attach();
  const { secret, handles } = await makeCustomers(processes.server(), CUSTOMERS);
  const through = (server: Waypost) =>
    startSending({ baseUrls: [server.baseUrl], secret, messages: textsTo(handles, MESSAGES) });
  return { attached, through };
}

const readiness = async ({ baseUrl }: Waypost) => (await fetch(`${baseUrl}/readyz`)).status;

test("an owner killed with kill -9 leaves its PostgreSQL to the attached process, which takes and sends messages, and to the next start, which adopts it", async () => {
  const { attached: other, through } = await openOwnerAndAttached();
  const before = await postmasterPid(processes.dataDir);
  await processes.server().kill9();

  const sending = through(other);
  await sending.done;
  expect(sending.wrong).toEqual([]);
  expect(sending.answers).toEqual({ 201: MESSAGES });
  await untilHandedUpstream(processes.sql, FINISHED_MS_MAX);
  expect(await readiness(other)).toBe(200);

  await processes.restart();
  expect(await postmasterPid(processes.dataDir)).toBe(before);
  expect(await readiness(processes.server())).toBe(200);
  const again = through(processes.server());
  await again.done;
  expect(again.wrong).toEqual([]);
  await untilHandedUpstream(processes.sql, FINISHED_MS_MAX);
  expect(other.program.isRunning()).toBe(true);
  const accepted = new Map([...sending.accepted, ...again.accepted]);
  const fate = await fateOf(processes.sql, processes.simulator?.url ?? "", accepted);
  expect(fate).toMatchObject({ accepted: 2 * MESSAGES, once: 2 * MESSAGES, twice: [], lost: [] });
});

test("an owner killed together with its PostgreSQL: the attached process answers 503 until the next start, recovers by itself, and nothing is lost", async () => {
  const { attached: other, through } = await openOwnerAndAttached();
  const first = through(other);
  await first.done;
  const before = await postmasterPid(processes.dataDir);
  await processes.server().kill9();
  process.kill(before, "SIGKILL");
  await until("the attached process says that it isn't ready", async () => (await readiness(other)) === 503);
  const waiting = through(other);
  await until("requests are refused for now", () => (waiting.answers[503] ?? 0) > 0);
  expect(waiting.accepted.size).toBe(0);

  await processes.restart();
  await waiting.done;
  expect(await postmasterPid(processes.dataDir)).not.toBe(before);
  expect(other.program.isRunning()).toBe(true);
  await until("the attached process is ready again", async () => (await readiness(other)) === 200);
  expect([...first.wrong, ...waiting.wrong]).toEqual([]);
  await untilHandedUpstream(processes.sql, FINISHED_MS_MAX);
  const accepted = new Map([...first.accepted, ...waiting.accepted]);
  const fate = await fateOf(processes.sql, processes.simulator?.url ?? "", accepted);
  expect(fate).toMatchObject({ accepted: 2 * MESSAGES, twice: [], lost: [] });
  expect(fate.once + fate.uncertain).toBe(2 * MESSAGES);
});
