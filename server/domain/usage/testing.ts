import type { Sql, TransactionSql } from "@/db/client";
import type { DeliveryState } from "@/db/schema";
import type { SendWorld } from "@/server/domain/messages/testing";
import { openConversation } from "@/server/domain/messages/testing";
import { countUsage } from "./count";
import { HOUR_MS } from "./points";
import { type NextHour, nextHour, readProgress } from "./progress";

/** A message of a history: times are in milliseconds, `agoMs` before now. */
export interface PastMessage {
  readonly agoMs: number;
  readonly channelId: string;
  readonly keyId: string | null;
  readonly state: DeliveryState;
  readonly errorCode: string | null;
  readonly handedOverMs: number | null;
  readonly deliveredMs: number | null;
}

/** A message that was read within a second, on the world's channel, by default. */
export function pastMessage(
  { channelId }: Pick<SendWorld, "channelId">,
  message: Partial<PastMessage>,
): PastMessage {
  const times = { agoMs: 0, handedOverMs: 100, deliveredMs: 900 };
  return { ...times, channelId, keyId: null, state: "read", errorCode: null, ...message };
}

/** Adds messages that were accepted in that order, on channels of the organization. */
export async function addHistory(
  world: Pick<SendWorld, "ctx" | "sql">,
  messages: readonly PastMessage[],
): Promise<void> {
  const { organizationId } = world.ctx.actor;
  const places = new Map<string, { contactId: string; threadId: string }>();
  for (const { channelId } of messages) {
    if (!places.has(channelId)) places.set(channelId, await openConversation(world.ctx, channelId));
  }
  const rows = messages.map((message) => ({ ...message, ...places.get(message.channelId) }));
  const oldestMs = Math.max(0, ...messages.map(({ agoMs }) => agoMs));
  // The customers wrote before; messages are numbered in the order of their times.
  await world.sql`
    update messages set created_at = now() - make_interval(secs => ${oldestMs / 1000})
    where organization_id = ${organizationId} and kind = 'inbound'
      and conversation_id = any(${[...places.values()].map(({ threadId }) => threadId)}::uuid[])`;
  await world.sql`
    insert into messages (id, organization_id, conversation_id, contact_id, channel_id, key_id, kind, type, content, state,
      error_code, created_at, sent_at, delivered_at)
    select gen_random_uuid(), ${organizationId}, r."threadId", r."contactId", r."channelId", r."keyId", 'outbound', 'text',
      '{}', r.state, r."errorCode", t.at, t.at + make_interval(secs => r."handedOverMs" / 1000),
      t.at + make_interval(secs => (r."handedOverMs" + r."deliveredMs") / 1000)
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r ("agoMs" double precision,
      "channelId" uuid, "threadId" uuid, "contactId" uuid, "keyId" uuid, state text, "errorCode" text,
      "handedOverMs" double precision, "deliveredMs" double precision),
      lateral (select now() - make_interval(secs => r."agoMs" / 1000) as at) t
    order by r."agoMs" desc`;
}

/** Returns all counts of the organization, without the time of counting. */
export async function countedRows(sql: Sql, organizationId: string): Promise<string[]> {
  const rows = await sql<{ row: string }[]>`
    select (to_jsonb(u) - 'counted_at')::text as row from usage_hours u where organization_id = ${organizationId}
    union all select to_jsonb(l)::text from latency_hours l where organization_id = ${organizationId} order by 1`;
  return rows.map(({ row }) => row);
}

/**
 * Counts an organization from the beginning in four concurrent processes, repeatedly.
 * @returns for each round the hour that was due at its start and is still uncounted; null if there is none.
 */
export async function countAtOnce(
  world: Pick<SendWorld, "ctx" | "sql" | "services" | "channelId">,
  rounds: number,
): Promise<(NextHour | null)[]> {
  const { ctx, sql, services } = world;
  const { organizationId } = ctx.actor;
  const hours = [1, 2, 3, 30, 31, 80];
  await addHistory(
    world,
    hours.map((count) => pastMessage(world, { agoMs: (count + 1) * HOUR_MS })),
  );
  const uncounted = [];
  for (let round = 0; round < rounds; round += 1) {
    await sql`delete from usage_progress where organization_id = ${organizationId}`;
    // The next hour may start during a round.
    const { now } = await readProgress(sql, organizationId);
    await Promise.all([1, 2, 3, 4].map(() => countUsage(services)));
    const { progress } = await readProgress(sql, organizationId);
    uncounted.push(await nextHour(ctx, progress, now));
  }
  return uncounted;
}

/**
 * Returns the same pool, which works until that many transactions were committed: the next ones run completely and are
 * then lost.
 */
export function crashingAfter(sql: Sql, transactionsMax: number): Sql {
  let left = transactionsMax;
  return new Proxy(sql, {
    get: (target, name) => {
      if (name !== "begin") return Reflect.get(target, name);
      return (work: (tx: TransactionSql) => Promise<unknown>) =>
        target.begin(async (tx) => {
          const result = await work(tx);
          left -= 1;
          if (left < 0) throw Object.assign(new Error("The process died"), { code: "CONNECTION_CLOSED" });
          return result;
        });
    },
  });
}
