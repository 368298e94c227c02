import { z } from "zod";
import type { StoredFile } from "@/server/adapters/files/store";
import { requireCapability, requireMemberCapability } from "@/server/core/capabilities";
import { canUseChannel } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
import { UPLOAD_KEPT_DAYS } from "@/server/domain/uploads/create";
import { isUuid } from "@/server/lib/uuid";
import { WaypostError } from "@/server/platform/errors";

export const messageMediaInput = z.strictObject({
  id: z.string().meta({ description: "The `message_id` of a customer's message with a file" }),
});

/** What members get instead of the bytes. */
export const messageMediaOutput = z.object({
  mime_type: z.string(),
  /** Bytes. */
  size: z.int(),
  /** Hex. */
  sha256: z.string(),
  filename: z.string().nullable(),
});

export type MessageMedia = z.infer<typeof messageMediaOutput>;

/** While an attempt runs. */
const RUNNING_RETRY_AFTER_SECONDS = 5;

interface OpenFile {
  readonly ctx: Context;
  readonly input: z.input<typeof messageMediaInput>;
}

interface OpenedFile {
  readonly media: MessageMedia;
  readonly file: StoredFile;
}

/**
 * Opens the file of a customer's message.
 * @throws WaypostError `media_not_found`, the same for an unknown id, another organization's message, a message without
 * a file, and a channel that the key may not use; it says so, with `Retry-After`, if the file is still being fetched.
 * `media_gone` if it won't be there again; `unavailable` if this process can't read it.
 */
export async function openMessageFile({ ctx, input }: OpenFile): Promise<OpenedFile> {
  requireCapability(ctx.actor, "messages.read");
  return open(ctx, input.id, { withSent: false });
}

/**
 * Opens the file of a message in either direction, for members: a customer's, or an upload that was sent.
 * @throws WaypostError as `openMessageFile` does; `permission_denied` for keys, and without `messages.read`.
 */
export async function openConversationFile({ ctx, input }: OpenFile): Promise<OpenedFile> {
  requireMemberCapability(ctx.actor, "messages.read");
  return open(ctx, input.id, { withSent: true });
}

async function open(ctx: Context, messageId: string, which: { withSent: boolean }): Promise<OpenedFile> {
  const row = isUuid(messageId) ? await findRow(ctx, messageId, which) : null;
  if (row === null || !canUseChannel(ctx, row.channelId)) throw new WaypostError("media_not_found");
  const { goneReason, mimeType, size, sha256, filename } = row;
  if (goneReason !== null) throw new WaypostError("media_gone", { message: GONE[goneReason] });
  if (mimeType === null || size === null || sha256 === null) throw beingFetched(row.retryAfterSeconds);
  const { uploads, customerFiles, log } = ctx.services;
  const file = await (row.isUpload ? uploads : customerFiles).find(row.id);
  if (file === null) {
    log.error({ fileId: row.id }, "this process has no access to the file of a message");
    throw new WaypostError("unavailable", { headers: { "Retry-After": "60" } });
  }
  return { media: { mime_type: mimeType, size, sha256, filename }, file };
}

interface FileRow {
  readonly id: string;
  readonly isUpload: boolean;
  readonly channelId: string;
  readonly goneReason: keyof typeof GONE | null;
  readonly mimeType: string | null;
  readonly size: number | null;
  readonly sha256: string | null;
  readonly filename: string | null;
  readonly retryAfterSeconds: number;
}

const GONE = {
  expired: "WhatsApp no longer has the file, and Waypost couldn't fetch it before.",
  no_room:
    "Customers' files had used up their half of the upload quota for as long as WhatsApp had the file. Waypost couldn't store it.",
  too_large: "The file is larger than 100 MiB. Waypost doesn't store it.",
  erased: "The message was erased, and its file with it.",
  upload_erased: `Waypost erases an uploaded file about ${UPLOAD_KEPT_DAYS} days after its upload.`,
} as const;

async function findRow(
  { services, actor }: Context,
  messageId: string,
  { withSent }: { withSent: boolean },
): Promise<FileRow | null> {
  const [row] = await services.sql<FileRow[]>`
    select coalesce(f.id, u.id) as id, f.id is null as "isUpload", m.channel_id as "channelId",
      case when f.id is not null then f.gone_reason when m.erased_at is not null then 'erased'
        when u.erased_at is not null then 'upload_erased' end as "goneReason",
      coalesce(f.mime_type, u.mime_type) as "mimeType", coalesce(f.size, u.size)::float8 as size,
      coalesce(f.sha256, u.sha256) as sha256, coalesce(m.content #>> '{media,filename}', u.filename) as filename,
      case when f.claim_token is null
        then greatest(1, ceil(extract(epoch from f.next_attempt_at - now())))::int
        else ${RUNNING_RETRY_AFTER_SECONDS}::int end as "retryAfterSeconds"
    from messages m
    left join customer_files f on f.message_id = m.id and f.organization_id = m.organization_id
    left join uploads u on u.id = m.upload_id and u.organization_id = m.organization_id and ${withSent}
    where m.id = ${messageId} and m.organization_id = ${actor.organizationId}
      and (f.id is not null or u.id is not null)`;
  return row ?? null;
}

function beingFetched(retryAfterSeconds: number): WaypostError {
  return new WaypostError("media_not_found", {
    message: "The file is being fetched from WhatsApp. Repeat the request after the time in `Retry-After`.",
    headers: { "Retry-After": String(retryAfterSeconds) },
  });
}
