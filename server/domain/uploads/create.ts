import { randomBytes } from "node:crypto";
import { z } from "zod";
import { newId } from "@/db/schema";
import { requireCapability } from "@/server/core/capabilities";
import { type Context, perServices, type Services } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { requireLive } from "@/server/domain/keys/authenticate";
import {
  agreedType,
  bytesMaxOfFile,
  declaredType,
  examine,
  FILE_BYTES_MAX,
  requireAccepted,
} from "./file-type";
import { cleanFilename } from "@/server/adapters/files/filename";
import type { IncomingFile } from "@/server/adapters/files/incoming-file";
import { fileTooLarge, receive, RECEIVE_LIMITS, type ReceiveLimits } from "./receive";
import type { StagedFile } from "@/server/adapters/files/store";

/** Messages can be sent with an upload for this long; WhatsApp stores it equally long. */
export const UPLOAD_KEPT_DAYS = 30;

/** Maximum concurrent uploads of one organization, so that it can't occupy every slot with slow files. */
const AT_ONCE_MAX = 8;
const RETRY_AFTER_SECONDS = "5";

export const uploadOutput = z
  .object({
    storage_key: z.string(),
    mime_type: z.string(),
    /** Bytes. */
    size: z.int(),
    /** Hex. */
    sha256: z.string(),
    expires_at: z.iso.datetime(),
  })
  .meta({
    id: "Upload",
    examples: [
      {
        storage_key: "upl_4f6c1d0b9a8e47f2a3c5d6e7f8091a2b",
        mime_type: "application/pdf",
        size: 48_213,
        sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        expires_at: "2026-03-02T12:00:00.000Z",
      },
    ],
  });

export type UploadOutput = z.infer<typeof uploadOutput>;

interface CreateUpload {
  readonly ctx: Context;
  readonly input: { readonly file: IncomingFile; readonly limits?: Omit<ReceiveLimits, "bytesMax"> };
}

/**
 * Receives a file for sending, and stores it for 30 days. Its type is determined from its bytes. After any failure,
 * nothing of it stays. Once this resolves, the file is on disk. After the upload it checks again that the key is live.
 * @throws WaypostError `invalid_media`, `payload_too_large`, `request_timeout`; `validation_failed` for an empty file;
 * `upload_quota_exceeded`; `api_key_revoked`, `api_key_expired`; `unavailable` if there is no room for it, or during
 * too many concurrent uploads.
 */
export async function createUpload({ ctx, input }: CreateUpload): Promise<UploadOutput> {
  requireCapability(ctx.actor, "messages.send");
  const { file, limits = RECEIVE_LIMITS } = input;
  const declared = declaredType(file.contentType);
  const bytesMax = declared === null ? FILE_BYTES_MAX : requireAccepted(declared);
  if (file.declaredBytes !== undefined && file.declaredBytes > bytesMax) throw fileTooLarge(bytesMax);
  const { services, actor } = ctx;
  const staged = await limitConcurrentUploads(services, actor.organizationId, async () => {
    await requireQuota(ctx, file.declaredBytes ?? 1);
    const chunks = receive(file.chunks(), { bytesMax, ...limits });
    return services.uploads.stage(chunks, file.declaredBytes ?? bytesMax);
  });
  try {
    if (actor.kind === "key") await requireLive(services, actor);
    const filename = cleanFilename(file.filename);
    const mimeType = await checkedType(staged, declared, filename);
    return await keep(ctx, { staged, filename, mimeType });
  } finally {
    await staged.discard();
  }
}

const inFlightOf = perServices(() => new Map<string, number>());

/**
 * Limits the concurrent uploads of one organization in this process.
 * @throws WaypostError `unavailable` above the limit.
 */
async function limitConcurrentUploads<T>(
  services: Services,
  organizationId: string,
  take: () => Promise<T>,
): Promise<T> {
  const inFlight = inFlightOf(services);
  const before = inFlight.get(organizationId) ?? 0;
  if (before >= AT_ONCE_MAX) {
    throw new WaypostError("unavailable", {
      message: `Your organization is already uploading ${AT_ONCE_MAX} files. Send this file when one of them is done.`,
      headers: { "Retry-After": RETRY_AFTER_SECONDS },
    });
  }
  inFlight.set(organizationId, before + 1);
  try {
    return await take();
  } finally {
    const left = (inFlight.get(organizationId) ?? 1) - 1;
    if (left === 0) inFlight.delete(organizationId);
    else inFlight.set(organizationId, left);
  }
}

async function checkedType(
  staged: StagedFile,
  declared: string | null,
  filename: string | null,
): Promise<string> {
  if (staged.size === 0) {
    throw new WaypostError("validation_failed", {
      message: "The file is empty. Send its bytes as the body.",
    });
  }
  const evidence = await examine(staged.path);
  const mimeType = agreedType(declared, evidence, filename);
  const bytesMax = bytesMaxOfFile(mimeType, evidence);
  if (staged.size > bytesMax) throw fileTooLarge(bytesMax);
  return mimeType;
}

/** An early check before reading; `keep` makes the final one. */
async function requireQuota({ services, actor }: Context, bytes: number): Promise<void> {
  const [exceeded] = await services.sql`
    select from organizations
    where id = ${actor.organizationId} and uploaded_bytes + ${bytes}::bigint > upload_quota_bytes`;
  if (exceeded) throw new WaypostError("upload_quota_exceeded");
}

/** Stores the bytes first, so that there is no row without them. */
async function keep(
  { services, actor }: Context,
  upload: { staged: StagedFile; filename: string | null; mimeType: string },
): Promise<UploadOutput> {
  const { staged, filename, mimeType } = upload;
  const { size, sha256 } = staged;
  const id = newId();
  const storageKey = `upl_${randomBytes(16).toString("hex")}`;
  await staged.keep(id);
  try {
    // Concurrent uploads wait for each other at the organization's row, and see the bytes of those before them.
    const [row] = await services.sql<{ expiresAt: Date }[]>`
      with room as (
        update organizations set uploaded_bytes = uploaded_bytes + ${size}::bigint
        where id = ${actor.organizationId} and uploaded_bytes + ${size}::bigint <= upload_quota_bytes
        returning id
      )
      insert into uploads (id, organization_id, storage_key, filename, mime_type, size, sha256, expires_at)
      select ${id}::uuid, id, ${storageKey}, ${filename}, ${mimeType}, ${size}::bigint, ${sha256},
        now() + make_interval(days => ${UPLOAD_KEPT_DAYS})
      from room
      returning expires_at as "expiresAt"`;
    if (!row) throw new WaypostError("upload_quota_exceeded");
    const expiresAt = row.expiresAt.toISOString();
    return { storage_key: storageKey, mime_type: mimeType, size, sha256, expires_at: expiresAt };
  } catch (error) {
    // The sweep removes it otherwise.
    await services.uploads.remove(id).catch(() => undefined);
    throw error;
  }
}
