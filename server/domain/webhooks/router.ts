import { z } from "zod";
import { procedure } from "@/server/core/procedure";
import { type ProcedureMeta, t } from "@/server/core/trpc";
import type { Capability } from "@/server/core/capabilities";
import { CALL_TIMEOUT_MS } from "./deliver/call";
import { createWebhook } from "./endpoints/create";
import {
  deliveryOutput,
  deliveryPage,
  listDeliveriesInput,
  redeliverInput,
} from "./deliver/delivery-schemas";
import { CREATE_WEBHOOK_EXAMPLES, REPLAY_WEBHOOKS_EXAMPLES } from "./examples";
import { getWebhook } from "./endpoints/get";
import { inspectWebhook, webhookInspection } from "./inspect";
import { deliveryInspection, inspectDelivery } from "./deliver/inspect-delivery";
import { listWebhooks } from "./endpoints/list";
import { listDeliveries } from "./deliver/list-deliveries";
import {
  deliveriesOfMessageInput,
  deliveriesOfMessageOutput,
  listDeliveriesOfMessage,
} from "./deliver/list-of-message";
import { redeliverWebhook } from "./deliver/redeliver";
import { removeWebhook } from "./endpoints/remove";
import { replayWebhooks } from "./replay/replay";
import { replayInput, replayOutput } from "./replay/replay-schemas";
import { FORMER_SECRETS_MAX, OVERLAP_HOURS, rotateWebhookSecret } from "./endpoints/rotate-secret";
import {
  createWebhookInput,
  ENDPOINTS_MAX,
  listWebhooksInput,
  setWebhookInput,
  webhookInput,
  webhookOutput,
  webhookPage,
  webhookWithSecretOutput,
} from "./endpoints/schemas";
import { setWebhook } from "./endpoints/set";
import { testEndpoint, webhookTestOutput } from "./deliver/test-endpoint";

type Route = Omit<NonNullable<ProcedureMeta["openapi"]>, "tags">;

/** Each is also a procedure of the pages. */
function route(openapi: Route, errors: ProcedureMeta["errors"], status = 200) {
  return procedure({
    openapi: { ...openapi, tags: ["Webhooks"] },
    capability: "webhooks.manage",
    bucket: "read",
    status,
    statuses: [status],
    errors: [...errors, "rate_limited"],
  });
}

/** For members only: none of these is a route of the public API. */
function forMembers(errors: ProcedureMeta["errors"], capability: Capability = "webhooks.manage") {
  return procedure({ capability, bucket: null, status: 200, statuses: [200], errors });
}

export const webhooksRouter = t.router({
  list: route({ method: "GET", path: "/webhooks", summary: "List webhook endpoints, newest first" }, [])
    .input(listWebhooksInput)
    .output(webhookPage)
    .query(listWebhooks),

  create: route(
    {
      method: "POST",
      path: "/webhooks",
      summary: "Make a webhook endpoint",
      description: `The answer's \`secret\` signs the events, and is shown this once. An organization can have ${ENDPOINTS_MAX} endpoints.`,
      examples: CREATE_WEBHOOK_EXAMPLES,
    },
    ["webhook_url_forbidden", "channel_forbidden", "webhook_limit_reached"],
    201,
  )
    .input(createWebhookInput)
    .output(webhookWithSecretOutput)
    .mutation(createWebhook),

  get: route({ method: "GET", path: "/webhooks/{id}", summary: "Read a webhook endpoint" }, [
    "webhook_not_found",
  ])
    .input(webhookInput)
    .output(webhookOutput)
    .query(getWebhook),

  set: route(
    {
      method: "PATCH",
      path: "/webhooks/{id}",
      summary: "Change a webhook endpoint",
      description: "What isn't given stays as it is.",
    },
    ["webhook_not_found", "webhook_url_forbidden", "channel_forbidden"],
  )
    .input(setWebhookInput)
    .output(webhookOutput)
    .mutation(setWebhook),

  remove: route(
    {
      method: "DELETE",
      path: "/webhooks/{id}",
      summary: "Remove a webhook endpoint",
      description: "Nothing is delivered to it from then on, also of what happened before.",
    },
    ["webhook_not_found"],
    204,
  )
    .input(webhookInput)
    .output(z.void())
    .mutation(removeWebhook),

  rotateSecret: route(
    {
      method: "POST",
      path: "/webhooks/{id}/rotate-secret",
      summary: "Give a webhook endpoint a new secret",
      description:
        `The answer's \`secret\` is shown this once. For ${OVERLAP_HOURS} hours events are signed with the one it replaces as ` +
        `well, also where another rotation follows; with the last ${FORMER_SECRETS_MAX} replaced ones at most.`,
      takesNoBody: true,
    },
    ["webhook_not_found"],
  )
    .input(webhookInput)
    .output(webhookWithSecretOutput)
    .mutation(rotateWebhookSecret),

  test: route(
    {
      method: "POST",
      path: "/webhooks/{id}/test",
      summary: "Test a webhook endpoint",
      description:
        "Sends a `webhook.test` event, once, and answers what the endpoint answered within " +
        `${CALL_TIMEOUT_MS / 1000} seconds: with status 200 also where the endpoint failed. Also for an endpoint that is disabled. ` +
        "A test that fails isn't tried again, and disables nothing; one that succeeds has what is due posted at once.",
      takesNoBody: true,
    },
    ["webhook_not_found", "webhook_test_running", "webhook_test_limited"],
  )
    .input(webhookInput)
    .output(webhookTestOutput)
    .mutation(testEndpoint),

  deliveries: route(
    {
      method: "GET",
      path: "/webhooks/{id}/deliveries",
      summary: "List deliveries to a webhook endpoint, with their attempts",
      description:
        "A page can hold fewer deliveries than `limit`, even none, while `next_cursor` isn't null: where few of many match, " +
        "each page looks at a part of them. To fetch events in order, ask with `order=oldest&include=payload`, and keep the " +
        "`next_cursor` of each answer, also of an empty one: it goes on with what comes later. An event appears there " +
        "about a second after it arose, once nothing can come before it any more.",
    },
    ["webhook_not_found"],
  )
    .input(listDeliveriesInput)
    .output(deliveryPage)
    .query(listDeliveries),

  redeliver: route(
    {
      method: "POST",
      path: "/webhooks/{id}/deliveries/{delivery_id}/redeliver",
      summary: "Deliver an event again",
      description:
        "The same bytes under the same `webhook-id`, with as many attempts as at first. While the endpoint is left alone " +
        "because it can't be reached, times out or answers 429, it waits; a test of the endpoint that succeeds ends that.",
      takesNoBody: true,
    },
    ["webhook_not_found", "webhook_delivery_not_found", "webhook_not_delivering", "webhook_event_erased"],
    202,
  )
    .input(redeliverInput)
    .output(deliveryOutput)
    .mutation(redeliverWebhook),

  replay: route(
    {
      method: "POST",
      path: "/webhooks/{id}/replay",
      summary: "Deliver the events of a time again",
      description:
        "Each as if it were delivered again by itself. Many take a while, also after the answer; count them first with " +
        "`dry_run`.",
      examples: REPLAY_WEBHOOKS_EXAMPLES,
    },
    ["webhook_not_found", "webhook_not_delivering", "idempotency_key_reused"],
  )
    .input(replayInput)
    .output(replayOutput)
    .mutation(replayWebhooks),

  inspect: forMembers(["webhook_not_found"])
    .input(webhookInput)
    .output(webhookInspection)
    .query(inspectWebhook),
  inspectDelivery: forMembers(["webhook_not_found", "webhook_delivery_not_found"])
    .input(redeliverInput)
    .output(deliveryInspection)
    .query(inspectDelivery),
  deliveriesOfMessage: forMembers([], "messages.read")
    .input(deliveriesOfMessageInput)
    .output(deliveriesOfMessageOutput)
    .query(listDeliveriesOfMessage),
});
