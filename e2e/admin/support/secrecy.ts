import type { Page, Response } from "playwright";
import type { Sql } from "@/db/client";

/** Gathers what goes to and fro from now on. @returns all of it so far: addresses, headers and bodies. */
export function trafficOf(page: Page): () => Promise<string> {
  const texts: Promise<string>[] = [];
  // Not as it begins: what a page that is left had asked for may never end.
  page.on("requestfinished", (request) => texts.push(request.response().then(textOf)));
  return async () => (await Promise.all(texts)).join("\n");
}

async function textOf(response: Response | null): Promise<string> {
  if (response === null) return "";
  const request = response.request();
  // What a page that was left had asked for has no body to read any more.
  const body = await response.text().catch(() => "");
  return [
    request.url(),
    JSON.stringify(request.headers()),
    request.postData() ?? "",
    JSON.stringify(response.headers()),
    body,
  ].join("\n");
}

/** The tables that hold the text, as such or as bytes: none, it is hoped. */
export async function nowhereInDatabase(sql: Sql, text: string): Promise<string[]> {
  const tables = await sql<{ schema: string; name: string }[]>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`;
  if (tables.length === 0) throw new Error("No table was found");
  const holding: string[] = [];
  for (const { schema, name } of tables) {
    const [found] = await sql<{ count: number }[]>`
      select count(*)::int as count from ${sql(schema)}.${sql(name)} t
      where strpos(t::text, ${text}) > 0 or strpos(t::text, ${Buffer.from(text).toString("hex")}) > 0`;
    if (found?.count !== 0) holding.push(name);
  }
  return holding;
}
