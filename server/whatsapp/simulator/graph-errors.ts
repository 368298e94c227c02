import { newTraceId } from "@/server/whatsapp/simulator/ids";

interface GraphErrorRow {
  readonly code: number;
  readonly subcode?: number;
  readonly httpStatus: number;
  readonly type: "OAuthException" | "GraphMethodException";
  readonly title: string;
  /** The whole `message` where it isn't `(#code) title`. */
  readonly message?: string;
  /** `error_data.details`; null where Meta sends no `error_data`. */
  readonly details: string | null;
  readonly isTransient?: true;
}

/** The errors that the simulator answers, as Meta documents them on its Cloud API error page. */
export const graphErrors = {
  access_token_invalid: {
    code: 190,
    httpStatus: 401,
    type: "OAuthException",
    title: "Access token has expired",
    message: "Invalid OAuth access token - Cannot parse access token",
    details: null,
  },
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
    type: "OAuthException",
    title: "Unknown path components",
    message: "Unknown path components",
    details: null,
  },
  parameter_invalid: {
    code: 100,
    httpStatus: 400,
    type: "OAuthException",
    title: "Invalid parameter",
    details: null,
  },
  body_too_large: {
    code: 100,
    httpStatus: 413,
    type: "OAuthException",
    title: "Invalid parameter",
    message: "(#100) The request body is larger than 1 MB.",
    details: null,
  },
  parameter_missing: {
    code: 131008,
    httpStatus: 400,
    type: "OAuthException",
    title: "Required parameter is missing",
    details: "The request is missing a required parameter.",
  },
  parameter_value_invalid: {
    code: 131009,
    httpStatus: 400,
    type: "OAuthException",
    title: "Parameter value is not valid",
    details: "One or more parameter values are invalid.",
  },
  recipient_is_sender: {
    code: 131021,
    httpStatus: 400,
    type: "OAuthException",
    title: "Recipient cannot be sender",
    details: "Sender and recipient phone number is the same.",
  },
  undeliverable: {
    code: 131026,
    httpStatus: 400,
    type: "OAuthException",
    title: "Message undeliverable",
    details: "Message Undeliverable.",
  },
  window_closed: {
    code: 131047,
    httpStatus: 400,
    type: "OAuthException",
    title: "Re-engagement message",
    details:
      "Message failed to send because more than 24 hours have passed since the customer last replied to this number.",
  },
  throughput_exceeded: {
    code: 130429,
    httpStatus: 429,
    type: "OAuthException",
    title: "Rate limit hit",
    details:
      "Message failed to send because there were too many messages sent from this phone number in a short period of time",
  },
  pair_rate_exceeded: {
    code: 131056,
    httpStatus: 400,
    type: "OAuthException",
    title: "(Business Account, Consumer Account) pair rate limit hit",
    details:
      "Message failed to send because there were too many messages sent from this phone number to the same phone number in a short period of time.",
  },
  service_unavailable: {
    code: 2,
    httpStatus: 500,
    type: "OAuthException",
    title: "API Service",
    message: "Service temporarily unavailable",
    details: null,
    isTransient: true,
  },
} as const satisfies Record<string, GraphErrorRow>;

export type GraphErrorName = keyof typeof graphErrors;

/** What one answer may say more precisely than its row. */
export interface GraphErrorWords {
  readonly message?: string;
  readonly details?: string;
}

/** A refusal: the row of the table, and its own words where it has some. */
export interface Refusal extends GraphErrorWords {
  readonly error: GraphErrorName;
}

/** The body of a Graph error answer: `{ error: { message, type, code, error_data?, error_subcode?, fbtrace_id } }`. */
export function graphErrorBody(refusal: Refusal): object {
  const row: GraphErrorRow = graphErrors[refusal.error];
  const details = refusal.details ?? row.details;
  return {
    error: {
      message: refusal.message ?? row.message ?? `(#${row.code}) ${row.title}`,
      type: row.type,
      ...(row.isTransient ? { is_transient: true } : {}),
      code: row.code,
      ...(details === null ? {} : { error_data: { messaging_product: "whatsapp", details } }),
      ...(row.subcode === undefined ? {} : { error_subcode: row.subcode }),
      fbtrace_id: newTraceId(),
    },
  };
}

/** The `errors[]` entry of a `failed` status callback. */
export function callbackError(name: GraphErrorName): object {
  const row: GraphErrorRow = graphErrors[name];
  return {
    code: row.code,
    title: row.title,
    message: row.title,
    error_data: { details: row.details ?? row.title },
    href: "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/",
  };
}
