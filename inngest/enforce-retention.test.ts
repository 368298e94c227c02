import { afterEach, expect, test, vi } from "vitest";
import { openConversation, openSendWorld } from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { enforceRetentionJob } from "./enforce-retention";

afterEach(() => vi.restoreAllMocks());

const HOURLY = { name: "inngest/scheduled.timer", data: {} };

test("a run whose time is over before all is erased asks for the next at once; one that has erased all doesn't", async () => {
  const world = await openSendWorld({ database: "own" });
  for (let organizations = 0; organizations < 2; organizations++) {
    const ctx = await createTestOrganization(world.services);
    await openConversation(ctx, await connectTestChannel(ctx));
  }
  await world.sql`update messages set created_at = now() - interval '91 days'`;
  const sent: string[] = [];
  const jobs = { ...world.services.jobs, received: () => undefined };
  const send = async (events: readonly { name: string }[]) =>
    void sent.push(...events.map(({ name }) => name));
  const run = () => enforceRetentionJob.run({ services: world.services, jobs, send }, HOURLY);

  // Every reading of the clock is a minute later than the previous one.
  let nowMs = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 60_000));
  await run();
  expect(sent).toEqual(["waypost/retention.due"]);
  vi.restoreAllMocks();
  await run();
  expect(sent).toHaveLength(1);
  const [row] = await world.sql`select count(*)::int as kept from messages where erased_at is null`;
  expect(row).toEqual({ kept: 0 });
  await world.close();
});
