import type { Page, Response } from "playwright";
import type { Sql } from "@/db/client";

/**
 * Collects the page's traffic from now on. @returns a function that gives all of it so far: URLs, headers and bodies.
 */
export function trafficOf(page: Page): () => Promise<string> {
  const texts: Promise<string>[] = [];
  // Not at the start of a request: one from a page that was left may never end.
  page.on("requestfinished", (request) => texts.push(request.response().then(textOf)));
  return async () => (await Promise.all(texts)).join("\n");
}

async function textOf(response: Response | null): Promise<string> {
  if (response === null) return "";
  const request = response.request();
  // A request from a page that was left no longer has a readable body.
  const body = await response.text().catch(() => "");
  return [
    request.url(),
    JSON.stringify(request.headers()),
    request.postData() ?? "",
    JSON.stringify(response.headers()),
    body,
  ].join("\n");
}

/** Checks the tables for the text, as text or as bytes: none should contain it. */
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
