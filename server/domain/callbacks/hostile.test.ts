import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { newId } from "@/db/schema";
import {
  addTemplate,
  messageRow,
  newHandle,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
} from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { admitCallback } from "@/server/edge/callbacks/flood";
import { takeCallback } from "@/server/edge/callbacks/intake";
import { bytesOf, callback, callbackOf, inbound, post, processDue, signatureOf, status } from "./testing";

const MIB = 1024 * 1024;

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
beforeEach(() => world.sql`delete from upstream_callbacks`);
afterAll(() => world.close());

const numberOf = async (channelId: string) => {
  const [row] = await world.sql<{ number: string }[]>`
    select phone_number_id as number from channels where id = ${channelId}`;
  return row?.number ?? "";
};

/** Returns every row of an organization, table by table, without the time when a channel was last called. */
async function allRowsOf(organizationId: string): Promise<Record<string, string>> {
  const tables = await world.sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'organization_id' order by 1`;
  const all: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await world.sql<{ rows: string }[]>`
      select coalesce(jsonb_agg(to_jsonb(t) - 'last_callback_at' order by to_jsonb(t)::text), '[]')::text as rows
      from ${world.sql(name)} t where organization_id = ${organizationId}`;
    all[name] = row?.rows ?? "";
  }
  return all;
}

test("a signed callback that is replayed, before and after it was processed, changes nothing more", async () => {
  const number = await numberOf(world.channelId);
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const id = await queueText(world.ctx, threadId);
  const naming = { biz_opaque_callback_data: id };
  const sent = bytesOf(callback(number, { statuses: [status("sent", `wamid.${id}`, naming)] }));
  const later = bytesOf(
    callback(number, inbound(newHandle(), `wamid.${newId()}`), {
      statuses: [status("read", `wamid.${id}`, naming)],
    }),
  );
  for (const body of [sent, later, sent, later, later]) await post(world.services, world.channelId, body);
  await processDue(world.services);
  expect(await messageRow(world, id)).toMatchObject({ state: "read" });
  const { upstream_callbacks: _first, ...before } = await allRowsOf(world.ctx.actor.organizationId);
  for (const body of [later, sent, sent]) {
    expect(await post(world.services, world.channelId, body)).toBe(200);
    await processDue(world.services);
  }
  const { upstream_callbacks: _second, ...after } = await allRowsOf(world.ctx.actor.organizationId);
  expect(after).toEqual(before);
});

test("a signed callback that names another organization's numbers, messages, customers and templates changes nothing there", async () => {
  const victim = await createTestOrganization(world.services);
  const victimChannel = await connectTestChannel(victim);
  const [victimNumber, ownNumber] = [await numberOf(victimChannel), await numberOf(world.channelId)];
  await world.sql`update channels set waba_id = '4711' where id = ${victimChannel}`;
  const { handle, threadId } = await openConversation(victim, victimChannel);
  const id = await queueText(victim, threadId);
  const template = await addTemplate(victim, victimChannel);
  await world.sql`update messages set upstream_id = ${`wamid.${id}`} where id = ${id}`;
  await world.sql`update templates set upstream_id = '815' where id = ${template.id}`;
  const before = await allRowsOf(victim.actor.organizationId);

  const failed = status("failed", `wamid.${id}`, {
    biz_opaque_callback_data: id,
    recipient_id: handle,
    errors: [{ code: 131_026, title: "Message undeliverable" }],
  });
  const [reply] = [inbound(handle, `wamid.${newId()}`, { context: { id: `wamid.${id}` } })];
  const templateStatus = {
    event: "REJECTED",
    message_template_id: 815,
    message_template_name: template.name,
    message_template_language: "en_US",
    reason: "ABUSIVE_CONTENT",
  };
  const bodies = [
    callback(victimNumber, { statuses: [failed] }, reply ?? {}),
    callback(ownNumber, { statuses: [failed, status("read", `wamid.${id}`)] }, reply ?? {}),
    callbackOf("user_preferences", ownNumber, {
      user_preferences: [{ wa_id: handle, category: "marketing_messages", value: "stop" }],
    }),
    {
      object: "whatsapp_business_account",
      entry: [
        { id: "4711", changes: [{ field: "message_template_status_update", value: templateStatus }] },
        { id: "1", changes: [{ field: "message_template_status_update", value: templateStatus }] },
      ],
    },
  ];
  for (const body of bodies) expect(await post(world.services, world.channelId, bytesOf(body))).toBe(200);
  await processDue(world.services);
  const [left] = await world.sql`
    select count(*)::int as count from upstream_callbacks where processed_at is null`;
  expect(left?.count).toBe(0);
  expect(await allRowsOf(victim.actor.organizationId)).toEqual(before);
});

/** The same services, with room for that many MiB of callbacks a minute, and a new counter. */
const limitedTo = (callbackMibPerMinute: number) => ({
  ...world.services,
  config: { ...world.services.config, callbackMibPerMinute },
});

test("a flood of signed 4 MiB callbacks is asked to come again, and another channel's aren't", async () => {
  const services = limitedTo(9);
  const calm = await connectTestChannel(world.ctx);
  const large = Buffer.alloc(4 * MIB, " ");
  const flood = await Promise.all(Array.from({ length: 6 }, () => post(services, world.channelId, large)));
  expect(flood.toSorted((a, b) => a - b)).toEqual([200, 200, 429, 429, 429, 429]);
  const signature = signatureOf(large);
  const refused = await takeCallback(services, world.channelId, {
    method: "POST",
    query: new URLSearchParams(),
    header: () => signature,
    async *body() {
      yield large;
    },
  });
  expect(Number(refused.headers["Retry-After"])).toBeGreaterThan(0);
  expect(Number(refused.headers["Retry-After"])).toBeLessThanOrEqual(61);
  expect(JSON.parse(refused.body)).toMatchObject({ error: { code: "rate_limited" } });
  expect(await post(services, calm, large)).toBe(200);
  const [stored] = await world.sql`
    select count(*)::int as count from upstream_callbacks where channel_id = ${world.channelId}`;
  expect(stored?.count).toBe(2);
});

test("what isn't signed takes nothing of a channel's limit", async () => {
  const services = limitedTo(5);
  const large = Buffer.alloc(4 * MIB, " ");
  for (let sent = 0; sent < 3; sent++) {
    expect(await post(services, world.channelId, large, signatureOf(large, "another secret"))).toBe(401);
  }
  expect(await post(services, world.channelId, large)).toBe(200);
});

test("no more is kept unprocessed than four minutes bring, over all processes; then callbacks are taken again", async () => {
  const channelId = await connectTestChannel(world.ctx);
  const large = Buffer.alloc(4 * MIB, " ");
  const answers: number[] = [];
  // Each with its own counter, as in different processes and minutes.
  for (let sent = 0; sent < 6; sent++) answers.push(await post(limitedTo(5), channelId, large));
  expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
  await processDue(world.services);
  expect(await post(limitedTo(5), channelId, large)).toBe(200);
});

test("a callback counts 256 bytes beside its body, so that tiny ones can't fill a disk", async () => {
  const services = limitedTo(0.001);
  const channelId = await connectTestChannel(world.ctx);
  const body = Buffer.from("{}");
  const answers: number[] = [];
  for (let sent = 0; sent < 6; sent++) answers.push(await post(services, channelId, body));
  expect(answers).toEqual([200, 200, 200, 200, 429, 429]);
});

test("a waiting callback counts 4 KiB at least, so that a look at the backlog reads few rows however many wait", async () => {
  const services = limitedTo(1);
  const rowsMax = (4 * MIB) / 4096;
  const channelId = await connectTestChannel(world.ctx);
  const { organizationId } = world.ctx.actor;
  const store = (count: number) => world.sql`
    insert into upstream_callbacks (id, organization_id, channel_id, body)
    select gen_random_uuid(), ${organizationId}, ${channelId}, '{}' from generate_series(1, ${count}::int)`;
  await store(rowsMax);
  expect(await post(services, channelId, Buffer.from("{}"))).toBe(200);
  // One was posted, and another process has stored many.
  await store(20 * rowsMax);
  await world.sql`analyze upstream_callbacks`;
  const ran: string[] = [];
  const sql = new Proxy(world.sql, {
    apply: async (_target, _self, [parts, ...values]: [readonly string[], ...(string | number)[]]) => {
      const text = parts.reduce((all, part, index) => `${all}$${index}${part}`);
      const plan = await world.sql.unsafe(`explain (analyze, timing off, costs off) ${text}`, values);
      ran.push(...plan.map((row) => String(row["QUERY PLAN"])));
      return world.sql.unsafe(text, values);
    },
  });
  await expect(admitCallback({ ...limitedTo(1), sql }, channelId, 2)).rejects.toMatchObject({
    code: "rate_limited",
  });
  const rows = ran.flatMap((line) => /actual rows=(\d+)/.exec(line)?.[1] ?? []).map(Number);
  expect(Math.max(...rows)).toBe(rowsMax + 1);
});

test("a process looks at the backlog again after five seconds", async () => {
  const services = limitedTo(5);
  const channelId = await connectTestChannel(world.ctx);
  const small = bytesOf(callback("1"));
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    expect(await post(services, channelId, small)).toBe(200);
    const { organizationId } = world.ctx.actor;
    for (let stored = 0; stored < 5; stored++) {
      await world.sql`
        insert into upstream_callbacks (id, organization_id, channel_id, body)
        values (${newId()}, ${organizationId}, ${channelId}, ${Buffer.alloc(4 * MIB, " ")})`;
    }
    expect(await post(services, channelId, small)).toBe(200);
    vi.advanceTimersByTime(6_000);
    expect(await post(services, channelId, small)).toBe(429);
    await processDue(world.services);
    vi.advanceTimersByTime(6_000);
    expect(await post(services, channelId, small)).toBe(200);
  } finally {
    vi.useRealTimers();
  }
});
