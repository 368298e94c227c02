import { newId } from "@/db/schema";
import { callerOf, type CallableChannel } from "../channels/caller";
import { perServices, type Services } from "../context";
import { type MediaAnswer, uploadMedia } from "../whatsapp/media-client";

/** WhatsApp keeps an upload for 30 days; a day is left for clocks and for messages that wait. */
const MEDIA_ID_USED_DAYS = 29;

export interface MediaRequest {
  readonly organizationId: string;
  readonly uploadId: string;
  readonly channel: CallableChannel;
}

/** Calls under way, by upload and channel, so that those who want the same file wait for one call. */
const underWayOf = perServices(() => new Map<string, Promise<MediaAnswer>>());

/**
 * The upstream's id of an upload for messages of that channel's number. The file is handed up once, and the id reused
 * until it expires. Never throws. A failure is permanent only where the upstream says so, or the upload is gone.
 */
export async function ensureMediaId(services: Services, wanted: MediaRequest): Promise<MediaAnswer> {
  const underWay = underWayOf(services);
  const name = [wanted.organizationId, wanted.uploadId, wanted.channel.id].join(" ");
  const known = underWay.get(name);
  if (known) return known;
  const answer = findOrUpload(services, wanted)
    .catch((error: unknown) => {
      services.log.warn({ err: error, uploadId: wanted.uploadId }, "a file could not be handed up");
      return retry("the file could not be handed up");
    })
    .finally(() => underWay.delete(name));
  underWay.set(name, answer);
  return answer;
}

async function findOrUpload(services: Services, wanted: MediaRequest): Promise<MediaAnswer> {
  const upload = await findUpload(services, wanted);
  if (upload === null) {
    const detail = { httpStatus: null, upstreamCode: null, reason: "the upload has been removed" };
    return { kind: "failed", outcome: { kind: "rejected", code: "invalid_media", detail } };
  }
  if (upload.mediaId !== null) return { kind: "ready", mediaId: upload.mediaId };
  const caller = callerOf(services, wanted.channel);
  if ("kind" in caller) return { kind: "failed", outcome: caller };
  const file = await services.uploads.find(wanted.uploadId);
  // Another machine may have it.
  if (file === null) return retry("this process has no access to the uploaded file");
  const answer = await uploadMedia({ ...caller, mimeType: upload.mimeType, file });
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

/** The upstream no longer knows this id: the next message with the upload hands it up again. */
export async function forgetMediaId(
  { sql }: Services,
  gone: { organizationId: string; uploadId: string; channelId: string; mediaId: string },
): Promise<void> {
  await sql`
    delete from upload_media
    where upload_id = ${gone.uploadId} and channel_id = ${gone.channelId}
      and organization_id = ${gone.organizationId} and media_id = ${gone.mediaId}`;
}

function retry(reason: string): MediaAnswer {
  const detail = { httpStatus: null, upstreamCode: null, reason };
  return { kind: "failed", outcome: { kind: "retry", detail } };
}
