import { afterAll, beforeAll, expect, test } from "vitest";
import type { Context } from "@/server/core/context";
import { errorOf } from "@/server/domain/keys/testing";
import { asKey, openSendWorld, type SendWorld } from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { exportUsage } from "./export";
import { HOUR_MS } from "./points";
import { addHistory, pastMessage } from "./testing";

let world: SendWorld;

beforeAll(async () => {
  const shared = await openSendWorld({ database: "own" });
  const ctx = await createTestOrganization(shared.services);
  world = { ...shared, ctx, channelId: await connectTestChannel(ctx, true) };
});
afterAll(() => world.close());

async function exported(input: Parameters<typeof exportUsage>[0]["input"], ctx: Context = world.ctx) {
  const chunks: string[] = [];
  for await (const chunk of exportUsage({ ctx, input })) chunks.push(chunk);
  return chunks.join("").trim().split("\r\n");
}

test("usage is exported with a row for each hour of the period, empty ones too", async () => {
  const failed = { state: "failed", errorCode: "expired", handedOverMs: null, deliveredMs: null } as const;
  await addHistory(world, [
    pastMessage(world, { agoMs: 3 * HOUR_MS }),
    pastMessage(world, { agoMs: 3 * HOUR_MS, ...failed }),
  ]);
  const [head, ...rows] = await exported({ range: "24h" });
  expect(head).toContain(
    "from,to,accepted,queued,sent,delivered,read,failed,refused_requests,to_whatsapp_p50_ms",
  );
  expect(rows).toHaveLength(24);
  const busy = rows.filter((row) => !row.endsWith("Z,0,0,0,0,0,0,0,,,,"));
  expect(busy).toHaveLength(1);
  const hour = new Date(Math.floor((Date.now() - 3 * HOUR_MS) / HOUR_MS) * HOUR_MS);
  expect(busy[0]).toMatch(
    `${hour.toISOString()},${new Date(hour.getTime() + HOUR_MS).toISOString()},2,0,0,0,1,1,0,`,
  );
});

test("a wrong period and a key are refused before the first chunk", async () => {
  expect((await errorOf(exported({})))?.field).toBe("range");
  expect((await errorOf(exported({ range: "24h" }, await asKey(world.ctx))))?.code).toBe("permission_denied");
});
