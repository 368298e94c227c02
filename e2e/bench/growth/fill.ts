import type { Sql, TransactionSql } from "@/db/client";
import { until } from "@/e2e/support/until";
import { addDeliveryHistory, type DeliveryHistory } from "./fill-deliveries";
import { addMessages, customersOf, type Step } from "./fill-messages";

/** An organization and its share of all messages. */
export interface Tenant {
  readonly organizationId: string;
  readonly channelIds: readonly string[];
  readonly keyId: string;
  /** Its parts of all tenants' parts together. */
  readonly share: number;
}

/** The tables that grow with the messages. */
const TABLES = [
  "contacts",
  "contact_identities",
  "conversations",
  "messages",
  "message_events",
  "message_attempts",
  "upstream_callbacks",
  "webhook_events",
  "webhook_deliveries",
  "webhook_attempts",
] as const;

const BATCH_MAX = 500_000;
const OLDER_TRANSACTIONS_MS_MAX = 120_000;

/**
 * Adds messages: the last 60 days of several organizations, most of them read, and a short queue of constant length.
 * And more deliveries, if the history has any. Indexes are built afterwards, and all tables vacuumed, as after a quiet night.
 * @param sql a pool of the database's superuser.
 */
export async function fill(
  sql: Sql,
  tenants: readonly Tenant[],
  step: Step,
  history: DeliveryHistory,
): Promise<void> {
  const filledBy = await sql.begin(async (tx) => {
    // Foreign keys and indexes aren't maintained row by row: the generated rows are consistent, and REINDEX builds the
    // rest.
    await tx`set local session_replication_role = replica`;
    await tx`set local maintenance_work_mem = '512MB'`;
    await tx`set local work_mem = '128MB'`;
    await tx`select set_config('auto_explain.log_min_duration', '-1', true)`;
    await tx`update pg_index set indisready = false, indisvalid = false
      where indrelid = any(${[...TABLES]}::text[]::regclass[])`;
    await addCustomers(tx, tenants, { from: customersOf(step.from), to: customersOf(step.to) });
    await endQueue(tx);
    for (let from = step.from; from < step.to; from += BATCH_MAX) {
      await addMessages(tx, { from, to: Math.min(from + BATCH_MAX, step.to) }, step);
    }
    await addDeliveryHistory(tx, history);
    for (const table of TABLES) await tx.unsafe(`reindex table ${table}`);
    return transactionOf(tx);
  });
  await untilIndexesServe(sql, filledBy);
  for (const table of TABLES) await sql.unsafe(`vacuum (analyze) ${table}`);
  await sql`checkpoint`;
}

async function transactionOf(tx: TransactionSql): Promise<string> {
  const [row] = await tx<{ id: string }[]>`select pg_current_xact_id()::text as id`;
  return row?.id ?? "";
}

/**
 * If the transaction that created an index had updated rows, the index isn't used while an older transaction runs in
 * any database of the cluster (pg_index.indcheckxmin). Tests of other files have such transactions.
 */
async function untilIndexesServe(sql: Sql, transactionId: string): Promise<void> {
  const isOldest = async () => {
    const [row] = await sql<{ is: boolean }[]>`
      select pg_snapshot_xmin(pg_current_snapshot()) > ${transactionId}::text::xid8 as is`;
    return row?.is;
  };
  await until("older transactions have ended", isOldest, { timeoutMs: OLDER_TRANSACTIONS_MS_MAX });
}

/** Each with one conversation, in which they have just written. */
async function addCustomers(
  tx: TransactionSql,
  tenants: readonly Tenant[],
  { from, to }: Step,
): Promise<void> {
  const places = tenants.flatMap(({ share, channelIds, ...tenant }) =>
    Array.from({ length: share }, (_, place) => ({
      ...tenant,
      channelId: channelIds[place % channelIds.length] ?? "",
    })),
  );
  await tx`
    create unlogged table if not exists growth_customers (
      n bigint primary key, organization_id uuid, channel_id uuid, key_id uuid, contact_id uuid, conversation_id uuid,
      handle text)`;
  await tx`
    insert into growth_customers
    select n, p.organization_id, p.channel_id, p.key_id, uuidv7(), uuidv7(), '49151' || lpad(n::text, 8, '0')
    from generate_series(${from}::bigint, ${to - 1}::bigint) n
    join unnest(
      ${places.map((place) => place.organizationId)}::uuid[], ${places.map((place) => place.channelId)}::uuid[],
      ${places.map((place) => place.keyId)}::uuid[]
    ) with ordinality as p (organization_id, channel_id, key_id, place) on p.place - 1 = n % ${places.length}
    order by n`;
  await tx`
    insert into contacts (id, organization_id, name)
    select contact_id, organization_id, 'Customer ' || n from growth_customers where n >= ${from} order by n`;
  await tx`
    insert into contact_identities (id, organization_id, contact_id, kind, handle, canonical)
    select uuidv7(), organization_id, contact_id, 'whatsapp', handle, handle
    from growth_customers where n >= ${from} order by n`;
  await tx`
    insert into conversations (id, organization_id, contact_id, channel_id)
    select conversation_id, organization_id, contact_id, channel_id
    from growth_customers where n >= ${from} order by n`;
  await tx`update conversations set last_inbound_at = now()`;
}

/** Moves the rest of an earlier step's queue into history. */
async function endQueue(tx: TransactionSql): Promise<void> {
  await tx`
    update messages set state = 'read', sent_at = created_at, delivered_at = created_at, read_at = created_at,
      next_attempt_at = null, claim_token = null, claimed_until = null, in_doubt_since = null
    where state = 'queued'`;
}
