import { randomBytes } from "node:crypto";
import { shown } from "./fields";
import { messageErrors } from "./message-errors";
import { numberErrors } from "./number-errors";

/** An error of the Graph API, as Meta returns it. */
export interface GraphErrorRow {
  readonly code: number;
  readonly subcode?: number;
  readonly httpStatus: number;
  /** Default `OAuthException`. */
  readonly type?: "OAuthException" | "GraphMethodException";
  readonly title: string;
  /** The whole `message`, if it isn't `(#code) title`. */
  readonly message?: string;
  /** `error_data.details`. Null if Meta sends no `error_data`. */
  readonly details: string | null;
  readonly isTransient?: true;
}

/** An error that a recipient's digits, or a failure of a whole number, can trigger. */
export interface DocumentedErrorRow extends GraphErrorRow {
  /** The two digits that stand for it at the end of a recipient. */
  readonly digits: string;
  /** True if Meta also reports it in a `failed` status, after an acceptance. */
  readonly comesLater: boolean;
  /** True if it ends by itself or with an operator's help, so that a later call may be accepted. */
  readonly passes: boolean;
  /** The token is invalid: the number can't be read or used either. */
  readonly isCredential?: true;
  /** `status` of the number's node while the whole number fails with it; otherwise CONNECTED. */
  readonly numberStatus?:
    | "BANNED"
    | "RESTRICTED"
    | "FLAGGED"
    | "RATE_LIMITED"
    | "DISCONNECTED"
    | "UNVERIFIED";
}

/** Errors that Meta's error page lists for a send (https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes). */
export const documentedErrors = { ...numberErrors, ...messageErrors };

export type DocumentedErrorName = keyof typeof documentedErrors;

/** Errors of the Graph API itself, and of endpoints other than the messages endpoint. */
const requestErrors = {
  object_unknown: {
    code: 100,
    subcode: 33,
    httpStatus: 400,
    type: "GraphMethodException",
    title: "Invalid parameter",
    message:
      "Unsupported request. Object with this ID does not exist, cannot be loaded due to missing permissions, or does not support this operation. Please read the Graph API documentation at https://developers.facebook.com/docs/graph-api",
    details: null,
  },
  path_unknown: {
    code: 2500,
    httpStatus: 400,
    title: "Unknown path components",
    message: "Unknown path components",
    details: null,
  },
  body_too_large: {
    code: 100,
    httpStatus: 413,
    title: "Invalid parameter",
    message: "(#100) The request body is larger than 1 MB.",
    details: null,
  },
  unknown_failure_500: {
    code: 199998,
    httpStatus: 500,
    title: "A code that no list knows",
    details: "Stands for a failure of Meta's own that tells nothing.",
  },
  template_exists: {
    code: 100,
    subcode: 2388024,
    httpStatus: 400,
    title: "Invalid parameter",
    message: "Invalid parameter",
    details: "There is already content in this language for this template.",
  },
} as const satisfies Record<string, GraphErrorRow>;

/** All errors that the simulator returns. */
export const graphErrors = { ...documentedErrors, ...requestErrors };

export type GraphErrorName = keyof typeof graphErrors;

/** Returns the keys of the table. `Object.keys` of a const object that nothing extends, hence the cast. */
export function documentedErrorNames(): DocumentedErrorName[] {
  return Object.keys(documentedErrors) as DocumentedErrorName[];
}

export function documentedError(name: DocumentedErrorName): DocumentedErrorRow {
  return documentedErrors[name];
}

/** Details in which a response may be more precise than its row. */
export interface GraphErrorWords {
  readonly message?: string;
  readonly details?: string;
}

/** An error of the table, with its own details if it has any. */
export interface GraphError extends GraphErrorWords {
  readonly error: GraphErrorName;
}

/** Error 100 with these words: the response to most malformed requests. */
export const invalidParameter = (words: string): GraphError => ({
  error: "parameter_invalid",
  message: `(#100) ${words}`,
});

/** The error of a parameter that doesn't have one of these values. */
export const notOneOf = (param: string, names: readonly string[], value: unknown): GraphError =>
  invalidParameter(
    `Param ${param} must be one of {${names.join(", ").toUpperCase()}} - got "${shown(value)}".`,
  );

/** @param details `error_data.details` of Meta's error. */
export const missingParameter = (details: string): GraphError => ({ error: "parameter_missing", details });

/**
 * Builds the body of a Graph error response: `{ error: { message, type, code, error_data?, error_subcode?, fbtrace_id }
 * }`.
 */
export function graphErrorBody(error: GraphError): { readonly error: object } {
  const row: GraphErrorRow = graphErrors[error.error];
  const details = error.details ?? row.details;
  return {
    error: {
      message: error.message ?? row.message ?? `(#${row.code}) ${row.title}`,
      type: row.type ?? "OAuthException",
      ...(row.isTransient ? { is_transient: true } : {}),
      code: row.code,
      ...(details === null ? {} : { error_data: { messaging_product: "whatsapp", details } }),
      ...(row.subcode === undefined ? {} : { error_subcode: row.subcode }),
      fbtrace_id: newTraceId(),
    },
  };
}

/** Builds the `errors[]` entry of a `failed` status callback, or of a message that couldn't be passed on. */
export function callbackError({ error, details }: GraphError): object {
  const row: GraphErrorRow = graphErrors[error];
  return {
    code: row.code,
    title: row.title,
    message: row.title,
    error_data: { details: details ?? row.details ?? row.title },
    href: "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/",
  };
}

/** Creates the trace id of a Graph error. */
function newTraceId(): string {
  return `A${randomBytes(17).toString("base64url").slice(0, 22)}`;
}
