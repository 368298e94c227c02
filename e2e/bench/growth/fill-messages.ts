import type { Executor, SqlFragment, TransactionSql } from "@/db/client";

/** Average number of messages per customer. */
const PER_CONVERSATION = 20;
/** One message in this many has events and an attempt; one callback in this many is kept. */
const DETAILED_ONE_OF = 10;
const CALLBACK_ONE_OF = 50;
/** For callbacks and webhooks. */
const KEPT_DAYS = 30;
/** The newest are queued: most of them due, each to a different customer. */
const QUEUED = 400;
const QUEUED_DUE = 300;
const HISTORY_DAYS = 60;

/** Returns how many customers receive that many messages. */
export const customersOf = (messages: number): number => Math.ceil(messages / PER_CONVERSATION);

/** From one number of messages to another. */
export interface Step {
  readonly from: number;
  readonly to: number;
}

/**
 * Adds messages of a step, oldest first, to the customers of `growth_customers`.
 * @param batch a part of the step.
 */
export async function addMessages(tx: TransactionSql, batch: Step, step: Step): Promise<void> {
  await tx`
    create unlogged table if not exists growth_details (
      id uuid, organization_id uuid, channel_id uuid, recipient text, state text, at timestamptz, upstream_id text, i bigint)`;
  await tx`truncate growth_details`;
  await tx`
    with added as (
      insert into messages (id, organization_id, conversation_id, contact_id, channel_id, kind, type, content, key_id,
        client_message_id, body_fingerprint, recipient, request_id, state, event_sequence, error_code, created_at, sent_at,
        delivered_at, read_at, failed_at, next_attempt_at, attempts, enqueued_at, upstream_id)
      select uuidv7(m.at - now()), c.organization_id, c.conversation_id, c.contact_id, c.channel_id, m.kind, 'text',
        jsonb_build_object('type', 'text', 'to', jsonb_build_object('kind', 'whatsapp', 'handle', c.handle),
          'text', jsonb_build_object('body', 'Your parcel ' || m.i || ' is on its way and will be with you today.')),
        case when m.is_sent then c.key_id end, case when m.is_sent then 'order-' || md5(m.i::text) end,
        case when m.is_sent then sha256(m.i::text::bytea) end, c.handle, md5('request' || m.i), m.state, m.rank,
        case when m.state = 'failed' then 'upstream_rejected' end, m.at,
        case when m.rank >= 1 and m.state <> 'failed' then m.at + interval '1 second' end,
        case when m.rank >= 2 then m.at + interval '3 seconds' end,
        case when m.rank >= 3 then m.at + interval '1 minute' end,
        case when m.state = 'failed' then m.at + interval '1 second' end, m.due_at,
        case when m.is_sent then 1 else 0 end, m.at,
        case when m.rank > 0 and m.state is distinct from 'failed'
          then 'wamid.' || encode(sha256(('wamid' || m.i)::bytea), 'base64') end
      from ${plannedMessages(tx, batch, step)} m join growth_customers c on c.n = m.customer
      order by m.i
      returning id, organization_id, channel_id, recipient, state, created_at, upstream_id, accept_seq
    )
    insert into growth_details select * from added where accept_seq % ${DETAILED_ONE_OF} = 0`;
  await addDetails(tx);
}

/** SQL: the state of each message: one in ten is inbound, most others are read; the queue goes to as many customers. */
function plannedMessages(sql: Executor, batch: Step, step: Step): SqlFragment {
  const firstQueued = step.to - QUEUED;
  const stepMessages = step.to - step.from;
  return sql`(
    select p.*, p.kind = 'outbound' as is_sent,
      case p.state when 'queued' then 0 when 'delivered' then 2 when 'read' then 3 else 1 end as rank
    from (
      select i, case when i < ${firstQueued} and i % 10 = 5 then 'inbound' else 'outbound' end as kind,
        case when i >= ${firstQueued} then 'queued' when i % 10 = 5 then null when i % 100 = 0 then 'failed'
          when i % 100 < 4 then 'sent' when i % 100 < 14 then 'delivered' else 'read' end as state,
        case when i >= ${firstQueued} then now()
          else now() - make_interval(days => ${HISTORY_DAYS}) * (1 - (i - ${step.from})::float8 / ${stepMessages}) end as at,
        case when i >= ${firstQueued + QUEUED_DUE} then now() + interval '1 hour'
          when i >= ${firstQueued} then now() end as due_at,
        case when i >= ${firstQueued} then i - ${firstQueued}
          else abs(hashint8(i)::bigint) % ${customersOf(step.to)} end as customer
      from generate_series(${batch.from}::bigint, ${batch.to - 1}::bigint) i) p)`;
}

/** Adds events and attempts of sent messages, and the kept callbacks. */
async function addDetails(tx: TransactionSql): Promise<void> {
  await tx`
    insert into message_attempts (id, organization_id, message_id, channel_id, recipient, started_at, deadline,
      finished_at, outcome, http_status, upstream_id)
    select uuidv7(at - now()), organization_id, id, channel_id, recipient, at, at + interval '50 seconds',
      at + interval '1 second', case when state = 'failed' then 'rejected' else 'accepted' end, 200, upstream_id
    from growth_details where state <> 'queued'`;
  await tx`
    insert into message_events (organization_id, message_id, kind, source_key, sequence, created_at)
    select d.organization_id, d.id, e.kind, e.source_key, e.sequence, d.at
    from growth_details d, lateral (values
      (case when state = 'failed' then 'failed' else 'sent' end, 'attempt:' || id, 1),
      (case when state in ('delivered', 'read') then 'delivered' end, 'callback:' || upstream_id, 2),
      (case when state = 'read' then 'read' end, 'callback:' || upstream_id, 3)) as e (kind, source_key, sequence)
    where d.state <> 'queued' and e.kind is not null`;
  await addWebhooks(tx);
  await tx`
    insert into upstream_callbacks (id, organization_id, channel_id, body, received_at, processed_at)
    select uuidv7(at - now()), organization_id, channel_id, convert_to(repeat(upstream_id, 10), 'UTF8'), at, at
    from growth_details
    where upstream_id is not null and i % ${CALLBACK_ONE_OF} = 0
      and at > now() - make_interval(days => ${KEPT_DAYS})`;
}

/**
 * For each message, adds the event `sent` with a delivery to each endpoint of its organization: one that works, with
 * one failure in a hundred; one that is unreachable, with all waiting; and one with all skipped.
 */
async function addWebhooks(tx: TransactionSql): Promise<void> {
  await tx`
    with reported as (
      insert into webhook_events (id, organization_id, type, message_id, sequence, body, created_at)
      select uuidv7(at - now()), organization_id, 'message.sent', id, 1, repeat('x', 200), at from growth_details
      where state <> 'queued' and at > now() - make_interval(days => ${KEPT_DAYS})
      returning *
    ), wanted as (
      select uuidv7(t.created_at - now()) as id, t.organization_id, e.id as endpoint_id, t.id as event_id, t.created_at,
        case when e.backoff_streak > 0 then 'pending' when e.description = 'skips' then 'skipped' when random() < 0.01 then 'failed' else 'delivered' end as state
      from reported t join webhook_endpoints e on e.organization_id = t.organization_id and e.url is not null
    ), delivered as (
      insert into webhook_deliveries (id, organization_id, endpoint_id, event_id, type, state, next_attempt_at, attempts,
        attempts_ever, created_at, last_attempt_at, ended_at)
      select id, organization_id, endpoint_id, event_id, 'message.sent', state,
        case when state = 'pending' then created_at end, case when state in ('pending', 'skipped') then 0 else 1 end,
        case when state in ('pending', 'skipped') then 0 else 1 end, created_at, created_at, case when state <> 'pending' then created_at end
      from wanted
      returning id, organization_id, state, created_at
    )
    insert into webhook_attempts (organization_id, delivery_id, number, started_at, finished_at, duration_ms, http_status)
    select organization_id, id, 1, created_at, created_at, 20, case state when 'failed' then 500 else 204 end
    from delivered where state not in ('pending', 'skipped')`;
}
