import type { Sql } from "@/db/client";
import type { ReportedWebhook } from "./receiver";
import { waitMsMin } from "./schedule";

/** A stored attempt at a delivery. */
export interface AttemptRow {
  /** The event's id, which is the `webhook-id`. */
  readonly id: string;
  readonly number: number;
  readonly startedAtMs: number;
  readonly isDelivered: boolean;
  readonly errorClass: string | null;
}

/** Attempts of the endpoint, those of each delivery in order. */
export function attemptsOf(sql: Sql, endpointId: string): Promise<readonly AttemptRow[]> {
  return sql<AttemptRow[]>`
    select d.event_id as id, a.number, extract(epoch from a.started_at)::float8 * 1000 as "startedAtMs",
      a.finished_at is not null and a.error_class is null as "isDelivered", a.error_class as "errorClass"
    from webhook_deliveries d join webhook_attempts a on a.delivery_id = d.id and a.organization_id = d.organization_id
    where d.endpoint_id = ${endpointId} order by d.event_id, a.number`;
}

/** Describes deliveries that haven't succeeded. */
export async function pendingOf(sql: Sql, endpointId: string): Promise<string[]> {
  const rows = await sql<{ id: string; state: string }[]>`
    select id, state from webhook_deliveries where endpoint_id = ${endpointId} and state <> 'delivered'`;
  return rows.map(({ id, state }) => `not delivered, but ${state}: ${id}`);
}

/** Describes gaps between attempts, attempts that came too early or after a success, and calls without one. */
export function wrongAttempts(rows: readonly AttemptRow[], reported: readonly ReportedWebhook[]): string[] {
  const byId = new Map<string, AttemptRow[]>();
  for (const row of rows) byId.set(row.id, [...(byId.get(row.id) ?? []), row]);
  const calls = reported.flatMap(({ id, taken, refused }) => {
    const attempts = byId.get(id)?.length ?? 0;
    return taken + refused > attempts
      ? [`called for ${taken + refused} times in ${attempts} attempts: ${id}`]
      : [];
  });
  return [...[...byId.values()].flatMap(wrongInOrder), ...calls];
}

/** The same for one delivery. */
function wrongInOrder(attempts: readonly AttemptRow[]): string[] {
  return attempts.flatMap(({ id, number, startedAtMs }, index) => {
    if (number !== index + 1) return [`attempt ${number} is the ${index + 1}th: ${id}`];
    const before = attempts[index - 1];
    if (before === undefined) return [];
    const waitedMs = startedAtMs - before.startedAtMs;
    return [
      ...(before.isDelivered ? [`attempt ${number} though it was delivered: ${id}`] : []),
      ...(waitedMs < waitMsMin(before.number) ? [`attempt ${number} after ${waitedMs} ms: ${id}`] : []),
    ];
  });
}
