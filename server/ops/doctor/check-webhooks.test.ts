import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { TEST_SECRET } from "@/server/domain/organizations/testing";
import { addDeliveries, addEndpoint } from "@/server/domain/webhooks/testing";
import { checkWebhooks } from "./check-webhooks";
import { about, type DoctorWorld, openDoctorWorld } from "./testing";

const URL = "https://hooks.example.com/";

let world: DoctorWorld;
beforeAll(async () => void (world = await openDoctorWorld(TEST_SECRET)));
afterAll(() => world.close());
beforeEach(() => world.database.sql`update webhook_endpoints set deleted_at = now()`);

const find = async (what: string) => about(await checkWebhooks(world.installation), what);

test.each([
  [60, "ok"],
  [300, "warn"],
  [3_600, "fail"],
])("a webhook that waits for %i s is %s", async (seconds, state) => {
  expect(await find("due webhooks")).toMatchObject({ state: "ok", seen: "none waits" });
  const { id } = await addEndpoint(world.ctx, { url: URL });
  await addDeliveries(world.ctx, id, 1);
  await world.database.sql`
    update webhook_deliveries set next_attempt_at = now() - make_interval(secs => ${seconds}) where endpoint_id = ${id}`;
  expect(await find("due webhooks")).toMatchObject({ state });
});

test("that every endpoint fails is pointed out, that one does isn't", async () => {
  const failing = { url: URL, failingSince: new Date() };
  await addEndpoint(world.ctx, failing);
  expect(await find("webhook endpoints")).toMatchObject({ state: "ok", seen: "0 work, 1 fail" });
  await addEndpoint(world.ctx, failing);
  expect(await find("webhook endpoints")).toMatchObject({ state: "warn", seen: "0 work, 2 fail" });
  await addEndpoint(world.ctx, { url: URL });
  expect(await find("webhook endpoints")).toMatchObject({ state: "ok", seen: "1 work, 2 fail" });
});
