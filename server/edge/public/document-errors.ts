import { CAPABILITIES } from "@/server/core/capabilities";
import type { ProcedureMeta } from "@/server/core/trpc";
import { ERRORS, type ErrorCode, statusOf, WaypostError } from "@/server/platform/errors";
import { envelope } from "@/server/transport/envelope";
import type { Json } from "./document-schemas";
import { headersOf } from "./document-headers";

/** Returns the codes that a route can return: its own, and those of every route of its kind. */
export function codesOf(meta: ProcedureMeta, method: string): readonly ErrorCode[] {
  const everywhere: ErrorCode[] = [
    "payload_too_large",
    "request_timeout",
    "api_key_required",
    "invalid_api_key",
    "api_key_revoked",
    "api_key_expired",
    "organization_not_allowed",
    "validation_failed",
    "internal_error",
    "unavailable",
  ];
  const withBody: ErrorCode[] = method === "GET" || method === "DELETE" ? [] : ["unsupported_media_type"];
  const scoped: ErrorCode[] = CAPABILITIES[meta.capability].scope === null ? [] : ["missing_scope"];
  return [...new Set([...meta.errors, ...scoped, ...withBody, ...everywhere])];
}

/**
 * Describes the refusals of a route by status: their codes, their headers, and an example of each.
 * @param isLimited a request takes a unit of a rate limit before the verb can refuse it
 */
export function refusalsOf(codes: readonly ErrorCode[], method: string, isLimited: boolean): Json {
  const statuses = [...new Set(codes.map((code) => statusOf(code, method)))].filter(
    (status) => status !== null,
  );
  return Object.fromEntries(
    statuses
      .toSorted((a, b) => a - b)
      .map((status) => {
        const ofStatus = codes.filter((code) => statusOf(code, method) === status);
        const refusal = {
          description: ofStatus.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join("\n\n"),
          headers: headersOf({ status, isLimited: isLimited && status !== 401 }),
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/ErrorEnvelope" },
              examples: Object.fromEntries(
                ofStatus.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
              ),
            },
          },
        };
        return [status, refusal];
      }),
  );
}

/** Further fields of the example of a code, where a real refusal has them. */
const DETAILS: { readonly [Code in ErrorCode]?: ConstructorParameters<typeof WaypostError>[1] } = {
  validation_failed: { field: "to.handle" },
  recipient_unreachable: { field: "to.handle", resendAfter: new Date("2026-02-01T12:00:00Z") },
  recipient_opted_out: { field: "to.handle" },
  rate_limited: { resendAfter: new Date("2026-01-31T12:00:07Z") },
};

/**
 * An answer with each of the codes, for the document's components.
 * @param baseUrl of the documentation, for `doc_url`.
 */
export function errorExamples(codes: ReadonlySet<ErrorCode>, baseUrl: string): Json {
  const entries = [...codes].map((code) => {
    const example = envelope(new WaypostError(code, DETAILS[code]), `${baseUrl}/docs/errors#${code}`);
    return [code, { summary: code, value: example }] as const;
  });
  return Object.fromEntries(entries);
}

/** The codes of requests to no operation. */
const OF_NO_ROUTE: readonly ErrorCode[] = ["not_found", "method_not_allowed"];

/** The body of every refusal. @param codes of the operations */
export function errorSchema(codes: ReadonlySet<ErrorCode>): Json {
  return {
    type: "object",
    description: "The body of every refused request",
    required: ["error"],
    properties: {
      error: {
        type: "object",
        required: ["code", "message", "resend"],
        properties: {
          code: {
            type: "string",
            description:
              "Stable error code. More codes can be added: treat an unknown one by its HTTP status",
            "x-extensible-enum": [...codes, ...OF_NO_ROUTE].toSorted(),
          },
          message: { type: "string", description: "Explanation for people. It may change" },
          field: { type: "string", description: "The invalid field" },
          resend: { $ref: "#/components/schemas/ResendAdvice" },
          resend_after: {
            type: "string",
            format: "date-time",
            description: "With `later`: from when sending again can succeed",
          },
          doc_url: { type: "string", format: "uri", description: "Link to the documentation of the code" },
        },
      },
    },
  };
}
