import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callEndpoint } from "./call";
import { claimDeliveries } from "./claim";
import { recordDeliveries } from "./record";
import { deliveriesOf, endpointWith, openWebhookWorld, type WebhookWorld } from "../testing";

let world: WebhookWorld;

beforeAll(async () => void (world = await openWebhookWorld()));
afterAll(() => world.close());
beforeEach(() => world.receiver.answersStatus(204));

/** A call whose claim expired before its outcome was stored; `state` is the delivery's new state since then. */
async function storeLate(status: number, state: string) {
  const { id } = await endpointWith(world, 1);
  world.receiver.answersStatus(status);
  const [delivery] = await claimDeliveries(world.services, id, 1);
  if (!delivery) throw new Error("Nothing was claimed");
  const attemptResult = await callEndpoint(world.services, delivery);
  await world.sql`
    update webhook_deliveries set claim_token = null, claimed_until = null, state = ${state}, ended_at = now(),
      next_attempt_at = null where endpoint_id = ${id}`;
  await recordDeliveries(world.services, [{ delivery, attemptResult, isRetried: true }]);
  return (await deliveriesOf(world, id)).map((one) => ({ state: one.state, tries: one.tries.length }));
}

test.each(["failed", "skipped"])("a success counts also where it was %s meanwhile", async (state) => {
  expect(await storeLate(204, state)).toEqual([{ state: "delivered", tries: 1 }]);
});

test.each(["failed", "skipped", "delivered"])(
  "a failure changes nothing where it was %s meanwhile",
  async (state) => {
    expect(await storeLate(500, state)).toEqual([{ state, tries: 1 }]);
  },
);

test.each([
  { body: "", kept: null },
  { body: "Thank you", kept: "Thank you" },
])("of the answer '$body' an attempt keeps $kept", async ({ body, kept }) => {
  const { id } = await endpointWith(world, 1);
  world.receiver.answers((response) => void response.end(body));
  const [delivery] = await claimDeliveries(world.services, id, 1);
  if (!delivery) throw new Error("Nothing was claimed");
  const attemptResult = await callEndpoint(world.services, delivery);
  await recordDeliveries(world.services, [{ delivery, attemptResult, isRetried: true }]);
  const [recorded] = await deliveriesOf(world, id);
  expect(recorded?.tries).toMatchObject([{ answer: kept }]);
});
