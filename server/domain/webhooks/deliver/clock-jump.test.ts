import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { receiveText } from "@/server/domain/messages/receive/receive";
import { newHandle } from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { sweepDueWork } from "@/server/domain/sweep";
import { setMachineClock, WRONG_CLOCKS } from "@/server/testing";
import { queueState } from "./claim";
import { deliverToEndpoint } from "./deliver";
import { listDeliveriesInput } from "./delivery-schemas";
import { listDeliveries } from "./list-deliveries";
import { addEndpoint, deliveriesOf, endpointWith, openWebhookWorld, type WebhookWorld } from "../testing";

/** A second attempt is due within it, and a lease expires. */
const MINUTE_MS = 60_000;

let world: WebhookWorld;

beforeAll(async () => void (world = await openWebhookWorld({ isClockMovable: true })));
afterEach(async () => {
  await setMachineClock(world.sql, 0);
  world.receiver.answersStatus(204);
  world.receiver.calls.length = 0;
});
afterAll(() => world.close());

const deliver = (id: string) => deliverToEndpoint(world.services, id);

describe.each(WRONG_CLOCKS)("a machine's clock that jumps an hour %s", (_, byMs) => {
  const jump = () => setMachineClock(world.sql, byMs);
  /** The jump, plus that much time. */
  const later = (ms: number) => setMachineClock(world.sql, byMs + ms);
  /** The maximum additional wait of deliveries that were due before. */
  const backMs = Math.max(0, -byMs);

  test("leaves a call that is under way its answer: it is made once", async () => {
    const { id } = await endpointWith(world, 1);
    let end = () => undefined as void;
    world.receiver.answers((response) => void (end = () => void response.writeHead(204).end()));
    const delivering = deliver(id);
    await until("the call has come", async () => world.receiver.calls.length === 1);
    world.receiver.answersStatus(204);
    await jump();
    await sweepDueWork(world.services);
    expect(await deliveriesOf(world, id)).toMatchObject([{ state: "pending", isClaimed: true }]);
    end();
    await delivering;
    await later(backMs + MINUTE_MS);
    await sweepDueWork(world.services);
    await deliver(id);
    expect(await deliveriesOf(world, id)).toMatchObject([
      { state: "delivered", attempts: 1, tries: [{ number: 1, errorClass: null }] },
    ]);
    expect(world.receiver.calls).toHaveLength(1);
  });

  test("has a delivery that waits for its next try, and an endpoint that is left alone, wait no longer than by the jump", async () => {
    const { id } = await endpointWith(world, 3);
    world.receiver.answersStatus(503);
    await deliver(id);
    const calls = world.receiver.calls.length;
    world.receiver.answersStatus(204);
    await jump();
    const dueAt = (await queueState(world.services, id)).nextDueAt;
    expect((dueAt?.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(backMs + MINUTE_MS);
    await later(backMs + MINUTE_MS);
    await deliver(id);
    const deliveries = await deliveriesOf(world, id);
    expect(deliveries.map(({ state }) => state)).toEqual(["delivered", "delivered", "delivered"]);
    expect(world.receiver.calls).toHaveLength(calls + 3);
  });

  test("has who fetches events from where they were miss none, and wait no longer than by the jump", async () => {
    const fetcher = await newFetcher();
    const ids = [await fetcher.happens()];
    // After everything that may still be written.
    await setMachineClock(world.sql, 2_000);
    const first = await fetcher.fetch(null);
    await jump();
    ids.push(await fetcher.happens(), await fetcher.happens());
    const second = await fetcher.fetch(first.next);
    await later(backMs + MINUTE_MS);
    ids.push(await fetcher.happens());
    await later(backMs + 2 * MINUTE_MS);
    const third = await fetcher.fetch(second.next);
    expect([...first.messageIds, ...second.messageIds, ...third.messageIds]).toEqual(ids);
  });
});

/** Somebody who fetches the events of a new organization. */
async function newFetcher() {
  const ctx = { ...(await createTestOrganization(world.services)), services: world.services };
  const channelId = await connectTestChannel(ctx, true);
  const { id } = await addEndpoint(ctx, { url: null });
  return {
    /** A customer writes. @returns the message's id. */
    async happens(): Promise<string> {
      const from = { from: newHandle(), profileName: "Ana", upstreamId: `wamid.${randomUUID()}` };
      const input = { channelId, ...from, body: "Is it there yet?", at: new Date() };
      return (await receiveText({ ctx, input })).messageId;
    },
    /** Fetches everything after the cursor. */
    async fetch(cursor: string | null) {
      const input = { id, order: "oldest", ...(cursor === null ? {} : { cursor }) };
      const page = await listDeliveries({ ctx, input: listDeliveriesInput.parse(input) });
      return { messageIds: page.data.map((delivery) => delivery.message_id), next: page.next_cursor };
    },
  };
}
