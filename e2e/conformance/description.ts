import { missingStep } from "@/server/testing";
import { asJson } from "@/e2e/support/contract";
import type { Journey } from "./scenario";
import type { World } from "./world";

const EVERYWHERE = {
  400: ["organization_not_allowed"],
  401: ["api_key_required", "invalid_api_key", "api_key_revoked", "api_key_expired"],
  429: ["rate_limited"],
} as const;

/** The description must list at least these statuses and codes of each operation. */
const OPERATIONS = {
  "post /messages": {
    success: ["200", "201"],
    refusals: {
      ...EVERYWHERE,
      400: [
        "client_message_id_required",
        "invalid_whatsapp_number",
        "validation_failed",
        "invalid_media",
        "media_url_forbidden",
        "organization_not_allowed",
      ],
      403: ["missing_scope", "channel_forbidden"],
      408: ["request_timeout"],
      409: ["idempotency_key_reused", "identity_conflict"],
      413: ["payload_too_large"],
      415: ["unsupported_media_type"],
      422: [
        "outside_customer_window",
        "recipient_unreachable",
        "thread_not_found",
        "template_not_approved",
        "template_variables_mismatch",
      ],
    },
  },
  "get /messages/{id}": {
    success: ["200"],
    refusals: { ...EVERYWHERE, 403: ["missing_scope"], 404: ["message_not_found"] },
  },
  "get /messages": {
    success: ["200"],
    refusals: { ...EVERYWHERE, 400: ["validation_failed"], 403: ["missing_scope", "channel_forbidden"] },
  },
  "get /threads": {
    success: ["200"],
    refusals: { ...EVERYWHERE, 400: ["validation_failed"], 403: ["missing_scope", "channel_forbidden"] },
  },
  "get /threads/{thread_id}": {
    success: ["200"],
    refusals: { ...EVERYWHERE, 403: ["missing_scope"], 404: ["thread_not_found"] },
  },
  "get /contacts": {
    success: ["200"],
    refusals: { ...EVERYWHERE, 400: ["validation_failed"], 403: ["missing_scope"] },
  },
  "get /contacts/{contact_id}": {
    success: ["200"],
    refusals: { ...EVERYWHERE, 403: ["missing_scope"], 404: ["contact_not_found"] },
  },
  "patch /contacts/{contact_id}": {
    success: ["200"],
    refusals: {
      ...EVERYWHERE,
      400: ["validation_failed"],
      403: ["missing_scope"],
      404: ["contact_not_found"],
    },
  },
  "get /templates": {
    success: ["200"],
    refusals: { ...EVERYWHERE, 400: ["validation_failed"], 403: ["missing_scope", "channel_forbidden"] },
  },
  "get /channels": {
    success: ["200"],
    refusals: { ...EVERYWHERE, 400: ["validation_failed"], 403: ["missing_scope"] },
  },
  "post /uploads": {
    success: ["201"],
    refusals: {
      ...EVERYWHERE,
      400: ["validation_failed", "invalid_media", "organization_not_allowed"],
      413: ["payload_too_large"],
      422: ["upload_quota_exceeded"],
      429: ["rate_limited"],
    },
  },
  "get /webhooks": { success: ["200"], refusals: { ...EVERYWHERE, 403: ["missing_scope"] } },
  "post /webhooks": {
    success: ["201"],
    refusals: {
      ...EVERYWHERE,
      400: ["validation_failed", "webhook_url_forbidden"],
      403: ["missing_scope", "channel_forbidden"],
      422: ["webhook_limit_reached"],
    },
  },
  "get /webhooks/{id}": { success: ["200"], refusals: { ...EVERYWHERE, 404: ["webhook_not_found"] } },
  "post /webhooks/{id}/rotate-secret": {
    success: ["200"],
    refusals: { ...EVERYWHERE, 404: ["webhook_not_found"] },
  },
  "get /webhooks/{id}/deliveries": {
    success: ["200"],
    refusals: { ...EVERYWHERE, 404: ["webhook_not_found"] },
  },
  "patch /webhooks/{id}": { success: ["200"], refusals: { ...EVERYWHERE, 404: ["webhook_not_found"] } },
  "delete /webhooks/{id}": { success: ["204"], refusals: { ...EVERYWHERE, 404: ["webhook_not_found"] } },
  "post /webhooks/{id}/deliveries/{delivery_id}/redeliver": {
    success: ["202"],
    refusals: {
      ...EVERYWHERE,
      404: ["webhook_not_found", "webhook_delivery_not_found"],
      409: ["webhook_not_delivering", "webhook_event_erased"],
    },
  },
  "post /webhooks/{id}/test": {
    success: ["200"],
    refusals: {
      ...EVERYWHERE,
      404: ["webhook_not_found"],
      409: ["webhook_test_running"],
      429: ["rate_limited", "webhook_test_limited"],
    },
  },
  "post /webhooks/{id}/replay": {
    success: ["200"],
    refusals: { ...EVERYWHERE, 404: ["webhook_not_found"], 409: ["webhook_not_delivering"] },
  },
  "get /ping": { success: ["200"], refusals: EVERYWHERE },
} as const satisfies Record<
  string,
  { success: readonly string[]; refusals: Readonly<Record<number, readonly string[]>> }
>;

const LIMIT_HEADERS = ["Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

/** Tests the published document itself. Every scenario checks that responses conform to it. */
export const description: readonly Journey[] = [
  {
    name: "is OpenAPI 3.1 of interface version 1.0.0, with both ways to send a key",
    run({ api: { document } }, expect) {
      expect(document).toMatchObject({
        openapi: expect.stringMatching(/^3\.1\./),
        info: { version: "1.0.0" },
      });
      const schemes = Object.values(at(document, "components", "securitySchemes"));
      expect(schemes).toContainEqual(expect.objectContaining({ type: "http", scheme: "bearer" }));
      expect(schemes).toContainEqual(
        expect.objectContaining({ type: "apiKey", in: "header", name: "X-Api-Key" }),
      );
    },
  },
  {
    name: "has only operations whose statuses and codes are checked here",
    run(world, expect) {
      const published = Object.entries(asJson(at(world.api.document, "paths"))).flatMap(([path, methods]) =>
        Object.keys(asJson(methods)).map((method) => `${method} ${path}`),
      );
      expect(
        published.filter((name) => !(name in OPERATIONS)),
        missingStep("Conformance"),
      ).toEqual([]);
    },
  },
  ...Object.entries(OPERATIONS).map(([name, { success, refusals }]): Journey => ({
    name: `has every status and code of ${name}`,
    run(world, expect) {
      const operation = operationOf(world, name);
      const responses = asJson(operation.responses);
      expect(operation.security ?? at(world.api.document).security).toBeTruthy();
      expect(Object.keys(responses).filter((status) => status < "300")).toEqual(success);
      for (const [status, codes] of Object.entries<readonly string[]>(refusals)) {
        const examples = Object.keys(at(responses[status], "content", "application/json", "examples"));
        expect(examples).toEqual(expect.arrayContaining([...codes]));
        expect(operation["x-error-codes"]).toEqual(expect.arrayContaining([...codes]));
      }
      for (const response of Object.values(responses)) {
        expect(Object.keys(at(response, "headers"))).toEqual(
          expect.arrayContaining(["X-Request-Id", "Cache-Control"]),
        );
      }
      expect(Object.keys(at(responses[429], "headers"))).toEqual(expect.arrayContaining(LIMIT_HEADERS));
    },
  })),
  {
    name: "limits the fields of a message: the required ones, no unknown ones, and the length of client_message_id",
    run({ api: { document } }, expect) {
      const schemas = at(document, "components", "schemas");
      const { oneOf, discriminator } = at(schemas, "SendMessageRequest");
      expect(discriminator).toMatchObject({ propertyName: "type" });
      const refs = Array.isArray(oneOf) ? oneOf.map((one) => String(asJson(one).$ref)) : [];
      expect(refs).toHaveLength(6);
      for (const ref of refs) {
        expect(at(document, ...ref.slice(2).split("/"))).toMatchObject({
          additionalProperties: false,
          required: expect.arrayContaining(["client_message_id", "type"]),
          properties: { client_message_id: { minLength: 1, maxLength: 128 } },
        });
      }
    },
  },
];

function operationOf({ api }: World, name: string) {
  const [method = "", path = ""] = name.split(" ");
  return at(api.document, "paths", path, method);
}

/** Returns the object at the end of this path; an empty one if there is none. */
function at(value: unknown, ...way: readonly string[]): Readonly<Record<string, unknown>> {
  return asJson(way.reduce<unknown>((parent, part) => asJson(parent)[part], value));
}
