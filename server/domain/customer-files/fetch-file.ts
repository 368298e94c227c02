import { countCall } from "@/server/adapters/metrics/measure";
import { reasonOf } from "@/server/adapters/whatsapp/exchange";
import { downloadMedia, findMedia, hexHash, MediaRefused } from "@/server/adapters/whatsapp/media-download";
import type { StagedFile } from "@/server/adapters/files/store";
import type { Services } from "@/server/core/context";
import { callerOf } from "@/server/domain/channels/caller";
import { receive, type ReceiveLimits } from "@/server/domain/uploads/receive";
import { isWaypostError } from "@/server/platform/errors";
import type { ClaimedFile } from "./claim";
import { customerFileType } from "./customer-file-type";
import { giveUp, hasRoom, keepFile, putOff, release } from "./settle";

export type FetchLimits = ReceiveLimits;

/** 100 MiB is the largest file that WhatsApp lets a customer send through its API. */
export const FETCH_LIMITS = {
  bytesMax: 100 * 1024 * 1024,
  timeoutMs: 5 * 60_000,
  graceMs: 30_000,
  bytesPerSecondMin: 8 * 1024,
  stallMs: 20_000,
} as const satisfies FetchLimits;

/** The end of an attempt. */
type Fetched =
  | { readonly kind: "stored" }
  | { readonly kind: "gone"; readonly reason: "expired" | "too_large"; readonly failure: string }
  | { readonly kind: "retry"; readonly failure: string };

/**
 * Makes one attempt to fetch a claimed file, and stores its result. Nothing of a file that isn't stored remains: not
 * after a failure, not if it is erased meanwhile.
 */
export async function fetchFile(services: Services, file: ClaimedFile, limits: FetchLimits): Promise<void> {
  const startedAtMs = performance.now();
  const result = await fetchOnce(services, file, limits);
  const outcome = ({ stored: "accepted", gone: "rejected", retry: "retry" } as const)[result.kind];
  countCall(services.metrics, { operation: "fetch_media", outcome }, startedAtMs);
  if (result.kind === "stored") return;
  if (services.lifecycle.isStopping() && result.kind === "retry") return release(services, file);
  const { id: fileId, messageId, attempts } = file;
  services.log.info(
    { fileId, messageId, attempts, reason: result.failure },
    "a customer's file wasn't fetched",
  );
  if (result.kind === "gone") await giveUp(services, file, result);
  else await putOff(services, file, result.failure);
}

async function fetchOnce(services: Services, file: ClaimedFile, limits: FetchLimits): Promise<Fetched> {
  const caller = callerOf(services, file.channel);
  if ("kind" in caller) return retry(caller.detail.reason);
  const call = { ...caller, signal: services.lifecycle.stopSignal };
  const media = await findMedia({ ...call, mediaId: file.mediaId });
  if (media.kind === "gone") return { kind: "gone", reason: "expired", failure: media.reason };
  if (media.kind === "failed") return retry(media.reason);
  if (media.size !== null && media.size > limits.bytesMax) return tooLarge(limits);
  if (!(await hasRoom(services, file, media.size ?? 1))) return retry(QUOTA_IS_USED);
  try {
    const staged = await downloadMedia({ ...call, url: media.url, timeoutMs: limits.timeoutMs }, (chunks) =>
      services.customerFiles.stage(receive(chunks, limits), media.size ?? limits.bytesMax),
    );
    return await storing(services, file, {
      staged,
      sha256: media.sha256 ?? hexHash(file.declared.sha256 ?? undefined),
    });
  } catch (error) {
    if (isWaypostError(error) && error.code === "payload_too_large") return tooLarge(limits);
    return retry(describe(error));
  }
}

/** Stores a complete file, if it is the one that WhatsApp described. */
async function storing(
  services: Services,
  file: ClaimedFile,
  { staged, sha256 }: { staged: StagedFile; sha256: string | null },
): Promise<Fetched> {
  try {
    if (sha256 !== null && staged.sha256 !== sha256)
      return retry("the bytes don't have the SHA-256 that WhatsApp gave");
    const mimeType = await customerFileType(staged.path, file.declared);
    const isKept = await keepFile(services, file, { staged, mimeType });
    return isKept ? { kind: "stored" } : retry(QUOTA_IS_USED);
  } finally {
    await staged.discard();
  }
}

const QUOTA_IS_USED = "the organization's quota for files is used up";

const retry = (failure: string): Fetched => ({ kind: "retry", failure });

const tooLarge = ({ bytesMax }: FetchLimits): Fetched => ({
  kind: "gone",
  reason: "too_large",
  failure: `it is larger than ${bytesMax} bytes`,
});

/** Names a failure without addresses or tokens. */
function describe(error: unknown): string {
  if (error instanceof MediaRefused) return error.message;
  if (isWaypostError(error))
    return error.code === "unavailable" ? "there is no room for files" : error.message;
  return reasonOf(error);
}
