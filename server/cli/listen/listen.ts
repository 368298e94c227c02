import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { type Api, ApiRefusal, ApiUnreachable } from "./api";
import { forward, type ForwardResult } from "./forward";

export interface ListenOptions {
  readonly api: Api;
  /** Where events are posted to. */
  readonly forward: string;
  /** The endpoint to fetch from; one is made for the while when null. */
  readonly endpointId: string | null;
  /** To begin with what arose so long ago; null: with what arises from now on. */
  readonly sinceSeconds: number | null;
  readonly stopping: AbortSignal;
  readonly tell: Told;
}

/** What somebody watches. */
export interface Told {
  listening(endpoint: { id: string; secret: string | null }): void;
  handled(event: HandledEvent): void;
  /** Something that may pass; it is tried again. */
  trouble(words: string): void;
}

export interface HandledEvent {
  readonly at: Date;
  readonly type: string;
  readonly deliveryId: string;
  readonly messageId: string | null;
  /** Null: its body was erased, so there was nothing to post. */
  readonly result: ForwardResult | null;
}

export interface Heard {
  readonly taken: number;
  readonly notTaken: number;
  /** The endpoint that was made for it, where it couldn't be removed. */
  readonly leftEndpointId: string | null;
}

const POLL_MS = 500;
const TROUBLE_MS = 1_000;
const TROUBLE_MS_MAX = 15_000;
/** Few: each is signed as of now, and a receiver takes that for five minutes. */
const PAGE_ROWS = 10;

const endpointSchema = z.object({ id: z.string(), url: z.string().nullable() });
const pageSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
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
 * Fetches the events of an endpoint and posts each to a local program, in order, until it is told to stop. What passes by
 * itself (limits, a restart, the network) is waited for. An endpoint that was made for it is removed at the end.
 * @throws ApiRefusal, ApiUnreachable before the first event; later only for a refusal that no waiting helps against.
 */
export async function listen(options: ListenOptions): Promise<Heard> {
  const { api, tell, stopping } = options;
  const heard = { taken: 0, notTaken: 0 };
  let left: string | null = null;
  let endpoint: ListenedEndpoint | undefined;
  try {
    endpoint = await openEndpoint(options);
    tell.listening(endpoint);
    for await (const delivery of deliveriesOf(options, endpoint)) {
      const result = await forwardDelivery(options, delivery);
      heard[result?.isTaken === false ? "notTaken" : "taken"] += 1;
    }
  } catch (error) {
    if (!stopping.aborted) throw error;
  } finally {
    if (endpoint?.isOurs && !(await remove(api, endpoint.id))) {
      left = endpoint.id;
      tell.trouble(
        `The endpoint ${left} could not be removed. Remove it on the page Webhooks, or by the API.`,
      );
    }
  }
  return { ...heard, leftEndpointId: left };
}

async function remove(api: Api, id: string): Promise<boolean> {
  const removal = api.call({ method: "DELETE", path: `/webhooks/${id}`, schema: z.unknown() });
  return removal.then(
    () => true,
    // Somebody else has.
    (error: unknown) => error instanceof ApiRefusal && error.status === 404,
  );
}

interface ListenedEndpoint {
  readonly id: string;
  readonly secret: string | null;
  readonly isOurs: boolean;
  /** What isn't listed; null for all there is. */
  readonly since: string | null;
}

async function openEndpoint(options: ListenOptions): Promise<ListenedEndpoint> {
  const { api, endpointId, sinceSeconds, stopping } = options;
  const { time } = await api.call({
    method: "GET",
    path: "/ping",
    schema: z.object({ time: z.string() }),
    stopping,
  });
  const since = new Date(Date.parse(time) - (sinceSeconds ?? 0) * 1000).toISOString();
  if (endpointId !== null) {
    const path = `/webhooks/${encodeURIComponent(endpointId)}`;
    const { id, url } = await api.call({ method: "GET", path, schema: endpointSchema, stopping });
    if (url !== null) throw isPosted(url);
    return { id, secret: null, isOurs: false, since };
  }
  const { id, secret } = await api.call({
    method: "POST",
    path: "/webhooks",
    body: { url: null, description: "waypost webhook listen", ...(sinceSeconds === null ? {} : { since }) },
    schema: endpointSchema.extend({ secret: z.string() }),
    // Not given up: what is made must be known, to be removed.
  });
  return { id, secret, isOurs: true, since: null };
}

function isPosted(url: string): ApiRefusal {
  const words = `The endpoint's events are posted to ${url}. Only those of an endpoint without a URL can be fetched.`;
  return new ApiRefusal(409, "webhook_has_url", words, null);
}

/** One after the other, for ever. @throws what `stopping` is aborted with. */
async function* deliveriesOf(
  options: ListenOptions,
  { id, since }: ListenedEndpoint,
): AsyncGenerator<Delivery> {
  const { api, stopping } = options;
  const query = new URLSearchParams({ order: "oldest", include: "payload", limit: String(PAGE_ROWS) });
  if (since !== null) query.set("since", since);
  for (let troubles = 0; ;) {
    const path = `/webhooks/${id}/deliveries?${query}`;
    try {
      const page = await api.call({ method: "GET", path, schema: pageSchema, stopping });
      troubles = 0;
      yield* page.data;
      if (page.next_cursor !== null) query.set("cursor", page.next_cursor);
      if (page.data.length < PAGE_ROWS) await pause(POLL_MS, undefined, { signal: stopping });
    } catch (error) {
      troubles += 1;
      await waitOut(options, error, troubles);
    }
  }
}

/** @throws the error itself, where it won't pass. */
async function waitOut({ tell, stopping }: ListenOptions, error: unknown, troubles: number): Promise<void> {
  stopping.throwIfAborted();
  const isPassing = error instanceof ApiRefusal && (error.status === 429 || error.status >= 500);
  if (!isPassing && !(error instanceof ApiUnreachable)) throw error;
  if (troubles === 1) tell.trouble(`${error.message} It is asked again until it answers.`);
  const usual = Math.min(TROUBLE_MS_MAX, TROUBLE_MS * 2 ** (troubles - 1));
  const asked = error instanceof ApiRefusal ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  await pause(Math.max(usual, asked), undefined, { signal: stopping });
}

async function forwardDelivery(options: ListenOptions, delivery: Delivery): Promise<ForwardResult | null> {
  const { tell, stopping } = options;
  const { id: deliveryId, type, message_id: messageId, body, headers } = delivery;
  const at = new Date();
  const isThere = typeof body === "string" && headers !== null && headers !== undefined;
  const result = isThere ? await forward(options.forward, { headers, body }, stopping) : null;
  tell.handled({ at, type, deliveryId, messageId, result });
  return result;
}
