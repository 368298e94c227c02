import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createPool } from "@/db/client";
import { openDatabaseGate } from "@/db/testing-gate";
import { until } from "@/e2e/support/until";
import { deliverToEndpoint } from "./deliver";
import { deliveriesOf, endpointWith, openWebhookWorld, type WebhookWorld, within } from "../testing";

let world: WebhookWorld;

beforeAll(async () => void (world = await openWebhookWorld()));
afterAll(() => world.close());

/** The drain's look for more work, and two tries to store. */
const FAILURES = 3;

/** Services of a process whose database the test can cut off. */
async function openBehindGate() {
  const gate = await openDatabaseGate(world.databaseUrl);
  const pool = createPool({ url: gate.url }, { name: "test-gate", connectionsMax: 4 });
  onTestFinished(async () => {
    await pool.end({ timeout: 1 });
    await gate.shut();
  });
  let failures = 0;
  const begin = (...given: Parameters<typeof pool.begin>) =>
    pool.begin(...given).catch((error: unknown) => {
      failures += 1;
      throw error;
    });
  const sql = new Proxy(pool, {
    get: (target, name, receiver) => (name === "begin" ? begin : Reflect.get(target, name, receiver)),
  });
  return { gate, services: { ...world.services, sql }, failures: () => failures };
}

test("what became of a call waits in memory while the database is away, and is stored when it is back: nothing is called for again", async () => {
  const { gate, services, failures } = await openBehindGate();
  const { id } = await endpointWith(world, 6);
  const held: ((status: number) => void)[] = [];
  world.receiver.answers((response) => held.push((status) => void response.writeHead(status).end()));
  const run = deliverToEndpoint(services, id).catch(() => "ended");
  await until("all are called for", () => held.length === 6);
  await gate.shut();
  held.forEach((answer, index) => answer(index < 3 ? 204 : 500));
  await until("the outcomes could not be stored, more than once", () => failures() >= FAILURES);
  const notes = (await deliveriesOf(world, id)).map(
    ({ isClaimed, tries }) => `${isClaimed} ${tries.map(({ httpStatus }) => httpStatus).join()}`,
  );
  expect(notes).toEqual(Array(6).fill("true "));
  await gate.open();
  const areStored = async () => (await deliveriesOf(world, id)).every(({ isClaimed }) => !isClaimed);
  await until("the outcomes are stored", areStored);
  await run;
  const stored = await deliveriesOf(world, id);
  const outcomes = stored.map(
    ({ state, tries }) =>
      `${state} after ${tries.map((one) => `${one.number}: ${one.httpStatus}`).join(", ")}`,
  );
  expect(outcomes.toSorted()).toEqual([
    ...Array(3).fill("delivered after 1: 204"),
    ...Array(3).fill("pending after 1: 500"),
  ]);
  for (const { state, pauseMs } of stored)
    expect(pauseMs).toSatisfy(within(state === "delivered" ? null : [4, 6]));
  expect(world.receiver.calls).toHaveLength(6);
});
