import type { Sql } from "@/db/client";
import type { Context } from "@/server/core/context";
import { newPerson, type TestPerson } from "@/server/domain/contacts/testing";
import { queueText, type SendWorld } from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";

/** The same world with a new organization, and a person who may write to it. */
export async function inOwnOrganization(shared: SendWorld): Promise<{ world: SendWorld; ana: TestPerson }> {
  const ctx = await createTestOrganization(shared.services);
  const world = { ...shared, ctx, channelId: await connectTestChannel(ctx, true) };
  return { world, ana: await newPerson(world) };
}

/** Column types that can contain words, including arrays of them. */
const WORDY_TYPES = ["text", "character varying", "json", "jsonb", "bytea", "ARRAY"];

/** Searches every such column of every table for words. @returns where they are, as `table.column`. */
export async function placesOf(sql: Sql, words: readonly string[]): Promise<readonly string[]> {
  const columns = await sql<{ tableName: string; columnName: string; type: string }[]>`
    select c.table_name as "tableName", c.column_name as "columnName", c.data_type as type
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = any(${WORDY_TYPES}::text[])
    order by 1, 2`;
  const places: string[] = [];
  for (const { tableName, columnName, type } of columns) {
    const column = sql(columnName);
    const text = type === "bytea" ? sql`encode(${column}, 'escape')` : sql`${column}::text`;
    const [found] = await sql<{ isThere: boolean }[]>`
      select exists (select from ${sql(tableName)} r, unnest(${[...words]}::text[]) w
        where position(w in ${text}) > 0) as "isThere"`;
    if (found?.isThere) places.push(`${tableName}.${columnName}`);
  }
  return places;
}

/** Returns every row of an organization in every table, as text: to check that nothing in it changes. */
export async function rowsOf(sql: Sql, organizationId: string): Promise<readonly string[]> {
  const tables = await sql<{ tableName: string }[]>`
    select table_name as "tableName" from information_schema.columns
    where table_schema = 'public' and column_name = 'organization_id' order by 1`;
  const rows: string[] = [];
  for (const { tableName } of tables) {
    const found = await sql<{ row: string }[]>`
      select r::text as row from ${sql(tableName)} r where organization_id = ${organizationId} order by 1`;
    rows.push(...found.map(({ row }) => `${tableName} ${row}`));
  }
  return rows;
}

/** Returns the parts of messages that an erasure keeps: everything except content, numbers and words. */
export async function storyOf(sql: Sql, ids: readonly string[]) {
  const rows = await sql<{ id: string; state: string; errorCode: string | null }[]>`
    select id, organization_id, conversation_id, contact_id, channel_id, key_id, kind, type, client_message_id,
      body_fingerprint, template_id, upload_id, request_id, accept_seq, state, event_sequence,
      error_code as "errorCode", created_at, sent_at, delivered_at, read_at, failed_at, attempts, upstream_id,
      (select jsonb_agg(jsonb_build_array(e.kind, e.sequence, e.source_key, e.error_code, e.upstream_at) order by e.kind, e.source_key)
        from message_events e where e.message_id = m.id) as events,
      (select jsonb_agg(jsonb_build_array(a.outcome, a.http_status, a.upstream_code, a.upstream_id) order by a.id)
        from message_attempts a where a.message_id = m.id) as "attemptsMade"
    from messages m where id = any(${[...ids]}::uuid[]) order by accept_seq`;
  return [...rows];
}

/**
 * Returns the same pool, which works until that many statements and transactions were started. From then on the
 * database seems unavailable.
 */
export function breakingAfter(sql: Sql, statementsMax: number): Sql {
  let left = statementsMax;
  const refuse = () => {
    const error = Promise.reject(
      Object.assign(new Error("The connection broke"), { code: "CONNECTION_CLOSED" }),
    );
    // Nobody awaits a fragment of a statement.
    error.catch(() => undefined);
    return error;
  };
  return new Proxy(sql, {
    apply: (target, thisArg, args) => {
      left -= 1;
      return left < 0 ? refuse() : Reflect.apply(target, thisArg, args);
    },
    get: (target, name) => {
      if (name !== "begin") return Reflect.get(target, name);
      return (...args: Parameters<Sql["begin"]>) => {
        left -= 1;
        return left < 0 ? refuse() : Reflect.apply(target.begin, target, args);
      };
    },
  });
}

/** Moves everything of the organization that many days into the past. */
export async function passDays({ services, actor }: Context, days: number): Promise<void> {
  for (const [table, column] of [
    ["messages", "created_at"],
    ["contacts", "created_at"],
    ["contacts", "marketing_wished_at"],
    ["contact_identities", "created_at"],
    ["upstream_callbacks", "received_at"],
    ["unmatched_statuses", "created_at"],
  ] as const) {
    const { sql } = services;
    await sql`
      update ${sql(table)} set ${sql(column)} = ${sql(column)} - make_interval(days => ${days})
      where organization_id = ${actor.organizationId}`;
  }
}

/** Returns which of the messages are erased, in order. */
export async function erasedOf(sql: Sql, ids: readonly string[]): Promise<readonly boolean[]> {
  const rows = await sql<{ isErased: boolean }[]>`
    select erased_at is not null and content = '{}' and recipient is null as "isErased" from messages
    where id = any(${[...ids]}::uuid[]) order by accept_seq`;
  return rows.map(({ isErased }) => isErased);
}

/** Creates a message in a final state. */
export async function sentText({ sql, ctx }: SendWorld, threadId: string): Promise<string> {
  const id = await queueText(ctx, threadId);
  await sql`update messages set state = 'sent', next_attempt_at = null where id = ${id}`;
  return id;
}
