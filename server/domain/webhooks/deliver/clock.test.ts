import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { limitMs } from "@/e2e/support/machine-speed";
import { setClockWrong, WRONG_CLOCKS } from "@/server/testing";
import { queueState } from "./claim";
import { deliverToEndpoint } from "./deliver";
import { deliveriesOf, endpointWith, makeDue, openWebhookWorld, type WebhookWorld } from "../testing";

let world: WebhookWorld;

beforeAll(async () => void (world = await openWebhookWorld()));
afterAll(() => world.close());
afterEach(() => void vi.useRealTimers());

test.each(WRONG_CLOCKS)(
  "while the clock is an hour %s receivers refuse the signature; once it is right the delivery arrives, once",
  async (_, byMs) => {
    const { id, secret } = await endpointWith(world, 1);
    world.receiver.calls.length = 0;
    const isRight = (call = world.receiver.calls.at(-1)) => {
      const headers = Object.entries(call?.headers ?? {}).map(
        ([name, value]) => [name, String(value)] as const,
      );
      try {
        return Boolean(new Webhook(secret).verify(call?.body ?? "", Object.fromEntries(headers)));
      } catch {
        return false;
      }
    };
    world.receiver.answersStatus(401);
    setClockWrong(byMs);
    await deliverToEndpoint(world.services, id);
    const [waiting] = await deliveriesOf(world, id);
    expect(waiting).toMatchObject({ state: "pending", attempts: 1, isClaimed: false });
    expect(waiting?.pauseMs).toBeGreaterThan(3_000);
    expect(waiting?.pauseMs).toBeLessThan(7_000);
    // Long enough for a slow machine.
    await world.sql`
    update webhook_deliveries set next_attempt_at = now() + interval '20 seconds' where endpoint_id = ${id}`;
    // By this process's clock, even though it is wrong: by the database's it would be an hour away, or past and polled
    // endlessly.
    const dueInMs = ((await queueState(world.services, id)).nextDueAt?.getTime() ?? 0) - Date.now();
    expect(dueInMs).toBeGreaterThan(0);
    expect(dueInMs).toBeLessThanOrEqual(20_001);
    await deliverToEndpoint(world.services, id);
    expect(world.receiver.calls).toHaveLength(1);

    vi.useRealTimers();
    expect(isRight()).toBe(false);
    world.receiver.answers((response) => void response.writeHead(isRight() ? 204 : 401).end());
    await makeDue(world, id);
    await deliverToEndpoint(world.services, id);
    await deliverToEndpoint(world.services, id);
    expect(await deliveriesOf(world, id)).toMatchObject([{ state: "delivered", attempts: 2 }]);
    const [first, second, ...others] = world.receiver.calls;
    expect(others).toEqual([]);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(second?.body).toBe(first?.body);
    const stampedAtMs = Number(second?.headers["webhook-timestamp"]) * 1000;
    expect(Math.abs(stampedAtMs - Date.now())).toBeLessThan(limitMs(60_000));
  },
);
