import { List } from "./list.js";
import type { CallOptions } from "./options.js";
import { pullEvents, type PullOptions } from "./pull.js";
import type { Send } from "./transport.js";
import type {
  CreateWebhookRequest,
  Event,
  ListDeliveriesQuery,
  ListWebhooksQuery,
  ReplayRequest,
  UpdateWebhookRequest,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookReplay,
  WebhookTest,
} from "./types.js";

/** Webhook endpoints and their deliveries. The key needs the scope `webhooks:manage`. */
export class Webhooks {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Creates an endpoint. Store the `secret` of the answer: it is shown only this once. Isn't retried if it is unknown
   * whether Waypost created the endpoint.
   */
  create(endpoint: CreateWebhookRequest, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.#send("createWebhook", { json: endpoint }, options);
  }

  get(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#send("getWebhook", { path: { id: endpointId } }, options);
  }

  /** Lists endpoints, newest first. */
  list(query: ListWebhooksQuery = {}, options?: CallOptions): List<WebhookEndpoint> {
    return new List(query, (page) => this.#send("listWebhooks", { query: page }, options));
  }

  /** Changes an endpoint. Absent fields stay unchanged. */
  update(endpointId: string, changes: UpdateWebhookRequest, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#send("updateWebhook", { path: { id: endpointId }, json: changes }, options);
  }

  /** Deletes an endpoint. Nothing is delivered to it from then on. */
  delete(endpointId: string, options?: CallOptions): Promise<void> {
    return this.#send("deleteWebhook", { path: { id: endpointId } }, options);
  }

  /**
   * Replaces the signing secret. The previous one signs too for a while. Isn't retried if it is unknown whether Waypost
   * did it.
   */
  rotateSecret(endpointId: string, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.#send("rotateWebhookSecret", { path: { id: endpointId } }, options);
  }

  /** Posts a `webhook.test` to the endpoint, and returns how it answered. Isn't retried. */
  test(endpointId: string, options?: CallOptions): Promise<WebhookTest> {
    return this.#send("testWebhook", { path: { id: endpointId } }, options);
  }

  /** Lists deliveries to an endpoint, with their attempts. */
  deliveries(
    endpointId: string,
    query: ListDeliveriesQuery = {},
    options?: CallOptions,
  ): List<WebhookDelivery> {
    const path = { id: endpointId };
    return new List(query, (page) => this.#send("listDeliveries", { path, query: page }, options));
  }

  /** Sends an event again. @param deliveryId id of the delivery, or of its event. */
  redeliver(endpointId: string, deliveryId: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.#send("redeliver", { path: { id: endpointId, delivery_id: deliveryId } }, options);
  }

  /**
   * Sends the events of a period again. Without a `replay_id`, the client adds one, so that its own retries start only
   * one replay. With `only: "all"` you have to give one, so that a repeat of your program doesn't start another.
   */
  replay(endpointId: string, request: ReplayRequest, options?: CallOptions): Promise<WebhookReplay> {
    const needsId = request.only !== "all" && request.dry_run !== true;
    const replayId = needsId ? { replay_id: crypto.randomUUID() } : {};
    const given = (request.replay_id ?? null) === null ? replayId : {};
    return this.#send("replay", { path: { id: endpointId }, json: { ...request, ...given } }, options);
  }

  /**
   * Fetches the events of an endpoint without a URL, oldest first, and waits for later ones until `signal` aborts. Each
   * event is yielded at least once: process an `id` that you know only once.
   */
  pull(endpointId: string, options?: PullOptions): AsyncGenerator<Event, void, undefined> {
    return pullEvents(this.#send, endpointId, options);
  }
}
