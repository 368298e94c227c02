import { TRPCClientError } from "@trpc/client";
import { AuthRefusal } from "./auth";

/** What a refusal says: for people, with the field at fault. */
export interface Refusal {
  readonly code: string | null;
  readonly message: string;
  readonly field: string | null;
  readonly remedy: string | null;
  readonly requestId: string | null;
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof TRPCClientError && isTold(error.data)) {
    const { code, field, remedy, requestId } = error.data;
    return { code, field, remedy, requestId, message: error.message };
  }
  if (error instanceof TRPCClientError && isAnswer(error.meta) && isEnvelope(error.meta.responseJSON)) {
    const { code, message, field = null, remedy = null } = error.meta.responseJSON.error;
    return { code, message, field, remedy, requestId: error.meta.response.headers.get("X-Request-Id") };
  }
  if (error instanceof AuthRefusal) {
    const { code, message, field } = error;
    return { code, message, field, remedy: null, requestId: null };
  }
  return {
    code: null,
    message: "The server can’t be reached, or answered nothing of use.",
    field: null,
    remedy: "Check your connection, and try again.",
    requestId: null,
  };
}

type Told = Omit<Refusal, "message">;

/** Guarantee: the error formatter of server/api/trpc.ts gives every refusal of a procedure these members. */
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

/** Guarantee: server/http/refusal.ts and server/http/refuse.ts answer these members; tRPC's own `code` is a number. */
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
