import { z } from "zod";
import {
  catalogueEntry,
  type ErrorCode,
  isErrorCode,
  remedyForStaff,
  type ResendAdvice,
} from "@/server/platform/errors";
import { upstreamOutcome } from "@/server/adapters/whatsapp/outcomes";

/** WhatsApp's own code and its title; null title if Waypost doesn't know the code and WhatsApp gave no title. */
export interface UpstreamError {
  readonly code: number;
  readonly title: string | null;
}

/** The stored data of a failure. */
interface Failure {
  readonly errorCode: string;
  readonly errorDetail: unknown;
  readonly failedAt: Date | null;
}

interface FailureExplanation {
  /** WhatsApp's message, or the result of Waypost's own rules. */
  readonly message: string;
  readonly resend: ResendAdvice;
  /** When the message can be sent again; null if unknown. */
  readonly resendAfter: Date | null;
  /** The next step for support staff. */
  readonly nextStep: string;
  readonly upstream: UpstreamError | null;
}

const THEN_RESEND = "After that, send the message again.";

/** Explains a failure by WhatsApp's code if there is one, else by the public code. */
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

/** A code that another version of this program stored is shown like a refusal by WhatsApp. */
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

/**
 * Returns WhatsApp's error from a stored detail. A known code gets the title in Meta's list, whatever WhatsApp wrote.
 */
export function upstreamErrorIn(detail: unknown): UpstreamError | null {
  const { upstreamCode: code, title } = detailSchema.parse(detail ?? {});
  if (code === null || code === undefined) return null;
  return { code, title: upstreamOutcome(code)?.title ?? title ?? null };
}

const WINDOW_CLOSED = 131047;

/** The detail of a message that wasn't handed over because WhatsApp had reported its customer window as closed. */
export const WINDOW_DENIED = { windowDenied: true } as const;

export function windowDenial(detail: unknown) {
  const isDenied = detailSchema.parse(detail ?? {}).windowDenied === true;
  return isDenied ? upstreamOutcome(WINDOW_CLOSED) : null;
}
