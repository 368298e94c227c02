import { generateOpenApiDocument } from "trpc-openapi";
import type { AppRouter } from "@/server/edge/trpc/router";
import type { ProcedureMeta } from "@/server/core/trpc";
import { CAPABILITIES } from "@/server/core/capabilities";
import { ERRORS, type ErrorCode } from "@/server/platform/errors";
import { asOpenApiRouter } from "./bridge";
import { documentedWebhooks, webhookComponents } from "./document-webhooks";
import { NO_CONTENT } from "@/server/transport/envelope";
import { MEDIA_TYPES } from "@/server/adapters/whatsapp/media-types";
import { publicRoutes } from "./routes";
import { BASE_PATH } from "@/server/platform/addresses";

/** Version of the published interface. */
const INTERFACE_VERSION = "1.0.0";

type Json = Record<string, unknown>;

/**
 * Builds the OpenAPI 3.1 document of the public API from the procedures. The library supports neither our statuses nor
 * our envelope, so its responses are replaced by the real ones: every status, every code that can occur with it, and
 * the headers.
 */
export function openApiDocument(router: AppRouter): Json {
  const generated = generateOpenApiDocument(asOpenApiRouter(router), {
    title: "Waypost Public Messaging API",
    description:
      "Send WhatsApp messages and track their delivery. A JSON body is one object in UTF-8. A body in which an " +
      "object has the same member twice is refused with `validation_failed`.",
    version: INTERFACE_VERSION,
    baseUrl: BASE_PATH,
    securitySchemes: {
      bearer: {
        type: "http",
        scheme: "bearer",
        description:
          "`Authorization: Bearer <API_KEY>`. A key without `Bearer` is refused with `invalid_api_key`",
      },
      apiKey: { type: "apiKey", in: "header", name: "X-Api-Key" },
    },
  });
  const document = toJson(generated);
  const paths = child(document, "paths");
  for (const { meta, method } of publicRoutes(router)) {
    if (!meta.openapi) continue;
    const operation = child(child(paths, meta.openapi.path), method.toLowerCase());
    if (meta.openapi.takesFile) Object.assign(operation, fileRequest);
    else if (operation.requestBody !== undefined) completeBody(operation.requestBody, meta.openapi.examples);
    operation.description = [meta.openapi.description, scopesInWords(meta)].filter(Boolean).join("\n\n");
    const success = child(child(operation, "responses"), "200");
    operation.responses = responsesOf(meta, method, success);
  }
  const components = child(document, "components");
  const schemas = Object.entries(child(components, "schemas")).filter(([name]) => !name.startsWith("error."));
  components.schemas = { ...Object.fromEntries(schemas), ...webhookComponents(), Error: errorSchema };
  components.headers = headers;
  delete components.responses;
  document.webhooks = documentedWebhooks();
  return document;
}

/** Returns the codes that a route can return: its own, and those of every route of its kind. */
function codesOf(meta: ProcedureMeta, method: string): readonly ErrorCode[] {
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

/** Describes the scopes that a key needs for a route, from the same data that the permission check uses. */
function scopesInWords({ capability, furtherScopes = [] }: ProcedureMeta): string {
  const { scope } = CAPABILITIES[capability];
  const first = scope === null ? "Any key will do." : `Needs the scope \`${scope}\`.`;
  const further = furtherScopes.map((one) => `\`${one.scope}\` ${one.needed}`).join(", ");
  return further === "" ? first : `${first} Also needs ${further}.`;
}

/**
 * Inputs are strict objects. The library says so for objects within a body, but not for the body itself. It doesn't
 * support examples of whole bodies, so documentation would show one with every field.
 */
function completeBody(requestBody: unknown, examples?: object): void {
  const json = child(child(Object(requestBody), "content"), "application/json");
  child(json, "schema").additionalProperties = false;
  if (examples) json.examples = examples;
}

/** The body of an upload: the file's bytes, with any of the accepted content types, or without one. */
const fileRequest: Json = {
  parameters: [
    {
      name: "X-Filename",
      in: "header",
      description: "Name of the file. Percent-encode characters that aren't ASCII",
      schema: { type: "string" },
    },
  ],
  requestBody: {
    required: true,
    content: Object.fromEntries(
      ["application/octet-stream", ...Object.values(MEDIA_TYPES).flatMap(({ mimeTypes }) => mimeTypes)].map(
        (type) => [type, { schema: { type: "string", format: "binary" } }],
      ),
    ),
  },
};

function responsesOf(meta: ProcedureMeta, method: string, success: Json): Json {
  const responses: Json = {};
  const limited = meta.errors.includes("rate_limited");
  for (const status of meta.statuses) {
    // A repeat (200 instead of 201) took no unit, so it has no limit to show.
    const shown = limited && status === meta.statuses[0] ? RATE_HEADERS : [];
    responses[status] = {
      ...(status === NO_CONTENT ? {} : success),
      description: SUCCESSES[status] ?? "Done",
      headers: refs([...EVERYWHERE, ...shown]),
    };
  }
  const possible = codesOf(meta, method);
  for (const status of new Set(possible.map((code) => ERRORS[code].status))) {
    if (status === null) continue;
    const codes = possible.filter((code) => ERRORS[code].status === status);
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join("\n\n"),
      headers: refs([...EVERYWHERE, ...(HEADERS_OF_STATUS[status] ?? [])]),
      content: { "application/json": { schema: schemaOfCodes(codes) } },
    };
  }
  return responses;
}

const SUCCESSES: Readonly<Record<number, string>> = {
  201: "Accepted and stored durably",
  202: "Accepted, to be done shortly",
};

const EVERYWHERE = ["X-Request-Id", "Cache-Control"];
const RATE_HEADERS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
const HEADERS_OF_STATUS: Readonly<Record<number, readonly string[]>> = {
  429: ["Retry-After", ...RATE_HEADERS],
  503: ["Retry-After"],
};

const headers: Json = {
  "X-Request-Id": {
    description:
      "Id of this request. The log contains the ids of all 5xx responses and, with `LOG_LEVEL=debug`, of all other " +
      "responses",
    required: true,
    schema: { type: "string" },
  },
  "Cache-Control": {
    description: "No cache may store a response",
    required: true,
    schema: { type: "string", const: "no-store" },
  },
  "Retry-After": {
    description: "Seconds after which a request can succeed again",
    required: true,
    schema: { type: "integer", minimum: 0 },
  },
  // Absent if the limiter could not be asked and the request was let through, and if another limit refused it.
  "X-RateLimit-Limit": { description: "Units per 60 seconds", schema: { type: "integer" } },
  "X-RateLimit-Remaining": { description: "Units left", schema: { type: "integer" } },
  "X-RateLimit-Reset": {
    description: "Unix time at which the next unit becomes available",
    schema: { type: "integer" },
  },
};

const RESEND_DESCRIPTION =
  "`safe`: the message was not delivered, because WhatsApp said so or because it was never handed over. " +
  "`later`: sending again can succeed later, from `resend_after` or after `Retry-After` if given. " +
  "`never`: the same request would be refused again, or must not be sent. Change it first. " +
  "`may_duplicate`: WhatsApp may have accepted the message. If you send it again, the customer can get it twice. " +
  "After a refusal, repeat the same request. To resend a failed message, use a new `client_message_id`.";

const errorSchema: Json = {
  type: "object",
  required: ["error"],
  additionalProperties: false,
  properties: {
    error: {
      type: "object",
      required: ["code", "message", "resend"],
      additionalProperties: false,
      properties: {
        code: { type: "string", description: "Stable error code" },
        message: { type: "string", description: "Explanation for people. It may change" },
        field: { type: "string", description: "The invalid field" },
        resend: {
          enum: ["safe", "later", "never", "may_duplicate"],
          description: RESEND_DESCRIPTION,
        },
        resend_after: { type: "string", format: "date-time" },
        doc_url: { type: "string", format: "uri", description: "Link to the documentation of the code" },
      },
    },
  },
};

function schemaOfCodes(codes: readonly ErrorCode[]): Json {
  return {
    allOf: [
      { $ref: "#/components/schemas/Error" },
      { properties: { error: { properties: { code: { enum: codes } } } } },
    ],
  };
}

function refs(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** A plain copy, so that nothing shared with the library is changed. */
function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}

/** @throws Error if the library's document doesn't have the expected form. */
function child(parent: Json, name: string): Json {
  const value = parent[name];
  if (typeof value !== "object" || value === null) throw new Error(`The generated document has no ${name}`);
  return Object(value);
}
