import { TRPCClientError } from "@trpc/client";
import type { FieldFault } from "@/server/platform/errors";
import { AuthError } from "./auth";

/** An error of the API in a form for display, with the field at fault. */
export interface ApiError {
  readonly code: string | null;
  readonly message: string;
  readonly field: string | null;
  /** Errors of further fields. */
  readonly others: readonly FieldFault[];
  readonly remedy: string | null;
  readonly requestId: string | null;
}

/** The session ended while a form was filled in. The form stays open. */
export class SignedOut extends Error {
  /** @param button the button to press again after signing in. */
  constructor(readonly button?: string) {
    super("You have been signed out.");
    this.name = "SignedOut";
  }
}

/** A request of a page that isn't a procedure's was refused. */
export class Refused extends Error {
  constructor(readonly fault: ApiError) {
    super(fault.message);
    this.name = "Refused";
  }
}

/**
 * The error of a response of another route than a procedure's.
 * @param body the response's body, as JSON or already unreadable.
 */
export function refusalIn(body: unknown, requestId: string | null): Error {
  return isEnvelope(body)
    ? new Refused(faultIn(body, requestId))
    : new Error("The response isn't an error of the API");
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof Refused) return error.fault;
  if (error instanceof SignedOut) {
    const again = error.button === undefined ? "try again" : `press “${error.button}” again`;
    return {
      code: "not_signed_in",
      message: error.message,
      field: null,
      others: [],
      remedy: `Sign in in another tab, then ${again}. What you have typed stays here.`,
      requestId: null,
    };
  }
  if (error instanceof TRPCClientError && isErrorData(error.data)) {
    const { code, field, others = [], remedy, requestId } = error.data;
    return { code, field, others, remedy, requestId, message: error.message };
  }
  if (error instanceof TRPCClientError && isAnswer(error.meta) && isEnvelope(error.meta.responseJSON)) {
    return faultIn(error.meta.responseJSON, error.meta.response.headers.get("X-Request-Id"));
  }
  if (error instanceof AuthError) {
    const { code, message, field } = error;
    return { code, message, field, others: [], remedy: null, requestId: null };
  }
  return {
    code: null,
    message: "The server can’t be reached, or its response wasn’t valid.",
    field: null,
    others: [],
    remedy: "Check your connection, and try again.",
    requestId: null,
  };
}

type ErrorData = Omit<ApiError, "message" | "others"> & Partial<Pick<ApiError, "others">>;

/** The error formatter of server/core/trpc.ts gives every error of a procedure these members. */
function isErrorData(data: unknown): data is ErrorData {
  return typeof data === "object" && data !== null && "requestId" in data && "code" in data;
}

/** The shape of an error response that was sent before any procedure ran. */
interface Envelope {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly field?: string;
    readonly remedy?: string;
  };
}

/**
 * server/transport/page-error.ts and server/transport/refuse.ts respond with these members; tRPC's own `code` is a
 * number.
 */
function isEnvelope(value: unknown): value is Envelope {
  if (typeof value !== "object" || value === null || !("error" in value)) return false;
  const { error } = value;
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string";
}

function faultIn({ error }: Envelope, requestId: string | null): ApiError {
  const { code, message, field = null, remedy = null } = error;
  return { code, message, field, others: [], remedy, requestId };
}

interface Answer {
  readonly response: Response;
  readonly responseJSON: unknown;
}

/** Guarantee: tRPC's links attach the response behind an error under these names. */
function isAnswer(meta: object | undefined): meta is Answer {
  return meta !== undefined && "response" in meta && "responseJSON" in meta;
}
