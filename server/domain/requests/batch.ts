import type { Sql } from "@/db/client";
import type { Services } from "@/server/core/context";
import type { ErrorCode } from "@/server/platform/errors";
import { findSecrets } from "@/server/domain/keys/find-secrets";
import { sinceForgotten } from "@/server/domain/erasure/forget-recipients";
import { recipientHashes } from "@/server/domain/contacts/recipient-hash";
import {
  clientMessageIdOf,
  keptField,
  recipientOf,
  type RefusedRequest,
  type RequestCaller,
  type SucceededRequest,
} from "./recorded-request";
import {
  type KeptRequest,
  type RefusalCount,
  type RequestCount,
  storeRefusals,
  storeRequestCounts,
} from "./store";

/** The caller's key as far as it is known: its id, or the SHA-256 of a secret in hex. */
export type CallerId = string;

interface BatchedRequest extends Omit<
  KeptRequest,
  "organizationId" | "keyId" | "secretId" | "recipientHash"
> {
  readonly caller: RequestCaller;
  /** The recipient's number, hashed before it is stored. */
  readonly number: string | null;
  /** On the monotonic clock. */
  readonly addedAtMs: number;
}

interface BatchedCount {
  readonly caller: RequestCaller;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** Null for a success. */
  readonly code: ErrorCode | null;
  readonly hourMs: number;
  count: number;
}

/** Requests that are written together, up to the limit for memory. */
export interface Batch {
  /** Refusals. */
  readonly requests: BatchedRequest[];
  /** All requests, by kind of caller. */
  readonly counts: Readonly<Record<RequestCaller["kind"], Map<string, BatchedCount>>>;
  /** Hashes of secrets whose key isn't known yet, by hex. */
  readonly secrets: Map<CallerId, Buffer>;
}

const REQUESTS_MAX = 1_000;
// Anyone can invent well-formed secrets: they must not displace requests of known keys.
const COUNTS_MAX = { key: 5_000, secret: 1_000 } as const;
const SECRETS_MAX = 200;

const HOUR_MS = 3_600_000;

export const newBatch = (): Batch => ({
  requests: [],
  counts: { key: new Map(), secret: new Map() },
  secrets: new Map(),
});

export const isEmpty = ({ counts }: Batch): boolean => counts.key.size + counts.secret.size === 0;

/**
 * Counts a refusal, and also stores it as a row if `isAdmitted` allows it and there is room.
 * @returns false if a known key's refusal couldn't even be counted.
 */
export function addRefusal(
  batch: Batch,
  request: RefusedRequest,
  nowMs: number,
  isAdmitted: (caller: CallerId, nowMs: number) => boolean,
): boolean {
  const { caller } = request;
  const id = idOf(caller);
  if (!needsLookup(batch, caller, id)) return true;
  if (!countIn(batch, request, nowMs)) return caller.kind === "secret";
  if (batch.requests.length < REQUESTS_MAX && isAdmitted(id, nowMs))
    batch.requests.push(notedOf(request, nowMs));
  return true;
}

/** Counts a success. @returns false if there is no room. */
export const addSuccess = (batch: Batch, request: SucceededRequest, nowMs: number): boolean =>
  countIn(batch, { ...request, code: null }, nowMs);

/** The number of requests in it, including those of unknown secrets. */
export function requestsIn({ counts }: Batch): number {
  return [...counts.key.values(), ...counts.secret.values()].reduce((sum, { count }) => sum + count, 0);
}

const idOf = (caller: RequestCaller): CallerId =>
  caller.kind === "key" ? caller.keyId : caller.hash.toString("hex");

/** Returns whether there is a key, or room to look one up. */
function needsLookup({ secrets }: Batch, caller: RequestCaller, id: CallerId): boolean {
  if (caller.kind === "key" || secrets.has(id)) return true;
  if (secrets.size >= SECRETS_MAX) return false;
  secrets.set(id, caller.hash);
  return true;
}

/** @returns false if there is no room for another count. */
function countIn(
  batch: Batch,
  { caller, method, route, status, code }: Omit<BatchedCount, "hourMs" | "count">,
  nowMs: number,
): boolean {
  const counts = batch.counts[caller.kind];
  const hourMs = nowMs - (nowMs % HOUR_MS);
  const name = `${idOf(caller)} ${method} ${route} ${status} ${code} ${hourMs}`;
  const known = counts.get(name);
  if (known !== undefined) known.count += 1;
  else if (counts.size >= COUNTS_MAX[caller.kind]) return false;
  else counts.set(name, { caller, method, route, status, code, hourMs, count: 1 });
  return true;
}

function notedOf(request: RefusedRequest, nowMs: number): BatchedRequest {
  const { requestId: id, caller, method, route, status, code, durationMs } = request;
  const field = keptField(request.field);
  const clientMessageId = clientMessageIdOf(request.body);
  const refusedAt = new Date(nowMs);
  const recipient = recipientOf(request.body);
  return {
    id,
    caller,
    method,
    route,
    status,
    code,
    field,
    clientMessageId,
    durationMs,
    refusedAt,
    addedAtMs: performance.now(),
    ...recipient,
  };
}

interface KnownKey {
  readonly organizationId: string;
  readonly keyId: string;
  readonly secretId: string;
}

type KeyOf = (caller: RequestCaller) => KnownKey | undefined;

/**
 * Writes the batch, without requests whose key is unknown. A refusal from before its organization's last erasure of a
 * person names nobody, because that person could be its recipient.
 */
export async function storeBatch(services: Pick<Services, "sql" | "vault">, batch: Batch): Promise<void> {
  const { sql } = services;
  const keyOf = await keysOf(sql, batch);
  const requests = await requestsOf(services, batch, keyOf);
  const { answers, refusals } = countsOf(batch, keyOf);
  if (answers.length === 0) return;
  if (refusals.length === 0) return storeRequestCounts(sql, answers);
  await sql.begin(async (tx) => {
    const since = await sinceForgotten(tx, [
      ...new Set(refusals.map(({ organizationId }) => organizationId)),
    ]);
    const nowMs = performance.now();
    const isForgotten = ({ organizationId, addedAtMs }: HashedRequest) =>
      nowMs - addedAtMs >= (since.get(organizationId) ?? Number.POSITIVE_INFINITY);
    const kept = requests.map((request) =>
      isForgotten(request) ? { ...request, recipientHash: null, conversationId: null } : request,
    );
    await storeRefusals(tx, kept, refusals);
    await storeRequestCounts(tx, answers);
  });
}

async function keysOf(sql: Sql, { secrets }: Batch): Promise<KeyOf> {
  const found = secrets.size === 0 ? [] : await findSecrets(sql, [...secrets.values()]);
  const known = new Map(found.map((key) => [key.hash.toString("hex"), key]));
  return (caller) => (caller.kind === "key" ? caller : known.get(idOf(caller)));
}

interface HashedRequest extends KeptRequest {
  readonly addedAtMs: number;
}

async function requestsOf(
  services: Pick<Services, "sql" | "vault">,
  { requests }: Batch,
  keyOf: KeyOf,
): Promise<readonly HashedRequest[]> {
  const ofKeys: HashedRequest[] = [];
  for (const { caller, number, ...request } of requests) {
    const key = keyOf(caller);
    if (key === undefined) continue;
    const { organizationId, keyId, secretId } = key;
    const numbers = number === null ? [] : [number];
    const [recipientHash = null] = await recipientHashes(services, organizationId, numbers);
    ofKeys.push({ ...request, organizationId, keyId, secretId, recipientHash });
  }
  return ofKeys;
}

/** One key can appear by its id and by its secrets. */
function countsOf({ counts }: Batch, keyOf: KeyOf) {
  const answers = new Map<string, RequestCount>();
  const refusals = new Map<string, RefusalCount>();
  for (const { caller, method, route, status, code, hourMs, count } of [
    ...counts.key.values(),
    ...counts.secret.values(),
  ]) {
    const key = keyOf(caller);
    if (key === undefined) continue;
    const { organizationId, keyId } = key;
    const sum = { organizationId, keyId, hour: new Date(hourMs), count };
    const name = `${keyId} ${hourMs}`;
    addTo(answers, `${name} ${method} ${route} ${status}`, { ...sum, method, route, status });
    if (code !== null) addTo(refusals, `${name} ${code}`, { ...sum, code });
  }
  return { answers: [...answers.values()], refusals: [...refusals.values()] };
}

function addTo<T extends { readonly count: number }>(sums: Map<string, T>, name: string, part: T): void {
  sums.set(name, { ...part, count: part.count + (sums.get(name)?.count ?? 0) });
}
