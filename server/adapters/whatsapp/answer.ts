import { z } from "zod";
import type { ErrorCode } from "@/server/platform/errors";
import { storableText } from "@/server/lib/text";
import type { PauseReason } from "./pause-reasons";
import { type GraphError, graphErrorIn } from "./graph-error";
import { upstreamOutcome } from "./outcomes";
import type { OutcomeEffect } from "./upstream-code";

/** Result of a call to the upstream. */
export type CallOutcome =
  | { readonly kind: "accepted"; readonly upstreamId: string; readonly detail: CallDetail }
  | {
      readonly kind: "rejected";
      readonly code: ErrorCode;
      readonly effect?: OutcomeEffect;
      readonly detail: CallDetail;
    }
  /**
   * Certainly not sent. The reason may not be the message: it can be the customer (pair limit), or the channel, which
   * is paused for the given reason.
   */
  | {
      readonly kind: "retry";
      readonly pauseReason?: "conversation" | PauseReason;
      readonly detail: CallDetail;
    }
  /** It may have been sent, so we never send it again. */
  | { readonly kind: "uncertain"; readonly detail: CallDetail };

/** For staff: the upstream's own error text, without the content of the message. */
export interface CallDetail {
  readonly httpStatus: number | null;
  readonly upstreamCode: number | null;
  /** The upstream's own title of the code, if it gave one. */
  readonly title?: string;
  readonly reason: string;
}

/** Detail of a call that got no response, or was never made. */
export function unanswered(reason: string): CallDetail {
  return { httpStatus: null, upstreamCode: null, reason };
}

export type NumberAnswer =
  | {
      readonly kind: "readable";
      readonly displayPhoneNumber: string | null;
      readonly verifiedName: string | null;
      readonly qualityRating: string | null;
    }
  | {
      readonly kind: "unreadable";
      /** `upstreamCode`: Meta's error code, if the response has one. */
      readonly detail: CallDetail;
      /** The part of the call that Meta refuses. Null if the response wasn't clear. */
      readonly fault: NumberFault | null;
    };

/** `appSecret`: it doesn't belong to the app that the access token was created for. */
export type NumberFault = "accessToken" | "phoneNumberId" | "appSecret";

/** Ids that can be stored and found again. WhatsApp's have about a hundred characters. */
const upstreamIdSchema = z
  .string()
  .min(1)
  .max(500)
  .refine((id) => storableText(id) === id);
const accepted = z.object({ messages: z.array(z.object({ id: upstreamIdSchema })).min(1) });

function detailOf(httpStatus: number, { code, title, words }: GraphError): CallDetail {
  const said = { httpStatus, upstreamCode: code, reason: words ?? "no details" };
  return title === null ? said : { ...said, title };
}

/** Reads a response of the Cloud API's messages endpoint. A response without a clear meaning is `uncertain`. */
export function readAnswer(httpStatus: number, body: string): CallOutcome {
  const json = parse(body);
  const success = accepted.safeParse(json);
  const upstreamId = success.data?.messages[0]?.id;
  if (httpStatus < 300 && upstreamId !== undefined) {
    return { kind: "accepted", upstreamId, detail: { httpStatus, upstreamCode: null, reason: "accepted" } };
  }
  const detail = { httpStatus, upstreamCode: null, reason: `HTTP ${httpStatus} without a readable answer` };
  // An id with any other status: the message may have been accepted.
  if (upstreamId !== undefined) return { kind: "uncertain", detail };
  const error = graphErrorIn(json);
  if (error) return outcomeOf(httpStatus, error);
  return unknownFailure(httpStatus, detail);
}

/** Classifies a failure of unknown cause by its HTTP status. */
function unknownFailure(httpStatus: number, detail: CallDetail): CallOutcome {
  if (httpStatus === 429) return { kind: "retry", detail };
  if (httpStatus >= 400 && httpStatus < 500) return { kind: "rejected", code: "upstream_rejected", detail };
  return { kind: "uncertain", detail };
}

function outcomeOf(httpStatus: number, error: GraphError): CallOutcome {
  const detail = detailOf(httpStatus, error);
  const outcome = error.code === null ? null : upstreamOutcome(error.code);
  switch (outcome?.retry) {
    case "message":
      return { kind: "retry", detail };
    case "conversation":
      return { kind: "retry", pauseReason: "conversation", detail };
    case "channel":
      return { kind: "retry", pauseReason: outcome.pause, detail };
    case "never":
      return { kind: "rejected", code: outcome.error, effect: outcome.effect, detail };
    case undefined:
      return unknownFailure(httpStatus, detail);
  }
}

/** Result of marking a message as read, which can be repeated: it is accepted, refused for good, or may be tried again. */
export type MarkOutcome =
  | { readonly kind: "accepted"; readonly detail: CallDetail }
  | { readonly kind: "rejected"; readonly detail: CallDetail }
  | { readonly kind: "retry"; readonly detail: CallDetail };

const marked = z.object({ success: z.literal(true) });

/** Reads a response to a mark as read. A response without a clear meaning is `retry`: a second mark does no harm. */
export function readMarkAnswer(httpStatus: number, body: string): MarkOutcome {
  const json = parse(body);
  if (httpStatus < 300 && marked.safeParse(json).success) {
    return { kind: "accepted", detail: { httpStatus, upstreamCode: null, reason: "accepted" } };
  }
  const error = graphErrorIn(json);
  const outcome = error
    ? outcomeOf(httpStatus, error)
    : unknownFailure(httpStatus, {
        httpStatus,
        upstreamCode: null,
        reason: `HTTP ${httpStatus} without a readable answer`,
      });
  return { kind: outcome.kind === "rejected" ? "rejected" : "retry", detail: outcome.detail };
}

const phoneNumber = z.object({
  id: z.string(),
  display_phone_number: z.string().optional(),
  verified_name: z.string().optional(),
  quality_rating: z.string().optional(),
});

/** Reads a response of `GET /{phone_number_id}`. */
export function readNumberAnswer(httpStatus: number, body: string): NumberAnswer {
  const json = parse(body);
  const number = phoneNumber.safeParse(json);
  if (httpStatus === 200 && number.success) {
    const { display_phone_number, verified_name, quality_rating } = number.data;
    return {
      kind: "readable",
      displayPhoneNumber: display_phone_number ?? null,
      verifiedName: verified_name ?? null,
      qualityRating: quality_rating ?? null,
    };
  }
  const error = graphErrorIn(json) ?? { code: null, title: null, words: "an unreadable answer" };
  return { kind: "unreadable", detail: detailOf(httpStatus, error), fault: faultOf(httpStatus, error) };
}

/**
 * "Invalid parameter". Meta also uses it for an object that the token may not see, and for a proof made with another
 * secret.
 */
const INVALID_PARAMETER = 100;
const DELETED = 33;

function faultOf(httpStatus: number, { code, words }: GraphError): NumberFault | null {
  if (code === null) return null;
  const outcome = upstreamOutcome(code);
  if (outcome?.retry === "message" || outcome?.retry === "conversation") return null;
  if (code === INVALID_PARAMETER && words?.includes("appsecret_proof")) return "appSecret";
  if (code === INVALID_PARAMETER || code === DELETED) return "phoneNumberId";
  return httpStatus < 500 ? "accessToken" : null;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
