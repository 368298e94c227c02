import type { PostgresType } from "postgres";
import { parse } from "postgres-array";

/** Array types that our statements use, by name: PostgreSQL's oids (pg_type.dat), and a parser for an element. */
export const ARRAY_TYPES = {
  boolean: { oid: 1000, read: (text: string) => text === "t" },
  int: { oid: 1007, read: (text: string) => Number(text) },
  text: { oid: 1009, read: (text: string) => text },
  bigint: { oid: 1016, read: (text: string) => Number(text) },
  "double precision": { oid: 1022, read: (text: string) => Number(text) },
  timestamptz: { oid: 1185, read: (text: string) => new Date(text) },
  uuid: { oid: 2951, read: (text: string) => text },
} satisfies Record<string, { oid: number; read: (text: string) => unknown }>;

/**
 * Array types for postgres.js, which would otherwise query them on every new connection. If the database became
 * unavailable during that query, the failure would be an unhandled rejection and end the process.
 */
export const arrayTypes: Readonly<Record<string, PostgresType<unknown>>> = Object.fromEntries(
  Object.entries(ARRAY_TYPES).map(([name, { oid, read }]) => [
    `${name}[]`,
    { to: oid, from: [oid], serialize: serializeArray, parse: (text: string) => parse<unknown>(text, read) },
  ]),
);

/** Writes PostgreSQL's text form of an array (documentation, section 8.15.6). */
function serializeArray(values: unknown): string {
  // Drizzle has already serialized its arrays.
  if (typeof values === "string") return values;
  if (!Array.isArray(values)) throw new TypeError("An array is needed here");
  return `{${values.map(serializeElement).join(",")}}`;
}

function serializeElement(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (Array.isArray(value)) return serializeArray(value);
  const text = value instanceof Date ? value.toISOString() : `${asScalar(value)}`;
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

function asScalar(value: unknown): string | number | bigint | boolean {
  if (typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "bigint" || typeof value === "boolean") return value;
  throw new TypeError("An array can't hold such an element");
}
