import { countCall } from "@/server/adapters/metrics/measure";
import { reasonOf } from "@/server/adapters/whatsapp/exchange";
import { downloadMedia, findMedia, hexHash, MediaRefused } from "@/server/adapters/whatsapp/media-download";
import type { StagedFile } from "@/server/adapters/files/store";
import type { Services } from "@/server/core/context";
import { callerOf } from "@/server/domain/channels/caller";
import { bytesMaxOf, declaredType, examine, foundType, isPossible } from "@/server/domain/uploads/file-type";
import { receive, type ReceiveLimits } from "@/server/domain/uploads/receive";
import { isWaypostError } from "@/server/platform/errors";
import type { ClaimedFile } from "./claim";
import { giveUp, hasRoom, keepFile, NO_ROOM, putOff, release } from "./settle";

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
  | { readonly kind: "retry"; readonly failure: string; readonly cause?: unknown };

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
  const cause = result.kind === "retry" && result.cause !== undefined ? { err: result.cause } : {};
  const facts = { fileId, messageId, attempts, reason: result.failure, ...cause };
  services.log.info(facts, "a customer's file wasn't fetched");
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
  if (!(await hasRoom(services, file, media.size ?? 1))) return retry(NO_ROOM);
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
    // Only a store's own error: a download's can contain its address.
    const cause = isWaypostError(error) && error.code === "unavailable" ? error.cause : undefined;
    return { kind: "retry", failure: describe(error), cause };
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
    return isKept ? { kind: "stored" } : retry(NO_ROOM);
  } finally {
    await staged.discard();
  }
}

/** Types that customers can send and organizations can't. */
const FURTHER_TYPES: ReadonlySet<string> = new Set(["image/webp", "image/gif"]);
const UNKNOWN_TYPE = "application/octet-stream";

/**
 * Returns the type of a customer's file by its bytes. The declared type only decides between types that look the same.
 * @returns `application/octet-stream` for a type that isn't one of the known, harmless ones.
 */
async function customerFileType(path: string, declared: ClaimedFile["declared"]): Promise<string> {
  const evidence = await examine(path);
  const said = declaredType(declared.mimeType ?? undefined);
  const type = said !== null && isPossible(said, evidence) ? said : foundType(evidence, declared.filename);
  const isKnown = type !== null && (bytesMaxOf(type) !== null || FURTHER_TYPES.has(type));
  return isKnown ? type : UNKNOWN_TYPE;
}

const retry = (failure: string): Fetched => ({ kind: "retry", failure });

const tooLarge = ({ bytesMax }: FetchLimits): Fetched => ({
  kind: "gone",
  reason: "too_large",
  failure: `it is larger than ${bytesMax} bytes`,
});

/** Names a failure without addresses or tokens. */
function describe(error: unknown): string {
  if (error instanceof MediaRefused) return error.message;
  if (isWaypostError(error)) return error.message;
  return reasonOf(error);
}
