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
  type RefusedCaller,
  type RefusedRequest,
} from "./refused-request";
import { type KeptRequest, type RefusalCount, storeRefusals } from "./store";

/** The caller's key as far as it is known: its id, or the SHA-256 of a secret in hex. */
export type CallerId = string;

interface BatchedRequest extends Omit<
  KeptRequest,
  "organizationId" | "keyId" | "secretId" | "recipientHash"
> {
  readonly caller: RefusedCaller;
  /** The recipient's number, hashed before it is stored. */
  readonly number: string | null;
  /** On the monotonic clock. */
  readonly addedAtMs: number;
}

interface BatchedCount {
  readonly caller: RefusedCaller;
  readonly code: ErrorCode;
  readonly hourMs: number;
  refused: number;
}

/** Refusals that are written together, up to the limit for memory. */
export interface Batch {
  readonly requests: BatchedRequest[];
  readonly counts: Map<string, BatchedCount>;
  /** Hashes of secrets whose key isn't known yet, by hex. */
  readonly secrets: Map<CallerId, Buffer>;
}

const REQUESTS_MAX = 1_000;
const COUNTS_MAX = 5_000;
/** Anyone can invent well-formed secrets: they must not displace refusals of known keys. */
const SECRETS_MAX = 200;

const HOUR_MS = 3_600_000;

export const newBatch = (): Batch => ({ requests: [], counts: new Map(), secrets: new Map() });

/**
 * Counts a refusal, and also stores it as a row if `isAdmitted` allows it and there is room.
 * @returns false if a known key's refusal couldn't even be counted.
 */
export function addTo(
  batch: Batch,
  request: RefusedRequest,
  nowMs: number,
  isAdmitted: (caller: CallerId, nowMs: number) => boolean,
): boolean {
  const id = idOf(request.caller);
  if (!needsLookup(batch, request.caller, id)) return true;
  if (!countIn(batch, request, id, nowMs)) return false;
  if (batch.requests.length < REQUESTS_MAX && isAdmitted(id, nowMs))
    batch.requests.push(notedOf(request, nowMs));
  return true;
}

/** The number of refusals in it, including those of unknown secrets. */
export function refusedIn({ counts }: Batch): number {
  return [...counts.values()].reduce((sum, { refused }) => sum + refused, 0);
}

const idOf = (caller: RefusedCaller): CallerId =>
  caller.kind === "key" ? caller.keyId : caller.hash.toString("hex");

/** Returns whether there is a key, or room to look one up. */
function needsLookup({ secrets }: Batch, caller: RefusedCaller, id: CallerId): boolean {
  if (caller.kind === "key" || secrets.has(id)) return true;
  if (secrets.size >= SECRETS_MAX) return false;
  secrets.set(id, caller.hash);
  return true;
}

/** @returns false if there is no room for another count. */
function countIn({ counts }: Batch, { caller, code }: RefusedRequest, id: CallerId, nowMs: number): boolean {
  const hourMs = nowMs - (nowMs % HOUR_MS);
  const name = `${id} ${code} ${hourMs}`;
  const count = counts.get(name);
  if (count !== undefined) count.refused += 1;
  else if (counts.size >= COUNTS_MAX) return false;
  else counts.set(name, { caller, code, hourMs, refused: 1 });
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

type KeyOf = (caller: RefusedCaller) => KnownKey | undefined;

/**
 * Writes the batch, without refusals whose key is unknown. A refusal from before its organization's last erasure of a
 * person names nobody, because that person could be its recipient.
 */
export async function storeBatch(services: Pick<Services, "sql" | "vault">, batch: Batch): Promise<void> {
  const { sql } = services;
  const keyOf = await keysOf(sql, batch);
  const requests = await requestsOf(services, batch, keyOf);
  const counts = countsOf(batch, keyOf);
  if (counts.length === 0) return;
  await sql.begin(async (tx) => {
    const since = await sinceForgotten(tx, [...new Set(counts.map(({ organizationId }) => organizationId))]);
    const nowMs = performance.now();
    const isForgotten = ({ organizationId, addedAtMs }: HashedRequest) =>
      nowMs - addedAtMs >= (since.get(organizationId) ?? Number.POSITIVE_INFINITY);
    const kept = requests.map((request) =>
      isForgotten(request) ? { ...request, recipientHash: null, conversationId: null } : request,
    );
    await storeRefusals(tx, kept, counts);
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

function countsOf({ counts }: Batch, keyOf: KeyOf): readonly RefusalCount[] {
  const sums = new Map<string, RefusalCount>();
  for (const { caller, code, hourMs, refused } of counts.values()) {
    const key = keyOf(caller);
    if (key === undefined) continue;
    const { organizationId, keyId } = key;
    // One key can appear by its id and by its secrets.
    const name = `${keyId} ${code} ${hourMs}`;
    const sum = refused + (sums.get(name)?.refused ?? 0);
    sums.set(name, { organizationId, keyId, code, hour: new Date(hourMs), refused: sum });
  }
  return [...sums.values()];
}
