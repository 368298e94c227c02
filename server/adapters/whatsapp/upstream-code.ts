import type { PauseReason } from "./pause-reasons";
import type { ErrorCode } from "@/server/platform/errors";

/** What a refusal teaches beyond the message itself. */
export type OutcomeEffect =
  /** Nothing can be delivered to this number. */
  | "number_refused"
  | "marketing_opted_out"
  /** The customer window is closed, whatever we knew. */
  | "window_closed"
  | "template_paused"
  | "template_disabled"
  /** The upstream may no longer know the id of the uploaded file that the message names. */
  | "media_id_doubted";

/** How an error code is explained to people. */
interface Words {
  /** Meta's own title of the code. */
  readonly title: string;
  /** What WhatsApp said, as a sentence, and nothing that it didn't say. */
  readonly said: string;
  /**
   * What support staff do about a message that failed with it. For a code that pauses the channel only what has to be
   * corrected: a message that waits is sent by itself afterwards, one that has failed is not.
   */
  readonly nextStep: string;
}

/**
 * What an upstream error code means. `message`: nothing was sent, this message is tried again later. `conversation`: the
 * same for everything to this customer. `channel`: everything of this number waits until it works again. `never`: the
 * same message would be refused again. `error` is the public code of a message that fails with it; whether to send such
 * a message again is that code's `resend` in the catalogue.
 */
export type UpstreamOutcome = Words &
  (
    | { readonly retry: "message" | "conversation"; readonly error: ErrorCode }
    | { readonly retry: "channel"; readonly pause: PauseReason; readonly error: ErrorCode }
    | { readonly retry: "never"; readonly error: ErrorCode; readonly effect?: OutcomeEffect }
  );

/** The codes of Meta's list that belong together, by their number. */
export type UpstreamCodes = Readonly<Record<number, UpstreamOutcome>>;
