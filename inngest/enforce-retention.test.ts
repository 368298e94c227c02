import { serve } from "inngest/edge";
import { afterEach, expect, test, vi } from "vitest";
import { openConversation, openSendWorld } from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { createInngestClient, EMBEDDED_BASE_URL } from "./client";
import { runFunction } from "./embedded/run";
import { createFunctions } from ".";

afterEach(() => vi.restoreAllMocks());

const HOURLY = { name: "inngest/scheduled.timer", data: {}, ts: 0 };

test("a run whose time is over before all is erased asks for the next at once; one that has erased all doesn't", async () => {
  const world = await openSendWorld({ database: "own" });
  for (let organizations = 0; organizations < 2; organizations++) {
    const ctx = await createTestOrganization(world.services);
    await openConversation(ctx, await connectTestChannel(ctx));
  }
  await world.sql`update messages set created_at = now() - interval '91 days'`;
  const sent: string[] = [];
  const inngest = createInngestClient({
    inngest: null,
    log: world.services.log,
    fetch: async (_, init) => {
      sent.push(JSON.stringify(init?.body));
      return Response.json({ ids: [], status: 200 });
    },
  });
  const jobs = { ...world.services.jobs, received: () => undefined };
  const functions = createFunctions(inngest, { services: world.services, jobs });
  const handler = serve({ client: inngest, functions });
  const run = () => runFunction(handler, "waypost-enforce-retention", HOURLY, EMBEDDED_BASE_URL);

  // Every reading of the clock is a minute later than the previous one.
  let nowMs = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 60_000));
  await run();
  expect(sent).toEqual([expect.stringContaining("waypost/retention.due")]);
  vi.restoreAllMocks();
  await run();
  expect(sent).toHaveLength(1);
  const [row] = await world.sql`select count(*)::int as kept from messages where erased_at is null`;
  expect(row).toEqual({ kept: 0 });
  await world.close();
});
