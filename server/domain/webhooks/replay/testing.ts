import type { Sql } from "@/db/client";

/** Counts how often each was requeued, as recorded by the database. */
export async function countPuts(sql: Sql) {
  await sql`create table if not exists puts (delivery_id uuid not null)`;
  await sql`
    create or replace function note_put() returns trigger language plpgsql as
      'begin insert into puts values (new.id); return new; end'`;
  await sql`
    create or replace trigger note_put after update on webhook_deliveries for each row
      when (new.state = 'pending' and old.state <> 'pending') execute function note_put()`;
  await sql`truncate puts`;
  return async () => {
    const [row] = await sql<{ puts: number; deliveries: number }[]>`
      select count(*)::int as puts, count(distinct delivery_id)::int as deliveries from puts`;
    return row;
  };
}
