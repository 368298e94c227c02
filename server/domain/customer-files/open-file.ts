import { z } from "zod";
import type { StoredFile } from "@/server/adapters/files/store";
import { requireCapability } from "@/server/core/capabilities";
import { canUseChannel } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
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

/**
 * Opens the file of a customer's message.
 * @throws WaypostError `media_not_found`, the same for an unknown id, another organization's message, a message without
 * a file, and a channel that the key may not use; it says so, with `Retry-After`, if the file is still being fetched.
 * `media_gone` if it won't be there again; `unavailable` if this process can't read it.
 */
export async function openMessageFile(args: {
  ctx: Context;
  input: z.input<typeof messageMediaInput>;
}): Promise<{ media: MessageMedia; file: StoredFile }> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "messages.read");
  const row = isUuid(input.id) ? await findRow(ctx, input.id) : null;
  if (row === null || !canUseChannel(ctx, row.channelId)) throw new WaypostError("media_not_found");
  const { goneReason, mimeType, size, sha256 } = row;
  if (goneReason !== null) throw new WaypostError("media_gone", { message: GONE[goneReason] });
  if (mimeType === null || size === null || sha256 === null) throw beingFetched(row.retryAfterSeconds);
  const file = await ctx.services.customerFiles.find(row.id);
  if (file === null) {
    ctx.services.log.error({ fileId: row.id }, "this process has no access to a customer's file");
    throw new WaypostError("unavailable", { headers: { "Retry-After": "60" } });
  }
  return { media: { mime_type: mimeType, size, sha256, filename: row.filename }, file };
}

interface FileRow {
  readonly id: string;
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
} as const;

async function findRow({ services, actor }: Context, messageId: string): Promise<FileRow | null> {
  const [row] = await services.sql<FileRow[]>`
    select f.id, f.channel_id as "channelId", f.gone_reason as "goneReason", f.mime_type as "mimeType",
      f.size::float8 as size, f.sha256, m.content #>> '{media,filename}' as filename,
      case when f.claim_token is null
        then greatest(1, ceil(extract(epoch from f.next_attempt_at - now())))::int
        else ${RUNNING_RETRY_AFTER_SECONDS}::int end as "retryAfterSeconds"
    from customer_files f join messages m on m.id = f.message_id and m.organization_id = f.organization_id
    where f.message_id = ${messageId} and f.organization_id = ${actor.organizationId}`;
  return row ?? null;
}

function beingFetched(retryAfterSeconds: number): WaypostError {
  return new WaypostError("media_not_found", {
    message: "The file is being fetched from WhatsApp. Repeat the request after the time in `Retry-After`.",
    headers: { "Retry-After": String(retryAfterSeconds) },
  });
}
