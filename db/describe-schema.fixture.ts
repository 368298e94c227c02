import type { Sql } from "./client";

/**
 * Returns PostgreSQL's description of a database's schema, one line per object, sorted. Without the order of columns.
 */
export async function describeSchema(sql: Sql): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    with ours as (select oid, relname, relkind, relpersistence, reloptions from pg_class
      where relnamespace = 'public'::regnamespace)
    select format('column %s.%s %s%s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attnotnull then ' not null' end, ' default ' || pg_get_expr(d.adbin, d.adrelid),
        ' identity ' || nullif(a.attidentity::text, '') || nullif(a.attgenerated::text, '')) as line
      from ours c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relkind = 'r'
    union all select format('constraint %s on %s %s', conname, conrelid::regclass, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select format('index %s', indexdef) from pg_indexes where schemaname = 'public'
    union all select format('storage %s %s %s', c.relname, c.relpersistence, c.reloptions)
      from ours c where c.relpersistence <> 'p' or c.reloptions is not null
    union all select format('statistics %s.%s %s', c.relname, a.attnum, a.attstattarget)
      from ours c join pg_attribute a on a.attrelid = c.oid where c.relkind = 'i' and a.attstattarget >= 0
    union all select format('function %s', pg_get_functiondef(oid)) from pg_proc
      where pronamespace = 'public'::regnamespace
    union all select format('trigger %s', pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal`;
  return rows.map(({ line }) => line).sort();
}
