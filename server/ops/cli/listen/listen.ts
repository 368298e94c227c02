import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { type Api, ApiError, ApiUnreachable } from "./api";
import { type FailedTry, forward, type ForwardResult, type Patience, PATIENCE } from "./forward";
import type { Notes } from "./notes";

export interface ListenOptions {
  readonly api: Api;
  /** Address that events are posted to. Null: they are only shown. */
  readonly forward: string | null;
  /** The endpoint to fetch from. If null, one is created, and removed at the end. */
  readonly endpointId: string | null;
  /** Starts with events of this age. Null: only with new events. */
  readonly sinceSeconds: number | null;
  /** Notes about created endpoints. The endpoints of killed listeners are removed first. */
  readonly notes: Notes;
  readonly stopping: AbortSignal;
  readonly reporter: ListenReporter;
  readonly patience?: Patience;
  /** Events that were fetched longer ago are fetched again before they are posted. */
  readonly freshMs?: number;
}

/** Receives the output for a person. */
export interface ListenReporter {
  listening(endpoint: Pick<ListenedEndpoint, "id" | "organizationId" | "secret">): void;
  /** A local program didn't accept an event. It is retried. */
  failedTry(event: ReceivedEvent & { readonly failed: FailedTry }): void;
  handled(event: HandledEvent): void;
  /** Any other message: an endpoint that was removed, or an error, which is retried if it may be temporary. */
  remark(words: string): void;
}

export interface ReceivedEvent {
  /** When the reported fact became known. */
  readonly at: Date;
  readonly type: string;
  /** The `webhook-id`. */
  readonly eventId: string;
  readonly deliveryId: string;
  readonly messageId: string | null;
}

export interface HandledEvent extends ReceivedEvent {
  /** Erased: there was no body to post. Shown: events are not posted. */
  readonly result: ForwardResult | "erased" | "shown";
}

/** Each event counts as one of these. */
const OUTCOMES = ["taken", "notTaken", "erased", "shown"] as const;

export interface ListenCounts extends Readonly<Record<(typeof OUTCOMES)[number], number>> {
  /** The endpoint that was created for the command and couldn't be removed. */
  readonly leftEndpointId: string | null;
}

const POLL_MS = 500;
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 15_000;
const PAGE_ROWS = 10;
/**
 * Events are signed when they are fetched, and a receiver accepts the signature for five minutes. The rest of that time
 * is for the retries of a program that hangs.
 */
const FRESH_MS = 60_000;

const GIVEN_UP =
  "This command doesn't post failed events again. To get them again, start another listener with --since 5m, or with a longer time.";

/** Name by which people recognise its endpoints. */
export const LISTENER = "waypost webhook listen";

const endpointSchema = z.object({ id: z.string(), url: z.string().nullable() });
const pageSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      /** Older services don't send it. The delivery's id is used then. */
      event_id: z.string().optional(),
      type: z.string(),
      message_id: z.string().nullable(),
      body: z.string().nullable().optional(),
      headers: z.record(z.string(), z.string()).nullable().optional(),
    }),
  ),
  next_cursor: z.string().nullable(),
});
type Delivery = z.output<typeof pageSchema>["data"][number];

/**
 * Fetches the events of an endpoint and posts each to a local program, if there is one, in order, until it is stopped.
 * Temporary errors (limits, a restart, the network) are retried. An endpoint that was created for it is removed at the
 * end.
 * @throws ApiRefusal, ApiUnreachable before the first event; later only for a refusal that retrying can't resolve.
 */
export async function listen(options: ListenOptions): Promise<ListenCounts> {
  const { stopping, reporter } = options;
  const counts = { taken: 0, notTaken: 0, erased: 0, shown: 0 };
  let left: string | null = null;
  let endpoint: ListenedEndpoint | undefined;
  try {
    endpoint = await openEndpoint(options);
    reporter.listening(endpoint);
    for await (const delivery of deliveriesOf(options, endpoint)) {
      const outcome = outcomeOf(await handle(options, delivery));
      counts[outcome] += 1;
      if (outcome === "notTaken" && counts.notTaken === 1) reporter.remark(GIVEN_UP);
    }
  } catch (error) {
    if (!stopping.aborted) throw error;
  } finally {
    if (endpoint?.isOurs && !(await remove(options, endpoint.id))) {
      left = endpoint.id;
      reporter.remark(
        `The endpoint ${left} could not be removed. The next listener on this machine tries again. You can also remove it on the Webhooks page or with the API.`,
      );
    }
  }
  return { ...counts, leftEndpointId: left };
}

function outcomeOf(result: HandledEvent["result"]): (typeof OUTCOMES)[number] {
  if (typeof result === "string") return result;
  return result.isAccepted ? "taken" : "notTaken";
}

/** @returns true if it is gone. */
async function remove({ api, notes }: ListenOptions, id: string): Promise<boolean> {
  const removal = api.call({ method: "DELETE", path: `/webhooks/${id}`, schema: z.unknown() });
  const isGone = await removal.then(
    () => true,
    // Someone else has removed it.
    (error: unknown) => error instanceof ApiError && error.status === 404,
  );
  if (isGone) await notes.remove(id);
  return isGone;
}

/** The number of endpoints per organization is small. */
async function removeLeft(options: ListenOptions, organizationId: string): Promise<void> {
  for (const id of await options.notes.left(organizationId)) {
    options.stopping.throwIfAborted();
    if (await remove(options, id)) {
      options.reporter.remark(`Removed the endpoint ${id} of a listener that was killed.`);
    }
  }
}

interface ListenedEndpoint {
  readonly id: string;
  readonly organizationId: string;
  readonly secret: string | null;
  readonly isOurs: boolean;
  /** Start of the list. Null for the whole history. */
  readonly since: string | null;
}

async function openEndpoint(options: ListenOptions): Promise<ListenedEndpoint> {
  const { api, notes, endpointId, sinceSeconds, stopping } = options;
  const { time, organization_id: organizationId } = await api.call({
    method: "GET",
    path: "/ping",
    schema: z.object({ time: z.string(), organization_id: z.string() }),
    stopping,
  });
  const since = new Date(Date.parse(time) - (sinceSeconds ?? 0) * 1000).toISOString();
  if (endpointId !== null) {
    const path = `/webhooks/${encodeURIComponent(endpointId)}`;
    const { id, url } = await api.call({ method: "GET", path, schema: endpointSchema, stopping });
    if (url !== null) throw isPosted(url);
    return { id, organizationId, secret: null, isOurs: false, since };
  }
  await removeLeft(options, organizationId);
  const { id, secret } = await api.call({
    method: "POST",
    path: "/webhooks",
    body: { url: null, description: LISTENER, ...(sinceSeconds === null ? {} : { since }) },
    schema: endpointSchema.extend({ secret: z.string() }),
    // Not cancelled: the created endpoint must be known, so that it can be removed.
  });
  await notes.add({ endpointId: id, organizationId });
  return { id, organizationId, secret, isOurs: true, since: null };
}

function isPosted(url: string): ApiError {
  const words = `The endpoint's events are sent to ${url}. Only events of an endpoint without a URL can be fetched.`;
  return new ApiError(409, "webhook_has_url", words, null);
}

/** Yields deliveries one by one, endlessly. @throws the reason that `stopping` was aborted with. */
async function* deliveriesOf(
  options: ListenOptions,
  { id, since }: ListenedEndpoint,
): AsyncGenerator<Delivery> {
  const { api, stopping, freshMs = FRESH_MS } = options;
  const query = new URLSearchParams({ order: "oldest", limit: String(PAGE_ROWS) });
  if (options.forward !== null) query.set("include", "payload");
  if (since !== null) query.set("since", since);
  /** Deliveries of the page that were already yielded, if it is fetched again. */
  const out = new Set<string>();
  for (let outageLogs = 0; ;) {
    const path = `/webhooks/${id}/deliveries?${query}`;
    try {
      const page = await api.call({ method: "GET", path, schema: pageSchema, stopping });
      outageLogs = 0;
      const staleAt = performance.now() + freshMs;
      for (const delivery of page.data) {
        if (out.has(delivery.id)) continue;
        if (performance.now() > staleAt) break;
        yield delivery;
        out.add(delivery.id);
      }
      if (!page.data.every((delivery) => out.has(delivery.id))) continue;
      out.clear();
      if (page.next_cursor !== null) query.set("cursor", page.next_cursor);
      if (page.data.length < PAGE_ROWS) await pause(POLL_MS, undefined, { signal: stopping });
    } catch (error) {
      outageLogs += 1;
      await waitOut(options, error, outageLogs);
    }
  }
}

/** @throws the error itself, if it isn't temporary. */
async function waitOut(
  { reporter, stopping }: ListenOptions,
  error: unknown,
  outageLogs: number,
): Promise<void> {
  stopping.throwIfAborted();
  const isPassing = error instanceof ApiError && (error.status === 429 || error.status >= 500);
  if (!isPassing && !(error instanceof ApiUnreachable)) throw error;
  if (outageLogs === 1) reporter.remark(`${error.message} Retrying until it responds.`);
  const usual = Math.min(RETRY_MS_MAX, RETRY_MS * 2 ** (outageLogs - 1));
  const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  await pause(Math.max(usual, asked), undefined, { signal: stopping });
}

async function handle(options: ListenOptions, delivery: Delivery): Promise<HandledEvent["result"]> {
  const { id: deliveryId, event_id: eventId = deliveryId, type, message_id: messageId } = delivery;
  const event = { type, eventId, deliveryId, messageId };
  const onFailedTry = (failed: FailedTry) => options.reporter.failedTry({ ...event, at: new Date(), failed });
  const result = await forwardDelivery(options, delivery, onFailedTry);
  options.reporter.handled({ ...event, at: new Date(), result });
  return result;
}

async function forwardDelivery(
  { forward: to, stopping, patience = PATIENCE }: ListenOptions,
  { body, headers }: Delivery,
  onFailedTry: (failed: FailedTry) => void,
): Promise<HandledEvent["result"]> {
  if (to === null) return "shown";
  const isThere = typeof body === "string" && headers !== null && headers !== undefined;
  return isThere ? forward(to, { headers, body }, { patience, stopping, onFailedTry }) : "erased";
}
