import { randomBytes } from "node:crypto";
import { z } from "zod";
import { newId } from "@/db/schema";
import { requireCapability } from "../capabilities";
import type { Context } from "../context";
import { WaypostError } from "../errors";
import { agreedType, declaredType, examine, FILE_BYTES_MAX, requireTaken } from "./file-type";
import { cleanFilename } from "./filename";
import type { IncomingFile } from "./incoming-file";
import { fileTooLarge, receive, RECEIVE_SILENCE_MS, RECEIVE_TIMEOUT_MS } from "./receive";
import type { StagedFile } from "./store";
import { inTurn } from "./turn";

/** Messages can be sent with an upload for so long; WhatsApp keeps it as long. */
export const UPLOAD_KEPT_DAYS = 30;

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
  .meta({ id: "Upload" });

export type UploadOutput = z.infer<typeof uploadOutput>;

interface CreateUpload {
  readonly ctx: Context;
  readonly input: { readonly file: IncomingFile; readonly timeoutMs?: number; readonly silenceMs?: number };
}

/**
 * Takes in a file to be sent, and keeps it for 30 days. Its type is what its bytes say. Whatever goes wrong, nothing of it
 * stays; once this resolves, it is on the disk.
 * @throws WaypostError `invalid_media`, `payload_too_large`, `request_timeout`; `validation_failed` for an empty file;
 * `unavailable` when there is no room for it, or while too many are on their way in.
 */
export async function createUpload({ ctx, input }: CreateUpload): Promise<UploadOutput> {
  requireCapability(ctx.actor, "messages.send");
  const { file, timeoutMs = RECEIVE_TIMEOUT_MS, silenceMs = RECEIVE_SILENCE_MS } = input;
  const declared = declaredType(file.contentType);
  const bytesMax = declared === null ? FILE_BYTES_MAX : requireTaken(declared);
  if (file.declaredBytes !== undefined && file.declaredBytes > bytesMax) throw fileTooLarge(bytesMax);
  const chunks = receive(file.chunks(), { bytesMax, timeoutMs, silenceMs });
  const { services, actor } = ctx;
  const staged = await inTurn(services, actor.organizationId, () =>
    services.uploads.stage(chunks, file.declaredBytes ?? bytesMax),
  );
  try {
    const filename = cleanFilename(file.filename);
    const mimeType = await checkedType(staged, declared, filename);
    return await keep(ctx, { staged, filename, mimeType });
  } finally {
    await staged.discard();
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
  const mimeType = agreedType(declared, await examine(staged.path), filename);
  const bytesMax = requireTaken(mimeType);
  if (staged.size > bytesMax) throw fileTooLarge(bytesMax);
  return mimeType;
}

/** The bytes first, so that there is no row without them. */
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
    const [row] = await services.sql<{ expiresAt: Date }[]>`
      insert into uploads (id, organization_id, storage_key, filename, mime_type, size, sha256, expires_at)
      values (${id}, ${actor.organizationId}, ${storageKey}, ${filename}, ${mimeType}, ${size}, ${sha256},
        now() + make_interval(days => ${UPLOAD_KEPT_DAYS}))
      returning expires_at as "expiresAt"`;
    if (!row) throw new Error("The upload was not stored");
    const expiresAt = row.expiresAt.toISOString();
    return { storage_key: storageKey, mime_type: mimeType, size, sha256, expires_at: expiresAt };
  } catch (error) {
    await services.uploads.remove(id);
    throw error;
  }
}
