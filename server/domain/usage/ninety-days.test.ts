import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool, type Sql } from "@/db/client";
import { createStatementLog, explainStatements } from "@/e2e/bench/growth/plans";
import type { Services } from "@/server/core/context";
import { createKey } from "@/server/domain/keys/create";
import {
  type Conversation,
  openConversation,
  openSendWorld,
  type SendWorld,
} from "@/server/domain/messages/testing";
import { connectTestChannel } from "@/server/domain/organizations/testing";
import { countUsage } from "./count";
import { RANGES, type Range } from "./points";
import { summarizeUsage, summarizeUsageInput } from "./summary";

/** A million messages in ninety days. */
const MESSAGES_OF_HOUR = 463;
/** The counted hours; the days before are copies of the last. */
const COUNTED_HOURS = 30;
/** The ninety days, and as many before, with which they are compared. */
const HISTORY_DAYS = 2 * 90;
const CHANNELS = 3;
const KEYS = 4;
/** About the cost of the counted hours; the messages cost many times as much. */
const BLOCKS_MAX = 12_000;

let world: SendWorld;
let explained: Sql;
let channelIds: string[];
let keyIds: string[];
const log = createStatementLog();

beforeAll(async () => {
  world = await openSendWorld({ database: "own" });
  channelIds = [world.channelId];
  while (channelIds.length < CHANNELS) channelIds.push(await connectTestChannel(world.ctx));
  keyIds = [];
  while (keyIds.length < KEYS) keyIds.push((await createKey({ ctx: world.ctx, input: { name: "Key" } })).id);
  await addMessages();
  while (await countUsage(world.services, { runMs: 60_000 }));
  await copyLastDay();
  await world.sql`vacuum (analyze) usage_hours, latency_hours`;
  await explainStatements(world.sql);
  explained = createPool(
    { url: world.databaseUrl },
    { name: "explained", connectionsMax: 1, onNotice: log.onNotice },
  );
});
afterAll(async () => {
  await explained.end({ timeout: 1 });
  await world.close();
});

/** Distributes the messages evenly over the hours. */
async function addMessages(): Promise<void> {
  const { organizationId } = world.ctx.actor;
  const places: (Conversation & { readonly channelId: string })[] = [];
  for (const channelId of channelIds)
    places.push({ channelId, ...(await openConversation(world.ctx, channelId)) });
  const count = MESSAGES_OF_HOUR * COUNTED_HOURS;
  const idsOf = (name: "threadId" | "contactId" | "channelId") => places.map((place) => place[name]);
  await world.sql`
    update messages set created_at = now() - make_interval(hours => ${COUNTED_HOURS})
    where organization_id = ${organizationId}`;
  await world.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into messages (id, organization_id, conversation_id, contact_id, channel_id, key_id, kind, type, content, state,
        error_code, created_at, sent_at, delivered_at)
      select gen_random_uuid(), ${organizationId}, (${idsOf("threadId")}::uuid[])[1 + i % ${CHANNELS}::int],
        (${idsOf("contactId")}::uuid[])[1 + i % ${CHANNELS}::int], (${idsOf("channelId")}::uuid[])[1 + i % ${CHANNELS}::int],
        (${keyIds}::uuid[])[1 + (i / 7) % ${KEYS}::int], 'outbound', 'text', '{}',
        case when i % 50 = 0 then 'failed' when i % 3 = 0 then 'delivered' else 'read' end,
        case when i % 50 = 0 then 'upstream_rejected' end, t.at, t.at + h.took, t.at + h.took * 3
      from generate_series(1, ${count}::int) i,
        lateral (select now() - make_interval(hours => ${COUNTED_HOURS}) * (1 - i::float8 / ${count}::int) as at) t,
        lateral (select case when i % 50 > 0 then make_interval(secs => exp(i % 1000 / 150.0)::float8 / 10) end as took) h
      order by i`;
  });
  await world.sql`vacuum (analyze) messages`;
}

/** Simulates as many messages on each of the days before, counted in that order. */
async function copyLastDay(): Promise<void> {
  for (const table of ["usage_hours", "latency_hours"]) {
    const ofLastDay = `hour > (select max(hour) - interval '1 day' from ${table})`;
    await world.sql.unsafe(`delete from ${table} where not (${ofLastDay})`);
    await world.sql.unsafe(
      `insert into ${table}
      select (jsonb_populate_record(h, jsonb_build_object('hour', h.hour - make_interval(days => d)))).*
      from ${table} h, generate_series(1, $1::int) d where ${ofLastDay}
      order by h.hour - make_interval(days => d)`,
      [HISTORY_DAYS],
    );
  }
}

test("a summary of ninety days reads counted hours only, and the messages of the hour that isn't over", async () => {
  const services: Services = { ...world.services, sql: explained };
  const asked: [Range, object][] = (["24h", "7d", "30d", "90d"] as const).map((range) => [range, {}]);
  asked.push(
    ["90d", { channelId: channelIds[0] }],
    ["90d", { keyId: keyIds[0] }],
    ["90d", { zone: "Asia/Kolkata" }],
  );
  for (const [range, more] of asked) {
    const input = summarizeUsageInput.parse({ range, ...more });
    log.take();
    const { totals, previous } = await summarizeUsage({ ctx: { ...world.ctx, services }, input });
    const statements = log.take();
    for (const { text, durationMs, blocks, plan } of statements) {
      console.log(range, more, `${durationMs} ms, ${blocks} blocks`, text.slice(0, 80), plan.join(" < "));
    }
    const latencies = statements.find(({ text }) => text.includes("latency_hours"));
    expect(latencies?.plan).toContain("Index Scan on latency_hours_unique");
    expect(statements.reduce((sum, { blocks }) => sum + blocks, 0)).toBeLessThan(BLOCKS_MAX);
    const part = "keyId" in more ? KEYS : "channelId" in more ? CHANNELS : 1;
    const hours = RANGES[range].count * (RANGES[range].unit === "day" ? 24 : 1);
    const expected = (MESSAGES_OF_HOUR * hours) / part;
    expect(totals.accepted).toBeGreaterThan(expected * 0.9);
    expect(totals.accepted).toBeLessThan(expected * 1.1);
    expect(previous.totals.accepted).toBeGreaterThan(expected * 0.9);
  }
});
