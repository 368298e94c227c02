import { randomInt } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sending, startSending, textsTo } from "@/e2e/crash/clients";
import type { Fate } from "@/e2e/crash/fate";
import { customerWrites, readLedger } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { readJobHeartbeats } from "@/server/core/queue/heartbeats";
import type { JobsWorld } from "./world";

/** The engine that runs the functions in a world of several processes. */
export interface EngineUnderTest {
  readonly world: JobsWorld;
  /** Loses every wake-up that is sent during the action. */
  losingSignals<T>(act: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The simulator refuses the first call to such a number, with its throughput limit, and accepts the next one. */
const REFUSED_ONCE = "99410";
const SWEPT_MS_MAX = 90_000;

/** Scenarios for any engine that runs the functions: the embedded executor, or an Inngest server. */
export function describeScenarios(open: () => Promise<EngineUnderTest>): () => EngineUnderTest {
  let engine: EngineUnderTest;
  beforeAll(async () => void (engine = await open()));
  afterAll(() => engine?.close());

  test("what one process accepts another hands upstream, and callbacks settle what became of it", async () => {
    const { world } = engine;
    const sending = world.send(60);
    expect(onlyFailures(await world.fateOf(sending))).toEqual({
      failed: {},
      uncertain: 0,
      twice: [],
      lost: [],
    });
    const isSettled = async () => (await readBy(world, sending)) === 60;
    await until("the customers' reading is seen", isSettled);
  });

  test("what the upstream refuses for now is tried again when its time has come, once", async () => {
    const { fate, statuses, waitedMs } = await sendRefusedOnce(engine.world);
    expect(onlyFailures(fate)).toEqual({ failed: {}, uncertain: 0, twice: [], lost: [] });
    expect(statuses).toEqual([429, 200]);
    // A second, minus up to a fifth of jitter.
    expect(waitedMs).toBeGreaterThanOrEqual(800);
  });

  test("sweeps are run again and again", async () => {
    const { sql } = engine.world;
    const sweptAgo = async () => (await readJobHeartbeats(sql)).sweptSecondsAgo ?? Number.POSITIVE_INFINITY;
    const isSweptAfter = (momentMs: number) => async () => Date.now() - (await sweptAgo()) * 1000 > momentMs;
    await until("a sweep is run", isSweptAfter(Date.now() - SWEPT_MS_MAX), { timeoutMs: SWEPT_MS_MAX });
    await until("another sweep is run", isSweptAfter(Date.now()), { timeoutMs: SWEPT_MS_MAX });
  });

  test("messages whose wake-ups are lost are sent", async () => {
    const { world } = engine;
    const sending = await engine.losingSignals(async () => {
      const started = world.send(40);
      await started.done;
      return started;
    });
    const fate = await world.fateOf(sending, SWEPT_MS_MAX);
    expect(onlyFailures(fate)).toEqual({ failed: {}, uncertain: 0, twice: [], lost: [] });
  });

  return () => engine;
}

/** Sends to a customer whose first call the upstream refuses temporarily. */
async function sendRefusedOnce(world: JobsWorld) {
  const handle = `4915${randomInt(100, 900)}${REFUSED_ONCE}`;
  const sending = await sendToNewCustomer(world, handle);
  const calls = async () =>
    (await readLedger(world.api.simulatorUrl)).calls.filter(({ to }) => to === handle);
  const isTaken = async () => (await calls()).some(({ status }) => status === 200);
  await until("the second call is taken", isTaken);
  const fate = await world.fateOf(sending);
  const seen = await calls();
  const [first = 0, second = 0] = seen.map(({ at }) => Date.parse(at));
  return { fate, statuses: seen.map(({ status }) => status), waitedMs: second - first };
}

/** Returns a fate without its successes. */
export function onlyFailures({ failed, uncertain, twice, lost }: Fate): Omit<Fate, "accepted" | "once"> {
  return { failed, uncertain, twice, lost };
}

/** Counts the sent messages that customers have read, as far as it is stored. */
export async function readBy({ sql }: JobsWorld, { accepted }: Sending): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from messages
    where id = any(${[...accepted.values()]}::uuid[]) and state = 'read'`;
  return row?.count ?? 0;
}

async function sendToNewCustomer(world: JobsWorld, handle: string): Promise<Sending> {
  const { api, customers } = world;
  const { messages } = await readLedger(api.simulatorUrl);
  const phoneNumberId = messages.find(({ to }) => to === customers.handles[0])?.phone_number_id;
  if (phoneNumberId === undefined) throw new Error("Nothing was sent to the first customer");
  await customerWrites(api.simulatorUrl, { phoneNumberId, from: handle, body: "Where is my parcel?" });
  const hasWritten = async () =>
    (await world.sql`select 1 from contact_identities where handle = ${handle}`).length > 0;
  await until("the customer is known", hasWritten);
  return startSending({ baseUrls: [api.baseUrl], secret: customers.secret, messages: textsTo([handle], 1) });
}
