import { TRPCClientError } from "@trpc/client";
import type { FieldFault } from "@/server/platform/errors";
import { AuthRefusal } from "./auth";

/** What a refusal says: for people, with the field at fault. */
export interface Refusal {
  readonly code: string | null;
  readonly message: string;
  readonly field: string | null;
  /** What is wrong with further fields. */
  readonly others: readonly FieldFault[];
  readonly remedy: string | null;
  readonly requestId: string | null;
}

/** The session has ended while somebody has filled a form, which stays. */
export class SignedOut extends Error {
  /** @param button what to press once signed in again. */
  constructor(readonly button?: string) {
    super("You have been signed out.");
    this.name = "SignedOut";
  }
}

export function refusalOf(error: unknown): Refusal {
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
  if (error instanceof TRPCClientError && isTold(error.data)) {
    const { code, field, others = [], remedy, requestId } = error.data;
    return { code, field, others, remedy, requestId, message: error.message };
  }
  if (error instanceof TRPCClientError && isAnswer(error.meta) && isEnvelope(error.meta.responseJSON)) {
    const { code, message, field = null, remedy = null } = error.meta.responseJSON.error;
    const requestId = error.meta.response.headers.get("X-Request-Id");
    return { code, message, field, others: [], remedy, requestId };
  }
  if (error instanceof AuthRefusal) {
    const { code, message, field } = error;
    return { code, message, field, others: [], remedy: null, requestId: null };
  }
  return {
    code: null,
    message: "The server can’t be reached, or answered nothing of use.",
    field: null,
    others: [],
    remedy: "Check your connection, and try again.",
    requestId: null,
  };
}

type Told = Omit<Refusal, "message" | "others"> & Partial<Pick<Refusal, "others">>;

/** Guarantee: the error formatter of server/core/trpc.ts gives every refusal of a procedure these members. */
function isTold(data: unknown): data is Told {
  return typeof data === "object" && data !== null && "requestId" in data && "code" in data;
}

/** What stands in for the procedures' answer where a request was refused before there was one. */
interface Envelope {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly field?: string;
    readonly remedy?: string;
  };
}

/** Guarantee: server/edge/transport/refusal.ts and server/edge/transport/refuse.ts answer these members; tRPC's own `code` is a number. */
function isEnvelope(told: unknown): told is Envelope {
  if (typeof told !== "object" || told === null || !("error" in told)) return false;
  const { error } = told;
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string";
}

interface Answer {
  readonly response: Response;
  readonly responseJSON: unknown;
}

/** Guarantee: tRPC's links give an error the answer that it was made of under these names. */
function isAnswer(meta: object | undefined): meta is Answer {
  return meta !== undefined && "response" in meta && "responseJSON" in meta;
}
