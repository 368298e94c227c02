import { generateOpenApiDocument } from "trpc-openapi";
import { MEDIA_TYPES } from "@/server/adapters/whatsapp/media-types";
import { type Bucket, POLICIES } from "@/server/adapters/limits/policies";
import { CAPABILITIES } from "@/server/core/capabilities";
import { type ProcedureMeta, PUBLIC_TAGS } from "@/server/core/trpc";
import type { AppRouter } from "@/server/edge/trpc/router";
import { BASE_PATH } from "@/server/platform/addresses";
import type { ErrorCode } from "@/server/platform/errors";
import { NO_CONTENT } from "@/server/transport/envelope";
import { asOpenApiRouter } from "./bridge";
import { codesOf, errorExamples, errorSchema, refusalsOf } from "./document-errors";
import { HEADERS, headersOf } from "./document-headers";
import { describeSchema, type Json, openForAdditions, withoutNoise } from "./document-schemas";
import { documentedWebhooks, eventComponents } from "./document-webhooks";
import { publicRoutes } from "./routes";

/** Version of the published interface. */
const INTERFACE_VERSION = "1.0.0";
/** Where examples link to, if no address of this service is known. */
const EXAMPLE_BASE_URL = "http://localhost:3000";

/**
 * Builds the OpenAPI 3.1 document of the public API from the procedures. The library supports neither our statuses nor
 * our envelope, so its responses are replaced by the real ones: every status, every code that can occur with it, and
 * the headers.
 * @param baseUrl of this service for its clients. Null if it isn't known.
 */
export function openApiDocument(router: AppRouter, baseUrl: string | null): Json {
  const document = toJson(
    generateOpenApiDocument(asOpenApiRouter(router), {
      title: "Waypost Public Messaging API",
      description:
        "Send WhatsApp messages and track their delivery. A JSON body is one object in UTF-8. A body in which an " +
        "object has the same member twice is refused with `validation_failed`.",
      version: INTERFACE_VERSION,
      baseUrl: (baseUrl ?? "") + BASE_PATH,
      securitySchemes: SECURITY_SCHEMES,
    }),
  );
  const paths = child(document, "paths");
  const components = child(document, "components");
  const generated = Object.entries(child(components, "schemas")).filter(isOurs);
  const answers = openForAdditions({ ...Object.fromEntries(generated), ...eventComponents() });
  const requests: Json = {};
  const codes = new Set<ErrorCode>();
  for (const { meta, method } of publicRoutes(router)) {
    if (!meta.openapi) continue;
    const operation = child(child(paths, meta.openapi.path), method.toLowerCase());
    const ofRoute = codesOf(meta, method);
    for (const code of ofRoute) codes.add(code);
    describeLimits(operation, meta, ofRoute);
    Object.assign(requests, describeBody(operation, meta));
    operation.responses = {
      ...successesOf(operation, meta, answers),
      ...refusalsOf(ofRoute, method, meta.bucket !== null),
    };
  }
  components.schemas = { ...answers, ...requests, ErrorEnvelope: errorSchema(codes) };
  components.examples = errorExamples(codes, baseUrl ?? EXAMPLE_BASE_URL);
  components.headers = HEADERS;
  delete components.responses;
  Object.assign(child(document, "info"), {
    contact: { name: "Documentation", ...(baseUrl === null ? {} : { url: `${baseUrl}/docs` }) },
    license: { name: "All rights reserved", identifier: "LicenseRef-Waypost" },
  });
  document.tags = Object.entries(PUBLIC_TAGS).map(([name, description]) => ({ name, description }));
  document.webhooks = documentedWebhooks();
  return Object(withoutNoise(document));
}

/** The library describes its own errors, too. */
const isOurs = ([name]: readonly [string, unknown]) => !name.startsWith("error.");

const SECURITY_SCHEMES = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "`Authorization: Bearer <API_KEY>`. A key without `Bearer` is refused with `invalid_api_key`",
  },
  apiKey: { type: "apiKey", in: "header", name: "X-Api-Key" },
} as const;

/** Says in words, and for programs, which scope and which unit a request needs, and how it can be refused. */
function describeLimits(operation: Json, meta: ProcedureMeta, codes: readonly ErrorCode[]): void {
  const bucket = meta.openapi?.bucket ?? meta.bucket;
  const parts = [meta.openapi?.description, scopesInWords(meta), bucketInWords(bucket), codesInWords(codes)];
  operation.description = parts.filter(Boolean).join("\n\n");
  operation["x-required-scope"] = CAPABILITIES[meta.capability].scope;
  operation["x-rate-limit-bucket"] = bucket;
  operation["x-error-codes"] = codes;
}

/** Describes the scopes that a key needs for a route, from the same data that the permission check uses. */
function scopesInWords({ capability, furtherScopes = [] }: ProcedureMeta): string {
  const { scope } = CAPABILITIES[capability];
  const first = scope === null ? "Any key will do." : `Needs the scope \`${scope}\`.`;
  const further = furtherScopes.map((one) => `\`${one.scope}\` ${one.needed}`).join(", ");
  return further === "" ? first : `${first} Also needs ${further}.`;
}

function bucketInWords(bucket: Bucket | null): string {
  if (bucket === null) return "Uses no rate limit.";
  const { limitDefault } = POLICIES[bucket];
  return `Counts in the rate-limit bucket \`${bucket}\`: ${limitDefault} requests a minute for a new key.`;
}

const codesInWords = (codes: readonly ErrorCode[]) =>
  `Error codes: ${codes.map((code) => `\`${code}\``).join(", ")}.`;

/** Gives the body a name of its own. @returns the schemas that it needs. */
function describeBody(operation: Json, { openapi }: ProcedureMeta): Json {
  if (openapi?.takesFile) Object.assign(operation, FILE_REQUEST);
  if (openapi === undefined || openapi.takesFile || operation.requestBody === undefined) return {};
  const json = child(child(child(operation, "requestBody"), "content"), "application/json");
  const { schema, components } = openapi.body
    ? describeSchema(openapi.body, "input")
    : // Inputs are strict objects. The library says so for objects within a body, but not for the body itself.
      { schema: { ...child(json, "schema"), additionalProperties: false }, components: {} };
  const name = `${openapi.operationId.slice(0, 1).toUpperCase()}${openapi.operationId.slice(1)}Request`;
  json.schema = { $ref: `#/components/schemas/${name}` };
  if (openapi.examples) json.examples = openapi.examples;
  return { ...components, [name]: schema };
}

/** The body of an upload. Its type is found by its bytes, so that generators need to know only one. */
const FILE_REQUEST: Json = {
  parameters: [
    {
      name: "X-Filename",
      in: "header",
      description: "Name of the file. Percent-encode characters that aren't ASCII",
      schema: { type: "string" },
    },
  ],
  requestBody: {
    description: `The bytes of the file. \`Content-Type\` can also name its type. Accepted types: ${Object.values(
      MEDIA_TYPES,
    )
      .flatMap(({ mimeTypes }) => mimeTypes)
      .join(", ")}`,
    required: true,
    content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
  },
};

const SUCCESSES: Readonly<Record<number, string>> = {
  201: "Accepted and stored durably",
  202: "Accepted, to be done shortly",
  204: "Done",
};

/** @param answers the schemas of the document, each with an example for each status. */
function successesOf(operation: Json, { statuses, errors, openapi }: ProcedureMeta, answers: Json): Json {
  const success = child(child(operation, "responses"), "200");
  const responses = statuses.map((status, place) => {
    // A repeat (200 instead of 201) took no unit, so it has no limit to show.
    const isLimited = errors.includes("rate_limited") && place === 0;
    const described = {
      description: SUCCESSES[status] ?? "OK",
      headers: headersOf({ status, isLimited }),
    };
    if (status === NO_CONTENT) return [status, described] as const;
    const { schema } = Object(child(child(success, "content"), "application/json"));
    const example = exampleOf(schema, answers, place);
    if (example === undefined) throw new Error(`${openapi?.operationId} has no example of its answer`);
    return [status, { ...described, content: { "application/json": { schema, example } } }] as const;
  });
  return Object.fromEntries(responses);
}

function exampleOf(schema: { readonly $ref?: string }, answers: Json, place: number): unknown {
  const name = schema.$ref?.replace("#/components/schemas/", "") ?? "";
  const { examples = [] } = Object(answers[name]);
  return examples[place] ?? examples[0];
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
