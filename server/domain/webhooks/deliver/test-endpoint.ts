import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { TransactionSql } from "@/db/client";
import { newId, WEBHOOK_ERROR_CLASSES } from "@/db/schema";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { wallClock } from "@/server/lib/wall-clock";
import { newCalls } from "@/server/lib/new-calls";
import { callEndpoint } from "./call";
import { type ClaimedDelivery, IN_FLIGHT_MAX, LEASE_SECONDS } from "./claim";
import { type Endpoint, readEndpoint } from "../endpoints/endpoint";
import { TEST_EVENT_MESSAGE, type TestEventData } from "../events/event-schemas";
import { recordDeliveries } from "./record";
import type { webhookInput } from "../endpoints/schemas";
import { type EncryptedSecrets, secretsColumns } from "../endpoints/secret";
import { eventBody } from "../outbox/store-events";

export const webhookTestOutput = z
  .object({
    delivery_id: z.guid(),
    event_id: z
      .guid()
      .meta({ description: "Id of the test event: its `webhook-id`, and the `id` in its body" }),
    state: z.enum(["delivered", "failed", "available"]).meta({
      description: "`available`: the endpoint has no URL, and the test event can be fetched",
    }),
    http_status: z.number().int().nullable(),
    error_class: z.enum(WEBHOOK_ERROR_CLASSES).nullable().meta({ description: "Why the test failed" }),
    duration_ms: z.number().int().nullable(),
    answer: z.string().nullable().meta({
      description: "The first 2 KB of the response body, which can be empty. Null if no response arrived",
    }),
  })
  .meta({
    id: "WebhookTest",
    examples: [
      {
        delivery_id: "0198f0a9-2b61-7d3e-9c4f-506172839405",
        event_id: "0198f0a9-2b60-7c1d-8e2f-30415263748a",
        state: "delivered",
        http_status: 204,
        error_class: null,
        duration_ms: 52,
        answer: "",
      },
    ],
  });

export type WebhookTest = z.infer<typeof webhookTestOutput>;

/** Maximum tests of one endpoint per window. */
const TESTS_MAX = 10;
const TESTS_WINDOW_SECONDS = 60;

/** If all of the endpoint's slots are in use, a test waits this long for one of its calls to end. */
const PLACE_WAIT_MS_MAX = 5_000;
const POLL_EVERY_MS = 50;
const BUSY_RETRY_SECONDS = 5;

/**
 * Sends an endpoint a `webhook.test` event, even if it is disabled, and returns its response. It is tried once. A
 * failure doesn't affect the endpoint's health. A success ends a back-off, and due deliveries are made.
 * @throws WaypostError `missing_scope`; `permission_denied`; `webhook_not_found`; `webhook_test_running`;
 * `webhook_test_limited` after ten within a minute, and while all the endpoint's slots are in use.
 */
export async function testEndpoint(args: {
  ctx: Context;
  input: z.output<typeof webhookInput>;
}): Promise<WebhookTest> {
  const { ctx, input } = args;
  const { services } = ctx;
  requireCapability(ctx.actor, "webhooks.manage");
  const { id: endpointId } = await readEndpoint(ctx, input.id);
  const eventId = newId();
  const test = {
    endpointId,
    organizationId: ctx.actor.organizationId,
    deliveryId: newId(),
    eventId,
    body: bodyFor(eventId, endpointId),
  };
  const ids = { delivery_id: test.deliveryId, event_id: eventId };
  const delivery = await startTest(ctx, test);
  if (delivery === null) {
    const nothing = { http_status: null, error_class: null, duration_ms: null, answer: null };
    return { ...ids, state: "available", ...nothing };
  }
  const attemptResult = await callEndpoint(services, delivery);
  await recordDeliveries(services, [{ delivery, attemptResult, isRetried: false }]);
  // Deliveries that waited for the end of a back-off are due now.
  if (attemptResult.errorClass === null) services.jobs.notifyEndpoint(endpointId);
  return {
    ...ids,
    state: attemptResult.errorClass === null ? "delivered" : "failed",
    http_status: attemptResult.httpStatus,
    error_class: attemptResult.errorClass,
    duration_ms: Math.round(attemptResult.durationMs),
    answer: attemptResult.answer,
  };
}

interface Test {
  readonly organizationId: string;
  readonly endpointId: string;
  readonly deliveryId: string;
  readonly eventId: string;
  readonly body: string;
}

function bodyFor(eventId: string, endpointId: string): string {
  const data: TestEventData = { endpoint_id: endpointId, message: TEST_EVENT_MESSAGE };
  return eventBody(eventId, { type: "webhook.test", at: wallClock.now(), data });
}

/** Null: the endpoint has no URL, and the test is stored to be fetched. */
async function startTest(ctx: Context, test: Test): Promise<ClaimedDelivery | null> {
  const endsAtMs = performance.now() + PLACE_WAIT_MS_MAX;
  for (;;) {
    const started = await claimTest(ctx, test);
    if (started !== "busy") return started;
    if (performance.now() > endsAtMs) throw busy();
    await pause(POLL_EVERY_MS);
  }
}

function busy(): WaypostError {
  return new WaypostError("webhook_test_limited", {
    message: `${IN_FLIGHT_MAX} calls to the endpoint are already running, which is the maximum. Test it again in a moment.`,
    headers: { "Retry-After": String(BUSY_RETRY_SECONDS) },
  });
}

/** One at a time per endpoint, and within its slots: the holder of its lock sees the other calls. */
async function claimTest({ services }: Context, test: Test): Promise<ClaimedDelivery | "busy" | null> {
  const { endpointId, organizationId, body } = test;
  const claimToken = randomUUID();
  await newCalls.allowed();
  return services.sql.begin(async (tx) => {
    const [endpoint] = await tx<(Pick<Endpoint, "url"> & EncryptedSecrets)[]>`
      select e.url, ${secretsColumns(tx)}
      from webhook_endpoints e
      where e.id = ${endpointId} and e.organization_id = ${organizationId} and e.deleted_at is null for no key update`;
    if (!endpoint) throw new WaypostError("webhook_not_found");
    const { isTested, calls } = await callsInFlight(tx, test);
    if (isTested) throw new WaypostError("webhook_test_running");
    await requireFewTests(tx, test);
    if (endpoint.url === null) {
      await store(tx, test, null);
      return null;
    }
    if (calls >= IN_FLIGHT_MAX) return "busy";
    const startedAt = await store(tx, test, claimToken);
    return {
      id: test.deliveryId,
      webhookId: test.eventId,
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

/** Counts the endpoint's calls in flight, from all processes. */
async function callsInFlight(tx: TransactionSql, { endpointId, organizationId }: Test) {
  const [row] = await tx<{ calls: number; isTested: boolean }[]>`
    select count(*)::int as calls, coalesce(bool_or(type = 'webhook.test'), false) as "isTested"
    from webhook_deliveries
    where endpoint_id = ${endpointId} and organization_id = ${organizationId} and is_pending
      and claim_token is not null and claimed_until > clock_timestamp()`;
  return row ?? { calls: 0, isTested: false };
}

/** Nobody has proved whose URL it is, so tests must not flood it. */
async function requireFewTests(tx: TransactionSql, { endpointId, organizationId }: Test): Promise<void> {
  const [recent] = await tx<{ count: number; waitSeconds: number }[]>`
    select count(*)::int as count,
      ceil(extract(epoch from min(created_at) + make_interval(secs => ${TESTS_WINDOW_SECONDS}) - now()))::int as "waitSeconds"
    from webhook_deliveries
    where endpoint_id = ${endpointId} and organization_id = ${organizationId} and type = 'webhook.test'
      and created_at > now() - make_interval(secs => ${TESTS_WINDOW_SECONDS})`;
  if (recent === undefined || recent.count < TESTS_MAX) return;
  throw new WaypostError("webhook_test_limited", {
    message: `An endpoint can be tested ${TESTS_MAX} times a minute.`,
    headers: { "Retry-After": String(Math.max(1, recent.waitSeconds)) },
  });
}

/**
 * Stores the event and its only delivery: claimed, with its attempt; without a claim it waits to be fetched.
 * @returns when it was stored.
 */
async function store(tx: TransactionSql, test: Test, claimToken: string | null): Promise<Date> {
  const { organizationId, endpointId, deliveryId, eventId, body } = test;
  const isClaimed = claimToken !== null;
  await tx`
    insert into webhook_events (id, organization_id, type, body, id_in_body)
    values (${eventId}, ${organizationId}, 'webhook.test', ${body}, true)`;
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
