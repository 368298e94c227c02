import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { TransactionSql } from "@/db/client";
import { newId, WEBHOOK_ERROR_CLASSES } from "@/db/schema";
import { requireCapability } from "../capabilities";
import type { Context } from "../context";
import { WaypostError } from "../errors";
import { callEndpoint } from "./call";
import { type ClaimedDelivery, LEASE_SECONDS } from "./claim";
import { type Endpoint, readEndpoint } from "./endpoint";
import type { TestEventData } from "./event-schemas";
import { recordDeliveries } from "./record";
import type { webhookInput } from "./schemas";
import { type EncryptedSecrets, secretsColumns } from "./secret";
import { eventBody } from "./store-events";

export const webhookTestOutput = z
  .object({
    delivery_id: z.guid().meta({ description: "The `webhook-id` of the test" }),
    state: z.enum(["delivered", "failed", "available"]).meta({
      description: "`available`: the endpoint has no URL, and the test waits to be fetched",
    }),
    http_status: z.number().int().nullable(),
    error_class: z.enum(WEBHOOK_ERROR_CLASSES).nullable().meta({ description: "Why it failed" }),
    duration_ms: z.number().int().nullable(),
    answer: z.string().nullable().meta({ description: "The first 2 KB of what the endpoint answered" }),
  })
  .meta({ id: "WebhookTest" });

export type WebhookTest = z.infer<typeof webhookTestOutput>;

/** Of one endpoint in so long. */
const TESTS_MAX = 10;
const TESTS_WINDOW_SECONDS = 60;

/**
 * Sends an endpoint a `webhook.test` event, also where it is disabled, and says what it answered. It is tried once. That
 * it fails says nothing of the endpoint's health; that it succeeds ends a back-off.
 * @throws WaypostError `missing_scope`; `permission_denied`; `webhook_not_found`; `webhook_test_running`;
 * `rate_limited` after ten within a minute.
 */
export async function testEndpoint(args: {
  ctx: Context;
  input: z.output<typeof webhookInput>;
}): Promise<WebhookTest> {
  const { ctx, input } = args;
  const { services } = ctx;
  requireCapability(ctx.actor, "webhooks.manage");
  const { id: endpointId, url } = await readEndpoint(ctx, input.id);
  const test = {
    endpointId,
    organizationId: ctx.actor.organizationId,
    deliveryId: newId(),
    body: bodyFor(endpointId),
  };
  const nothing = { http_status: null, error_class: null, duration_ms: null, answer: null };
  if (url === null) {
    await services.sql.begin((tx) => store(tx, test, null));
    return { delivery_id: test.deliveryId, state: "available", ...nothing };
  }
  const delivery = await claimTest(ctx, test);
  const verdict = await callEndpoint(services, delivery);
  await recordDeliveries(services, [{ delivery, verdict, isRetried: false }]);
  return {
    delivery_id: delivery.id,
    state: verdict.errorClass === null ? "delivered" : "failed",
    http_status: verdict.httpStatus,
    error_class: verdict.errorClass,
    duration_ms: Math.round(verdict.durationMs),
    answer: verdict.answer,
  };
}

interface Test {
  readonly organizationId: string;
  readonly endpointId: string;
  readonly deliveryId: string;
  readonly body: string;
}

function bodyFor(endpointId: string): string {
  const data: TestEventData = { endpoint_id: endpointId, message: "This is a test of the webhook endpoint." };
  return eventBody({ type: "webhook.test", at: new Date(), data });
}

/** One at a time for each endpoint: whoever holds its lock sees the other's. */
async function claimTest({ services }: Context, test: Test): Promise<ClaimedDelivery> {
  const { endpointId, organizationId, body } = test;
  const claimToken = randomUUID();
  return services.sql.begin(async (tx) => {
    const [endpoint] = await tx<(Pick<Endpoint, "url"> & EncryptedSecrets)[]>`
      select e.url, ${secretsColumns(tx)}
      from webhook_endpoints e
      where e.id = ${endpointId} and e.organization_id = ${organizationId} and e.deleted_at is null for no key update`;
    if (!endpoint || endpoint.url === null) throw new WaypostError("webhook_not_found");
    const [running] = await tx`
      select 1 from webhook_deliveries
      where endpoint_id = ${endpointId} and organization_id = ${organizationId} and type = 'webhook.test' and is_pending
        and claim_token is not null and claimed_until > clock_timestamp()`;
    if (running) throw new WaypostError("webhook_test_running");
    await requireFewTests(tx, test);
    const startedAt = await store(tx, test, claimToken);
    return {
      id: test.deliveryId,
      organizationId,
      claimToken,
      body,
      attempts: 1,
      number: 1,
      startedAt,
      ...endpoint,
      url: endpoint.url,
    };
  });
}

/** Whose address it is, nobody has shown: nobody is to be flooded by tests. */
async function requireFewTests(tx: TransactionSql, { endpointId, organizationId }: Test): Promise<void> {
  const [recent] = await tx<{ count: number; waitSeconds: number }[]>`
    select count(*)::int as count,
      ceil(extract(epoch from min(created_at) + make_interval(secs => ${TESTS_WINDOW_SECONDS}) - now()))::int as "waitSeconds"
    from webhook_deliveries
    where endpoint_id = ${endpointId} and organization_id = ${organizationId} and type = 'webhook.test'
      and created_at > now() - make_interval(secs => ${TESTS_WINDOW_SECONDS})`;
  if (recent === undefined || recent.count < TESTS_MAX) return;
  throw new WaypostError("rate_limited", {
    message: `An endpoint can be tested ${TESTS_MAX} times a minute.`,
    headers: { "Retry-After": String(Math.max(1, recent.waitSeconds)) },
  });
}

/**
 * The event and its only delivery: claimed, with its attempt; without a claim it waits to be fetched.
 * @returns when it was stored.
 */
async function store(tx: TransactionSql, test: Test, claimToken: string | null): Promise<Date> {
  const { organizationId, endpointId, deliveryId, body } = test;
  const eventId = newId();
  const isClaimed = claimToken !== null;
  await tx`
    insert into webhook_events (id, organization_id, type, body)
    values (${eventId}, ${organizationId}, 'webhook.test', ${body})`;
  const [stored] = await tx<{ at: Date }[]>`
    insert into webhook_deliveries (id, organization_id, endpoint_id, event_id, type, state, claim_token, claimed_until,
      attempts, attempts_ever, last_attempt_at, ended_at)
    values (${deliveryId}, ${organizationId}, ${endpointId}, ${eventId}, 'webhook.test',
      ${isClaimed ? "pending" : "available"}, ${claimToken},
      case when ${isClaimed} then clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}) end,
      ${isClaimed ? 1 : 0}, ${isClaimed ? 1 : 0}, case when ${isClaimed} then clock_timestamp() end,
      case when ${!isClaimed} then now() end)
    returning clock_timestamp() as at`;
  if (isClaimed) {
    await tx`
      insert into webhook_attempts (organization_id, delivery_id, number) values (${organizationId}, ${deliveryId}, 1)`;
  }
  if (!stored) throw new Error("The insert of a test returned no row");
  return stored.at;
}
