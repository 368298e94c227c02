import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { type Api, ApiError, ApiUnreachable } from "./api";
import { type FailedTry, forward, type ForwardResult, type Patience, PATIENCE } from "./forward";
import type { Notes } from "./notes";

export interface ListenOptions {
  readonly api: Api;
  /** Where events are posted to; null: nowhere, they are only told of. */
  readonly forward: string | null;
  /** The endpoint to fetch from; when null, one is made, and removed at the end. */
  readonly endpointId: string | null;
  /** To begin with what arose so long ago; null: with what arises from now on. */
  readonly sinceSeconds: number | null;
  /** Of endpoints that are made so: what killed listeners left is removed first. */
  readonly notes: Notes;
  readonly stopping: AbortSignal;
  readonly reporter: ListenReporter;
  readonly patience?: Patience;
  /** What was fetched longer ago is fetched anew before it is posted. */
  readonly freshMs?: number;
}

/** Receives what a person wants to see. */
export interface ListenReporter {
  listening(endpoint: Pick<ListenedEndpoint, "id" | "organizationId" | "secret">): void;
  /** A local program didn't take an event, which is posted again. */
  failedTry(event: ReceivedEvent & { readonly failed: FailedTry }): void;
  handled(event: HandledEvent): void;
  /** Something beside that: what was removed, or what failed, and is tried again where it may pass. */
  remark(words: string): void;
}

export interface ReceivedEvent {
  /** When that was known which is told. */
  readonly at: Date;
  readonly type: string;
  /** The `webhook-id`. */
  readonly eventId: string;
  readonly deliveryId: string;
  readonly messageId: string | null;
}

export interface HandledEvent extends ReceivedEvent {
  /** Erased: there was no body to post. Shown: nothing was to be posted. */
  readonly result: ForwardResult | "erased" | "shown";
}

/** Each event counts as one of these. */
const OUTCOMES = ["taken", "notTaken", "erased", "shown"] as const;

export interface ListenCounts extends Readonly<Record<(typeof OUTCOMES)[number], number>> {
  /** The endpoint that was made for it, where it couldn't be removed. */
  readonly leftEndpointId: string | null;
}

const POLL_MS = 500;
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 15_000;
const PAGE_ROWS = 10;
/**
 * They are signed as of when they are fetched, and a receiver takes that for five minutes: there are left those in which a
 * program that hangs uses up its tries.
 */
const FRESH_MS = 60_000;

const GIVEN_UP =
  "This command doesn't post failed events again. To get them again, start another listener with --since 5m, or with a longer time.";

/** By which people know its endpoints. */
export const LISTENER = "waypost webhook listen";

const endpointSchema = z.object({ id: z.string(), url: z.string().nullable() });
const pageSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      /** Older services have none: there it is the delivery's. */
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
 * Fetches the events of an endpoint and posts each to a local program, if there is one, in order, until it is told to stop. What passes by
 * itself (limits, a restart, the network) is waited for. An endpoint that was made for it is removed at the end.
 * @throws ApiRefusal, ApiUnreachable before the first event; later only for a refusal that no waiting helps against.
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

/** @returns whether it is gone. */
async function remove({ api, notes }: ListenOptions, id: string): Promise<boolean> {
  const removal = api.call({ method: "DELETE", path: `/webhooks/${id}`, schema: z.unknown() });
  const isGone = await removal.then(
    () => true,
    // Somebody else has removed it.
    (error: unknown) => error instanceof ApiError && error.status === 404,
  );
  if (isGone) await notes.remove(id);
  return isGone;
}

/** An organization has room for few endpoints. */
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
  /** What isn't listed; null for all there is. */
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
    // Not given up: what is made must be known, to be removed.
  });
  await notes.add({ endpointId: id, organizationId });
  return { id, organizationId, secret, isOurs: true, since: null };
}

function isPosted(url: string): ApiError {
  const words = `The endpoint's events are sent to ${url}. Only events of an endpoint without a URL can be fetched.`;
  return new ApiError(409, "webhook_has_url", words, null);
}

/** One after the other, for ever. @throws what `stopping` is aborted with. */
async function* deliveriesOf(
  options: ListenOptions,
  { id, since }: ListenedEndpoint,
): AsyncGenerator<Delivery> {
  const { api, stopping, freshMs = FRESH_MS } = options;
  const query = new URLSearchParams({ order: "oldest", limit: String(PAGE_ROWS) });
  if (options.forward !== null) query.set("include", "payload");
  if (since !== null) query.set("since", since);
  /** Those of the page that went out already, where it is fetched anew. */
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

/** @throws the error itself, where it won't pass. */
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
