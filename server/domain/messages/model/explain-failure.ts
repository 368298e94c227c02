import { z } from "zod";
import {
  catalogueEntry,
  type ErrorCode,
  isErrorCode,
  remedyForStaff,
  type ResendAdvice,
} from "@/server/platform/errors";
import { upstreamOutcome } from "@/server/adapters/whatsapp/outcomes";

/** WhatsApp's own code, and the title of it; null where neither Waypost knows the code nor WhatsApp gave a title. */
export interface UpstreamError {
  readonly code: number;
  readonly title: string | null;
}

/** What is stored of a failure. */
interface Failure {
  readonly errorCode: string;
  readonly errorDetail: unknown;
  readonly failedAt: Date | null;
}

interface FailureExplanation {
  /** What WhatsApp said, or what Waypost's own rules found. */
  readonly message: string;
  readonly resend: ResendAdvice;
  /** From when on the message can be sent again; null where no time is known. */
  readonly resendAfter: Date | null;
  /** What support staff do about it. */
  readonly nextStep: string;
  readonly upstream: UpstreamError | null;
}

const THEN_RESEND = "After that, send the message again.";

/** Explains a failure by WhatsApp's own code where it gave one, else by the public code. */
export function explainFailure({ errorCode, errorDetail, failedAt }: Failure): FailureExplanation {
  const code = knownCode(errorCode);
  const { message, resend, resendAfterSeconds } = catalogueEntry(code);
  const upstream = upstreamErrorIn(errorDetail);
  const outcome = upstream === null ? windowDenial(errorDetail) : upstreamOutcome(upstream.code);
  const step = outcome?.nextStep ?? remedyForStaff(code);
  return {
    message: outcome?.said ?? message,
    resend,
    resendAfter:
      resendAfterSeconds === undefined || failedAt === null
        ? null
        : new Date(failedAt.getTime() + resendAfterSeconds * 1000),
    nextStep: outcome?.retry === "channel" ? `${step} ${THEN_RESEND}` : step,
    upstream,
  };
}

/** A code that another version of this program stored is shown like a refusal of WhatsApp's. */
export function knownCode(code: string): ErrorCode {
  return isErrorCode(code) ? code : "upstream_rejected";
}

const detailSchema = z
  .object({
    upstreamCode: z.number().nullish().catch(null),
    title: z.string().nullish().catch(null),
    windowDenied: z.boolean().nullish().catch(null),
  })
  .catch({});

/** What a stored detail has of WhatsApp's code. A known code has the title of Meta's list, whatever WhatsApp wrote. */
export function upstreamErrorIn(detail: unknown): UpstreamError | null {
  const { upstreamCode: code, title } = detailSchema.parse(detail ?? {});
  if (code === null || code === undefined) return null;
  return { code, title: upstreamOutcome(code)?.title ?? title ?? null };
}

const WINDOW_CLOSED = 131047;

/** Of a message that wasn't handed over because WhatsApp had reported its customer window as closed before. */
export const WINDOW_DENIED = { windowDenied: true } as const;

export function windowDenial(detail: unknown) {
  const isDenied = detailSchema.parse(detail ?? {}).windowDenied === true;
  return isDenied ? upstreamOutcome(WINDOW_CLOSED) : null;
}
