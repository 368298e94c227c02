import type { TransactionSql } from "@/db/client";
import { newId } from "@/db/schema";
import { callerOf, type CallableChannel } from "@/server/domain/channels/caller";
import { perServices, type Services } from "@/server/core/context";
import { unanswered } from "@/server/adapters/whatsapp/answer";
import { countCall } from "@/server/adapters/metrics/measure";
import { type MediaAnswer, mediaRetry, uploadMedia } from "@/server/adapters/whatsapp/media-client";

/** WhatsApp stores an upload for 30 days. One day is a margin for clock differences and waiting messages. */
const MEDIA_ID_USED_DAYS = 29;

export interface MediaRequest {
  readonly organizationId: string;
  readonly uploadId: string;
  readonly channel: CallableChannel;
}

/** Calls in flight, by upload and channel, so that several sends of one file share one call. */
const inFlightOf = perServices(() => new Map<string, Promise<MediaAnswer>>());

/**
 * Returns the upstream's id of an upload, for messages of that channel's number. The file is uploaded once, and the id
 * reused until it expires. Never throws. A failure is permanent only if the upstream says so, or if the upload no
 * longer exists.
 */
export async function ensureMediaId(services: Services, wanted: MediaRequest): Promise<MediaAnswer> {
  const inFlight = inFlightOf(services);
  const name = [wanted.organizationId, wanted.uploadId, wanted.channel.id].join(" ");
  const known = inFlight.get(name);
  if (known) return known;
  const answer = findOrUpload(services, wanted)
    .catch((error: unknown) => {
      services.log.warn({ err: error, uploadId: wanted.uploadId }, "uploading a file to WhatsApp failed");
      return mediaRetry("uploading the file to WhatsApp failed");
    })
    .finally(() => inFlight.delete(name));
  inFlight.set(name, answer);
  return answer;
}

async function findOrUpload(services: Services, wanted: MediaRequest): Promise<MediaAnswer> {
  const upload = await findUpload(services, wanted);
  if (upload === null) {
    const detail = unanswered("the upload was removed");
    return { kind: "failed", outcome: { kind: "rejected", code: "invalid_media", detail } };
  }
  if (upload.mediaId !== null) return { kind: "ready", mediaId: upload.mediaId };
  const caller = callerOf(services, wanted.channel);
  if ("kind" in caller) return { kind: "failed", outcome: caller };
  const file = await services.uploads.find(wanted.uploadId);
  // Another machine may have it.
  if (file === null) return mediaRetry("this process has no access to the uploaded file");
  const startedAtMs = performance.now();
  const answer = await uploadMedia({
    ...caller,
    mimeType: upload.mimeType,
    file,
    signal: services.lifecycle.stopSignal,
  });
  const outcome = answer.kind === "ready" ? "accepted" : answer.outcome.kind;
  countCall(services.metrics, { operation: "upload_media", outcome }, startedAtMs);
  if (answer.kind === "ready") await remember(services, wanted, answer.mediaId);
  return answer;
}

async function findUpload({ sql }: Services, { organizationId, uploadId, channel }: MediaRequest) {
  const [row] = await sql<{ mimeType: string; mediaId: string | null }[]>`
    select u.mime_type as "mimeType", m.media_id as "mediaId"
    from uploads u
    left join upload_media m on m.upload_id = u.id and m.channel_id = ${channel.id} and m.expires_at > now()
    where u.id = ${uploadId} and u.organization_id = ${organizationId} and u.erased_at is null`;
  return row ?? null;
}

async function remember(services: Services, wanted: MediaRequest, mediaId: string): Promise<void> {
  const { organizationId, uploadId, channel } = wanted;
  await services.sql`
    insert into upload_media (id, organization_id, upload_id, channel_id, media_id, expires_at)
    values (${newId()}, ${organizationId}, ${uploadId}, ${channel.id}, ${mediaId},
      now() + make_interval(days => ${MEDIA_ID_USED_DAYS}))
    on conflict (upload_id, channel_id) do update
      set media_id = excluded.media_id, expires_at = excluded.expires_at, created_at = now()`;
}

/**
 * Discards media ids, because the upstream's refusals suggest that it no longer knows the files: those uploaded before
 * the messages were accepted are uploaded again for the next message.
 */
export async function forgetMediaIds(tx: TransactionSql, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length === 0) return;
  await tx`
    delete from upload_media u using messages m
    where m.id = any(${[...messageIds].sort()}::uuid[]) and u.organization_id = m.organization_id
      and u.upload_id = m.upload_id and u.channel_id = m.channel_id and u.created_at < m.created_at`;
}
