import { z } from "zod";
import type { Sql } from "@/db/client";
import { until } from "@/e2e/support/until";
import { IN_FLIGHT_MAX } from "@/server/domain/webhooks/deliver/claim";
import { type AttemptRow, attemptsOf, pendingOf, wrongAttempts } from "./attempts";
import type { CrashReceiver, ReportedWebhook } from "./receiver";
import type { KilledRound, Stage } from "./round";

/** Claims of a crashed process expire after 45 s; the sweep runs every 10 s. */
const REPORTED_MS_MAX = 180_000;

const eventSchema = z.object({
  id: z.string(),
  type: z.string(),
  data: z.object({ message_id: z.string(), sequence: z.int().optional() }),
});

export interface WebhookFigures {
  readonly reported: number;
  /** Those that are messages from customers. */
  readonly received: number;
  /** Those that the receiver didn't accept at first. */
  readonly refused: number;
  /** Attempts after the first, and those whose process was killed. */
  readonly retries: number;
  readonly interrupted: number;
  /** Calls for webhooks that the receiver had already accepted, and the allowed maximum. */
  readonly repeated: number;
  readonly repeatedMax: number;
}

export interface Reports {
  readonly figures: WebhookFigures;
  /**
   * Descriptions of state changes and customers' messages that the shop's receiver never got, or got with two ids or
   * two bodies, or with an id other than the body's, or that the database doesn't have; of retries that came too early
   * or are missing; and of repeats that kills don't explain.
   */
  readonly wrong: readonly string[];
}

/** Waits until the shop's receiver has got every event, and counts. */
export async function reportedOf(stage: Stage, rounds: readonly KilledRound[]): Promise<Reports> {
  const { processes, receiver, shop } = stage;
  const ids = rounds.flatMap(({ sending }) => [...sending.accepted.values()]);
  let wrong: string[] = [];
  // Messages still in doubt can end in the meantime, and are reported then.
  const isRight = async () => {
    wrong = [...(await compare(stage, ids)), ...(await pendingOf(processes.sql, shop.endpointId))];
    return wrong.length === 0;
  };
  const waiting = { timeoutMs: REPORTED_MS_MAX, intervalMs: 500 };
  await until("everything is told", isRight, waiting).catch(() => undefined);
  const attempts = await attemptsOf(processes.sql, shop.endpointId);
  const figures = figuresOf(receiver.reported(), attempts, rounds);
  const { repeated, repeatedMax } = figures;
  const tooMany = repeated > repeatedMax ? [`told ${repeated} times again, of ${repeatedMax} at most`] : [];
  return { figures, wrong: [...wrong, ...wrongAttempts(attempts, receiver.reported()), ...tooMany] };
}

function figuresOf(
  reported: readonly ReportedWebhook[],
  attempts: readonly AttemptRow[],
  rounds: readonly KilledRound[],
): WebhookFigures {
  const sum = (count: (webhook: ReportedWebhook) => number) =>
    reported.reduce((total, webhook) => total + count(webhook), 0);
  return {
    reported: reported.length,
    received: sum(({ bodies }) => Number(changesIn(bodies).some(({ type }) => type === "message.received"))),
    refused: sum(({ refused, reset }) => Number(refused + reset > 0)),
    retries: attempts.filter(({ number }) => number > 1).length,
    interrupted: attempts.filter(({ errorClass }) => errorClass === "interrupted").length,
    repeated: sum(({ taken }) => Math.max(0, taken - 1)),
    // Everything in flight when processes were killed; otherwise outcomes wait for their database.
    repeatedMax: IN_FLIGHT_MAX * rounds.filter(({ killedProcesses }) => killedProcesses > 0).length,
  };
}

async function compare(stage: Stage, ids: readonly string[]): Promise<string[]> {
  const { processes, receiver, shop } = stage;
  const [changes, received] = await Promise.all([
    changesOf(processes.sql, ids),
    receivedOf(processes.sql, shop.endpointId),
  ]);
  const reported = idsOf(receiver);
  const known = new Set(ids);
  const unreported = [...changes, ...received].flatMap((change) =>
    reported.has(change) ? [] : [`never told: ${change}`],
  );
  const unknown = [...reported.keys()].flatMap((change) =>
    known.has(change.split(" ")[0] ?? "") && !changes.has(change) ? [`told, and never was: ${change}`] : [],
  );
  const twice = [...reported].flatMap(([change, under]) =>
    under.size > 1 ? [`told under ${under.size} ids: ${change}`] : [],
  );
  const changed = receiver
    .reported()
    .flatMap(({ id, bodies }) => (bodies.size > 1 ? [`told in ${bodies.size} forms: ${id}`] : []));
  const misnamed = receiver
    .reported()
    .flatMap(({ id, bodies }) =>
      changesIn(bodies).flatMap((change) => (change.id === id ? [] : [`told as ${change.id} under ${id}`])),
    );
  return [...unreported, ...unknown, ...twice, ...changed, ...misnamed];
}

/** Returns the messages' events: id, type and sequence of each change. */
async function changesOf(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ change: string }[]>`
    select message_id || ' message.' || kind || ' ' || sequence as change from message_events
    where message_id = any(${[...ids]}::uuid[]) and sequence is not null`;
  return new Set(rows.map(({ change }) => change));
}

/** Returns customers' messages since the endpoint exists: id and type. */
async function receivedOf(sql: Sql, endpointId: string): Promise<readonly string[]> {
  const rows = await sql<{ change: string }[]>`
    select m.id || ' message.received' as change from webhook_endpoints e
    join messages m on m.organization_id = e.organization_id and m.kind = 'inbound' and m.created_at > e.created_at
    where e.id = ${endpointId}`;
  return rows.map(({ change }) => change);
}

/** Returns the reported ids of each change. */
function idsOf(receiver: CrashReceiver): ReadonlyMap<string, ReadonlySet<string>> {
  const reported = new Map<string, Set<string>>();
  for (const { id, bodies } of receiver.reported()) {
    for (const { change } of changesIn(bodies))
      reported.set(change, (reported.get(change) ?? new Set<string>()).add(id));
  }
  return reported;
}

function changesIn(bodies: ReadonlySet<string>) {
  return [...bodies].map((body) => {
    const { id, type, data } = eventSchema.parse(JSON.parse(body));
    return { id, type, change: [data.message_id, type, data.sequence ?? []].flat().join(" ") };
  });
}
