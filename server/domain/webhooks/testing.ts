import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { newId, type WebhookDeliveryState, webhookEndpoints, type WebhookEventType } from "@/db/schema";
import type { Context } from "@/server/core/context";
import { NO_JOBS } from "@/server/core/jobs";
import { openSendWorld, type SendWorld } from "@/server/domain/messages/testing";
import { createTestOrganization, type TestWorldOptions } from "@/server/domain/organizations/testing";
import { createOutboundClient } from "@/server/adapters/outbound/post";
import { newWebhookSecret, webhookSecretPurpose } from "./endpoints/secret";
import { webhookId } from "./outbox/store-events";

/** A call that a receiver got. */
export interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Answer = (response: ServerResponse, call: ReceivedCall) => void;

/** Starts an HTTP server on its own port, or the given one. It records requests, and responds with 204 by default. */
export async function startReceiver(port = 0) {
  const calls: ReceivedCall[] = [];
  let answer: Answer = (response) => void response.writeHead(204).end();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const call = {
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      };
      calls.push(call);
      answer(response, call);
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The receiver has no port");
  return {
    host: `127.0.0.1:${address.port}`,
    url: `http://127.0.0.1:${address.port}/hook`,
    calls,
    /** From now on. */
    answers(next: Answer) {
      answer = next;
    },
    answersStatus(status: number, headers: Readonly<Record<string, string>> = {}) {
      answer = (response) => void response.writeHead(status, headers).end();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** An organization that sends, and a receiver that webhooks may be delivered to. */
export async function openWebhookWorld(options?: TestWorldOptions) {
  const [world, receiver] = await Promise.all([openSendWorld(options), startReceiver()]);
  const allowed = new Set([receiver.host]);
  const outbound = createOutboundClient({ allowedPrivateHosts: allowed, connectionsPerHostMax: 64 });
  const notifiedEndpoints: string[] = [];
  const services = {
    ...world.services,
    outbound,
    jobs: { ...NO_JOBS, notifyEndpoint: (endpointId: string) => void notifiedEndpoints.push(endpointId) },
  };
  return {
    ...world,
    services,
    ctx: { ...world.ctx, services },
    receiver,
    /** Hosts that may be called although they aren't public. */
    allowed,
    /** The notified endpoints, in order. */
    notifiedEndpoints,
    close: async () => {
      await outbound.close();
      await receiver.close();
      await world.close();
    },
  };
}

export type WebhookWorld = Awaited<ReturnType<typeof openWebhookWorld>>;

/** A URL that seems allowed. Nothing calls it. */
export const PUBLIC_URL = "https://93.184.216.34/hook";

/** Returns its audit log entries, oldest first. */
export function auditOf({ sql }: Pick<SendWorld, "sql">, subjectId: string) {
  return sql<{ action: string; subject_kind: string; actor_kind: string; detail: object }[]>`
    select action, subject_kind, actor_kind, detail from audit_log
    where subject_id = ${subjectId} order by created_at`;
}

/** Stores an endpoint, for all event types by default. */
export async function addEndpoint(
  { services, actor }: Context,
  endpoint: Partial<typeof webhookEndpoints.$inferInsert>,
): Promise<{ id: string; secret: string }> {
  const id = newId();
  const secret = newWebhookSecret();
  await services.orm.insert(webhookEndpoints).values({
    id,
    organizationId: actor.organizationId,
    events: ["message.sent", "message.delivered", "message.read", "message.failed", "message.received"],
    secretEncrypted: services.vault.encrypt(secret, webhookSecretPurpose(id)),
    ...endpoint,
  });
  return { id, secret };
}

/** Adds that many due tests of the endpoint, one event each. */
export async function addDeliveries(
  { services, actor }: Context,
  endpointId: string,
  count: number,
): Promise<void> {
  const { organizationId } = actor;
  await services.sql`
    with happened as (
      insert into webhook_events (id, organization_id, type, body)
      select gen_random_uuid(), ${organizationId}, 'webhook.test', json_build_object('type', 'webhook.test', 'n', n)::text
      from generate_series(1, ${count}::int) n returning id)
    insert into webhook_deliveries (id, organization_id, endpoint_id, event_id, type, state, next_attempt_at)
    select gen_random_uuid(), ${organizationId}, ${endpointId}, id, 'webhook.test', 'pending', now() from happened`;
}

/** Creates an endpoint in an organization without any other, with that many due deliveries. */
export async function endpointWith(
  { services, receiver }: Pick<WebhookWorld, "services" | "receiver">,
  count: number,
  endpoint: Partial<typeof webhookEndpoints.$inferInsert> = {},
) {
  const ctx = { ...(await createTestOrganization(services)), services };
  const added = await addEndpoint(ctx, { url: receiver.url, ...endpoint });
  await addDeliveries(ctx, added.id, count);
  return { ...added, ctx };
}

/** Returns the endpoint's stored health. */
export async function endpointRow({ sql }: Pick<SendWorld, "sql">, id: string) {
  const [row] = await sql<
    {
      disabledReason: string | null;
      failingSince: Date | null;
      backoffStreak: number;
      backoffUntil: Date | null;
    }[]
  >`
    select disabled_reason as "disabledReason", failing_since as "failingSince", backoff_streak as "backoffStreak",
      backoff_until as "backoffUntil" from webhook_endpoints where id = ${id}`;
  if (!row) throw new Error(`There is no endpoint ${id}`);
  return row;
}

/** Returns the audit log's entries about webhooks, in order. */
export async function webhookAuditOf({ sql }: Pick<SendWorld, "sql">, organizationId: string) {
  const rows = await sql<{ action: string; actorKind: string; reason: string | null }[]>`
    select action, actor_kind as "actorKind", detail->>'reason' as reason from audit_log
    where organization_id = ${organizationId} and subject_kind = 'webhook' order by created_at, id`;
  return [...rows];
}

/** Checks that the wait after an attempt is within these seconds; with null, that there is none. */
export function within(seconds: readonly [least: number, most: number] | null) {
  // Two statements store the attempt and the time of the next one.
  return (pauseMs: number | null | undefined) =>
    seconds === null || pauseMs === null || pauseMs === undefined
      ? seconds === null && pauseMs === null
      : pauseMs > seconds[0] * 1000 - 1_000 && pauseMs < seconds[1] * 1000 + 1_000;
}

export interface PastDeliveries {
  readonly count: number;
  readonly state: WebhookDeliveryState;
  readonly type: WebhookEventType;
  /** The message of the events; none if null. */
  readonly messageId: string | null;
  /** Age of the first; each of the others is a microsecond younger. */
  readonly secondsAgo: number;
}

/** Adds deliveries of past events, without attempts. @returns their ids, oldest first. */
export async function addPastDeliveries(
  { services, actor }: Context,
  endpointId: string,
  past: Partial<PastDeliveries> = {},
): Promise<string[]> {
  const { organizationId } = actor;
  const {
    count = 1,
    state = "delivered",
    type = "message.received",
    messageId = null,
    secondsAgo = 60,
  } = past;
  const rows = await services.sql<{ id: string }[]>`
    with happened as materialized (
      select gen_random_uuid() as event_id, gen_random_uuid() as id, n,
        now() - make_interval(secs => ${secondsAgo}::float8) + n * interval '1 microsecond' as at
      from generate_series(1, ${count}::int) n
    ), stored as (
      insert into webhook_events (id, organization_id, type, message_id, body, created_at)
      select event_id, ${organizationId}, ${type}, ${messageId}, json_build_object('type', ${type}::text, 'n', n)::text, at
      from happened
    ), made as (
      insert into webhook_deliveries (id, organization_id, endpoint_id, event_id, type, state, next_attempt_at, created_at, ended_at)
      select id, ${organizationId}, ${endpointId}, event_id, ${type}, ${state},
        case when ${state}::text = 'pending' then now() end, at, case when ${state}::text <> 'pending' then at end
      from happened
    )
    select id from happened order by n`;
  return rows.map(({ id }) => id);
}

/** Returns the stored deliveries to the endpoint, oldest first, with their attempts. */
export async function deliveriesOf({ sql }: Pick<SendWorld, "sql">, endpointId: string) {
  return sql<StoredDelivery[]>`
    select d.id, ${webhookId(sql)} as "webhookId", d.type, d.state, d.attempts, d.claim_token is not null as "isClaimed",
      (extract(epoch from d.next_attempt_at - now()) * 1000)::float8 as "waitMs",
      (extract(epoch from d.next_attempt_at - (
        select max(a.finished_at) from webhook_attempts a where a.delivery_id = d.id)) * 1000)::float8 as "pauseMs",
      v.body, v.sequence,
      coalesce((select json_agg(json_build_object('number', a.number, 'errorClass', a.error_class,
          'httpStatus', a.http_status, 'answer', a.answer) order by a.number)
        from webhook_attempts a where a.delivery_id = d.id), '[]') as tries
    from webhook_deliveries d join webhook_events v on v.id = d.event_id
    where d.endpoint_id = ${endpointId} order by v.created_at, v.sequence, d.id`;
}

interface StoredDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly type: string;
  readonly state: string;
  readonly attempts: number;
  readonly isClaimed: boolean;
  /** From now to the next attempt. */
  readonly waitMs: number | null;
  /** From the end of the last attempt to the next one. */
  readonly pauseMs: number | null;
  readonly body: string | null;
  readonly sequence: number | null;
  readonly tries: readonly {
    readonly number: number;
    readonly errorClass: string | null;
    readonly httpStatus: number | null;
    readonly answer: string | null;
  }[];
}

/** Makes the endpoint's waiting deliveries due now, and ends its back-off. */
export async function makeDue({ sql }: Pick<SendWorld, "sql">, endpointId: string): Promise<void> {
  await sql`
    update webhook_deliveries set next_attempt_at = now()
    where endpoint_id = ${endpointId} and is_pending and next_attempt_at is not null`;
  await sql`update webhook_endpoints set backoff_until = now() where id = ${endpointId} and backoff_streak > 0`;
}
