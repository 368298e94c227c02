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
import { CREATE_WEBHOOK_EXAMPLES, REPLAY_WEBHOOKS_EXAMPLES, UPDATE_WEBHOOK_EXAMPLES } from "./examples";
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
  list: route(
    {
      method: "GET",
      path: "/webhooks",
      operationId: "listWebhooks",
      summary: "List webhook endpoints, newest first",
    },
    [],
  )
    .input(listWebhooksInput)
    .output(webhookPage)
    .query(listWebhooks),

  create: route(
    {
      method: "POST",
      path: "/webhooks",
      operationId: "createWebhook",
      summary: "Create a webhook endpoint",
      description: `The \`secret\` in the response signs the events. It is shown only this once. An organization can have ${ENDPOINTS_MAX} endpoints.`,
      examples: CREATE_WEBHOOK_EXAMPLES,
    },
    ["webhook_url_forbidden", "channel_forbidden", "webhook_limit_reached"],
    201,
  )
    .input(createWebhookInput)
    .output(webhookWithSecretOutput)
    .mutation(createWebhook),

  get: route(
    { method: "GET", path: "/webhooks/{id}", operationId: "getWebhook", summary: "Get a webhook endpoint" },
    ["webhook_not_found"],
  )
    .input(webhookInput)
    .output(webhookOutput)
    .query(getWebhook),

  set: route(
    {
      method: "PATCH",
      path: "/webhooks/{id}",
      operationId: "updateWebhook",
      summary: "Update a webhook endpoint",
      description: "Fields that are absent stay unchanged.",
      examples: UPDATE_WEBHOOK_EXAMPLES,
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
      operationId: "deleteWebhook",
      summary: "Delete a webhook endpoint",
      description: "From then on nothing is delivered to it, including events created before.",
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
      operationId: "rotateWebhookSecret",
      summary: "Rotate the signing secret of a webhook endpoint",
      description:
        `The \`secret\` in the response is shown only this once. For ${OVERLAP_HOURS} hours, events are also signed with the secret that it ` +
        `replaces, even if you rotate again. At most the last ${FORMER_SECRETS_MAX} previous secrets still sign.`,
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
      operationId: "testWebhook",
      summary: "Test a webhook endpoint",
      description:
        "Sends one `webhook.test` event and returns how the endpoint responded within " +
        `${CALL_TIMEOUT_MS / 1000} seconds. The status is 200 even if the endpoint failed. You can also test a disabled endpoint. ` +
        "A failed test isn't retried and never disables the endpoint. After a successful test, deliveries that are " +
        "due are posted at once.",
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
      operationId: "listDeliveries",
      summary: "List deliveries to a webhook endpoint, with their attempts",
      description:
        "A page can contain fewer deliveries than `limit`, even none, while `next_cursor` isn't null: if only few " +
        "of many deliveries match, each page searches a part of them. To fetch events in order, use " +
        "`order=oldest&include=payload` and store the `next_cursor` of each response, even of an empty page: it " +
        "continues with later events. An event appears in this list about a second after it was created, once no " +
        "earlier event can be added.",
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
      operationId: "redeliver",
      summary: "Redeliver an event",
      description:
        "Sends the same bytes with the same `webhook-id`. The schedule of attempts starts again. While the " +
        "endpoint is paused because it can't be reached, times out or responds with 429, the delivery waits. A " +
        "successful test of the endpoint ends the pause.",
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
      operationId: "replay",
      summary: "Replay the events of a period",
      description:
        "Redelivers the selected events of a period, each as if you redelivered it on its own. A large replay " +
        "takes a while and continues after the response. Count the deliveries first with `dry_run`.",
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
