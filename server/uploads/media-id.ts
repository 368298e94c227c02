import type { CallableChannel } from "../channels/caller";
import type { Services } from "../context";
import type { CallOutcome } from "../whatsapp/answer";

export type EnsuredMedia =
  | { readonly kind: "ready"; readonly mediaId: string }
  | { readonly kind: "failed"; readonly outcome: CallOutcome };

/** Package C replaces this file. */
export async function ensureMediaId(
  _services: Services,
  _input: { organizationId: string; uploadId: string; channel: CallableChannel },
): Promise<EnsuredMedia> {
  const detail = { httpStatus: null, upstreamCode: null, reason: "the file isn't uploaded yet" };
  return { kind: "failed", outcome: { kind: "retry", detail } };
}
