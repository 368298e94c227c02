import type { PauseReason } from "./pause-reasons";
import type { ErrorCode } from "@/server/platform/errors";

/** Conclusion from a refusal that goes beyond the message itself. */
export type OutcomeEffect =
  /** Nothing can be delivered to this number. */
  | "number_refused"
  | "marketing_opted_out"
  /** The customer window is closed, whatever Waypost had recorded. */
  | "window_closed"
  | "template_paused"
  | "template_disabled"
  /** The upstream may have forgotten the id of the message's uploaded file. */
  | "media_id_doubted";

/** Explanation of an error code for people. */
interface Words {
  /** Meta's own title of the code. */
  readonly title: string;
  /** WhatsApp's statement as a sentence, without additions. */
  readonly said: string;
  /**
   * Advice for support staff, about a message that failed with the code. For a code that pauses the channel, it only
   * says what has to be corrected: a waiting message is then sent automatically, a failed one is not.
   */
  readonly nextStep: string;
}

/**
 * Meaning of an upstream error code. `message`: nothing was sent, and this message is retried later. `conversation`:
 * the same for everything to this customer. `channel`: everything from this number waits until it works again. `never`:
 * the same message would be refused again. `error` is the public code of a message that fails with it. Whether to send
 * such a message again is that code's `resend` in the catalogue.
 */
export type UpstreamOutcome = Words &
  (
    | { readonly retry: "message" | "conversation"; readonly error: ErrorCode }
    | { readonly retry: "channel"; readonly pause: PauseReason; readonly error: ErrorCode }
    | { readonly retry: "never"; readonly error: ErrorCode; readonly effect?: OutcomeEffect }
  );

/** A group of related codes of Meta's list, by their number. */
export type UpstreamCodes = Readonly<Record<number, UpstreamOutcome>>;
