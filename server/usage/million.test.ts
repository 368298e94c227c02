import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool, type Sql } from "@/db/client";
import { createStatementLog, explainStatements } from "@/e2e/bench/growth/plans";
import type { Services } from "../context";
import { createKey } from "../keys/create";
import { type Conversation, openConversation, openSendWorld, type SendWorld } from "../messages/testing";
import { connectTestChannel } from "../organizations/testing";
import { countUsage } from "./count";
import { RANGES, type Range } from "./points";
import { summarizeUsage, summarizeUsageInput } from "./summary";

const MESSAGES = 1_000_000;
const HISTORY_DAYS = 90;
const CHANNELS = 3;
const KEYS = 4;
const STATEMENTS_MAX_MS = 100;
const RUNS = 3;

let world: SendWorld;
let explained: Sql;
let channelIds: string[];
let keyIds: string[];
const log = createStatementLog();

beforeAll(async () => {
  world = await openSendWorld();
  channelIds = [world.channelId];
  while (channelIds.length < CHANNELS) channelIds.push(await connectTestChannel(world.ctx));
  keyIds = [];
  while (keyIds.length < KEYS) keyIds.push((await createKey({ ctx: world.ctx, input: { name: "Key" } })).id);
  const addedAt = performance.now();
  await addMessages();
  console.log(`added in ${Math.round(performance.now() - addedAt)} ms`);
  const startedAt = performance.now();
  while (await countUsage(world.services, { runMs: 60_000 }));
  console.log(`counted in ${Math.round(performance.now() - startedAt)} ms`);
  await world.sql`vacuum (analyze) usage_hours, latency_hours`;
  await explainStatements(world.sql);
  explained = createPool(
    { url: world.databaseUrl },
    { name: "explained", connectionsMax: 1, onNotice: log.onNotice },
  );
}, 180_000);
afterAll(async () => {
  await explained.end({ timeout: 1 });
  await world.close();
});

/** Sent evenly over the days. Of the indexes only that which counting needs is kept up: the rest would take minutes. */
async function addMessages(): Promise<void> {
  const { organizationId } = world.ctx.actor;
  const places: (Conversation & { readonly channelId: string })[] = [];
  for (const channelId of channelIds)
    places.push({ channelId, ...(await openConversation(world.ctx, channelId)) });
  const idsOf = (name: "threadId" | "contactId" | "channelId") => places.map((place) => place[name]);
  await world.sql`
    update messages set created_at = now() - make_interval(days => ${HISTORY_DAYS})
    where organization_id = ${organizationId}`;
  await world.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
      update pg_index set indisready = false, indisvalid = false
      where indrelid = 'messages'::regclass and indexrelid <> 'messages_order_index'::regclass`;
    await tx`
      insert into messages (id, organization_id, conversation_id, contact_id, channel_id, key_id, kind, type, content, state,
        error_code, created_at, sent_at, delivered_at)
      select gen_random_uuid(), ${organizationId}, (${idsOf("threadId")}::uuid[])[1 + i % ${CHANNELS}::int],
        (${idsOf("contactId")}::uuid[])[1 + i % ${CHANNELS}::int], (${idsOf("channelId")}::uuid[])[1 + i % ${CHANNELS}::int],
        (${keyIds}::uuid[])[1 + (i / 7) % ${KEYS}::int], 'outbound', 'text', '{}',
        case when i % 50 = 0 then 'failed' when i % 3 = 0 then 'delivered' else 'read' end,
        case when i % 50 = 0 then 'upstream_rejected' end, t.at, t.at + h.took, t.at + h.took * 3
      from generate_series(1, ${MESSAGES}::int) i,
        lateral (select now() - make_interval(days => ${HISTORY_DAYS}) * (1 - i::float8 / ${MESSAGES}::int) as at) t,
        lateral (select case when i % 50 > 0 then make_interval(secs => exp(i % 1000 / 150.0)::float8 / 10) end as took) h
      order by i`;
  });
  await world.sql`vacuum (analyze) messages`;
}

test("a summary of a million messages takes PostgreSQL less than a tenth of a second, once they are counted", async () => {
  const services: Services = { ...world.services, sql: explained };
  const asked: [Range, object][] = (["24h", "7d", "30d", "90d"] as const).map((range) => [range, {}]);
  asked.push(
    ["90d", { channelId: channelIds[0] }],
    ["90d", { keyId: keyIds[0] }],
    ["90d", { zone: "Asia/Kolkata" }],
  );
  for (const [range, more] of asked) {
    const input = summarizeUsageInput.parse({ range, ...more });
    const summaries = [];
    const times: number[] = [];
    // The best of three: others work on the machine, too.
    for (let run = 0; run < RUNS; run++) {
      log.take();
      summaries.push(await summarizeUsage({ ctx: { ...world.ctx, services }, input }));
      const statements = log.take();
      const latencies = statements.find(({ text }) => text.includes("latency_hours"));
      expect(latencies?.plan).toContain("Index Scan on latency_hours_unique");
      times.push(statements.reduce((sum, { durationMs }) => sum + durationMs, 0));
      if (run > 0) continue;
      for (const { text, durationMs, blocks, plan } of statements) {
        console.log(range, more, `${durationMs} ms, ${blocks} blocks`, text.slice(0, 80), plan.join(" < "));
      }
    }
    console.log(range, more, times);
    expect(Math.min(...times)).toBeLessThan(STATEMENTS_MAX_MS);
    const part = "keyId" in more ? KEYS : "channelId" in more ? CHANNELS : 1;
    const hours = RANGES[range].count * (RANGES[range].unit === "day" ? 24 : 1);
    const expected = ((MESSAGES / HISTORY_DAYS) * hours) / 24 / part;
    expect(summaries[0]?.totals.accepted).toBeGreaterThan(expected * 0.9);
    expect(summaries[0]?.totals.accepted).toBeLessThan(expected * 1.1);
  }
}, 300_000);
