import type { Executor } from "@/db/client";
import { KEPT_PER_MINUTE_MAX } from "./days";

/** A refused request to store. */
export interface KeptRequest {
  readonly id: string;
  readonly organizationId: string;
  readonly keyId: string;
  readonly secretId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly code: string;
  readonly field: string | null;
  readonly clientMessageId: string | null;
  /** Keyed hash of the recipient's number, in hex. */
  readonly recipientHash: string | null;
  /**
   * The conversation in the request. It may not exist, or belong to an erased contact or another organization; it isn't
   * stored then.
   */
  readonly conversationId: string | null;
  readonly durationMs: number;
  readonly refusedAt: Date;
}

/** How often a key was refused for one reason in one hour. */
export interface RefusalCount {
  readonly organizationId: string;
  readonly keyId: string;
  readonly code: string;
  readonly hour: Date;
  readonly count: number;
}

/** Number of a key's requests to a route that got a status in one hour. */
export interface RequestCount {
  readonly organizationId: string;
  readonly keyId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly hour: Date;
  readonly count: number;
}

/** Adds the counts to the stored ones. */
export async function storeRequestCounts(sql: Executor, counts: readonly RequestCount[]): Promise<void> {
  const each = <T>(value: (count: RequestCount) => T) => counts.map(value);
  await sql`
    insert into request_hours as h (organization_id, hour, key_id, method, route, status, count)
    select * from unnest(
      ${each(({ organizationId }) => organizationId)}::uuid[], ${each(({ hour }) => hour.toISOString())}::timestamptz[],
      ${each(({ keyId }) => keyId)}::uuid[], ${each(({ method }) => method)}::text[],
      ${each(({ route }) => route)}::text[], ${each(({ status }) => status)}::int[],
      ${each(({ count }) => count)}::int[])
      as c (organization_id, hour, key_id, method, route, status, count)
    -- Sorted, so that two processes lock rows in the same order.
    order by organization_id, hour, key_id, method, route, status
    on conflict (organization_id, hour, key_id, method, route, status) do update set count = h.count + excluded.count`;
}

/**
 * Stores requests, at most `KEPT_PER_MINUTE_MAX` per key and minute, and adds the counts, in one statement: both or
 * neither. Each stored request has to be included in the counts. Two processes that write at the same moment may
 * together store a few more.
 */
export async function storeRefusals(
  sql: Executor,
  requests: readonly KeptRequest[],
  counts: readonly RefusalCount[],
): Promise<void> {
  const each = <T>(value: (request: KeptRequest) => T) => requests.map(value);
  const sum = <T>(value: (count: RefusalCount) => T) => counts.map(value);
  await sql`
    with noted as (
      select *, date_trunc('minute', refused_at) as minute,
        row_number() over (partition by key_id, date_trunc('minute', refused_at) order by refused_at, id) as nth
      from unnest(
        ${each(({ id }) => id)}::uuid[], ${each(({ organizationId }) => organizationId)}::uuid[],
        ${each(({ keyId }) => keyId)}::uuid[], ${each(({ secretId }) => secretId)}::uuid[],
        ${each(({ method }) => method)}::text[], ${each(({ route }) => route)}::text[],
        ${each(({ status }) => status)}::int[], ${each(({ code }) => code)}::text[],
        ${each(({ field }) => field)}::text[], ${each(({ clientMessageId }) => clientMessageId)}::text[],
        ${each(({ recipientHash }) => recipientHash)}::text[],
        ${each(({ conversationId }) => conversationId)}::uuid[],
        ${each(({ durationMs }) => durationMs)}::double precision[],
        ${each(({ refusedAt }) => refusedAt.toISOString())}::timestamptz[])
        as n (id, organization_id, key_id, secret_id, method, route, status, code, field, client_message_id,
          recipient_hash, conversation_id, duration_ms, refused_at)
    ), kept as (
      insert into api_requests (id, organization_id, key_id, secret_id, method, route, status, code, field,
        client_message_id, recipient_hash, conversation_id, duration_ms, refused_at)
      select id, organization_id, key_id, secret_id, method, route, status, code, field, client_message_id,
        decode(recipient_hash, 'hex'),
        ${keptConversation(sql)}, duration_ms, refused_at
      from noted n
      where n.nth <= ${KEPT_PER_MINUTE_MAX} - (
        select count(*) from api_requests a
        where a.key_id = n.key_id and a.organization_id = n.organization_id
          and a.refused_at >= n.minute and a.refused_at < n.minute + interval '1 minute')
      on conflict do nothing
      returning key_id, code, date_trunc('hour', refused_at, 'UTC') as hour
    )
    insert into refusal_hours as h (organization_id, hour, key_id, code, refused, kept)
    select c.organization_id, c.hour, c.key_id, c.code, c.refused,
      (select count(*) from kept k where k.key_id = c.key_id and k.code = c.code and k.hour = c.hour)
    from unnest(
      ${sum(({ organizationId }) => organizationId)}::uuid[], ${sum(({ hour }) => hour.toISOString())}::timestamptz[],
      ${sum(({ keyId }) => keyId)}::uuid[], ${sum(({ code }) => code)}::text[], ${sum(({ count }) => count)}::int[])
      as c (organization_id, hour, key_id, code, refused)
    -- Sorted, so that two processes lock rows in the same order.
    order by c.organization_id, c.hour, c.key_id, c.code
    on conflict (organization_id, hour, key_id, code)
      do update set refused = h.refused + excluded.refused, kept = h.kept + excluded.kept`;
}

/** SQL: for a row `n` of the input. */
const keptConversation = (sql: Executor) => sql`
  (select v.id from conversations v
    join contacts k on k.id = v.contact_id and k.organization_id = v.organization_id
    where v.id = n.conversation_id and v.organization_id = n.organization_id and k.erased_at is null)`;
