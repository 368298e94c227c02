import { Ajv2020, type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { DELIVERY_STATES, WEBHOOK_EVENT_TYPES } from "@/db/schema";
import { MESSAGE_TYPES } from "@/server/domain/messages/model/content-rules";
import { DIRECTIONS } from "@/server/domain/messages/model/conversation-schemas";
import { SEND_MESSAGE_EXAMPLES } from "@/server/domain/messages/send/examples";
import { sendMessageInput } from "@/server/domain/messages/model/send-request";
import { MEDIA_KINDS } from "@/server/domain/messages/model/received-content-schemas";
import { appRouter } from "@/server/edge/trpc/router";
import { openApiDocument } from "./document";

type Json = Readonly<Record<string, unknown>>;

const document = openApiDocument(appRouter, "https://waypost.example");

const at = (...path: readonly string[]): Json =>
  Object(path.reduce<unknown>((part, name) => Object(part)[name], document));

const operations = Object.entries(at("paths")).flatMap(([path, methods]) =>
  Object.entries<Json>(Object(methods)).map(([method, operation]) => ({
    name: `${method} ${path}`,
    operation,
    responses: Object.entries<Json>(Object(operation.responses)),
  })),
);

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
addFormats.default(ajv);
ajv.addSchema(document, "openapi");

function validatorOf(component: string): ValidateFunction {
  return ajv.compile({ $ref: `openapi#/components/schemas/${component}` });
}

/** Returns true for a response that is a file of any type, and the only one without JSON. */
const isFile = ({ content }: Json) =>
  JSON.stringify(content) ===
  JSON.stringify({ "application/octet-stream": { schema: { type: "string", format: "binary" } } });

/** Returns every object of the document, with its path. */
function objectsIn(value: unknown, path = "#"): readonly { readonly path: string; readonly object: Json }[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, part]) => objectsIn(part, `${path}/${name}`));
  return Array.isArray(value) ? inner : [{ path, object: Object(value) }, ...inner];
}

describe("names that generated clients are made of", () => {
  test("operations", () => {
    expect(
      Object.fromEntries(operations.map(({ name, operation }) => [name, operation.operationId])),
    ).toEqual({
      "get /ping": "ping",
      "post /messages": "sendMessage",
      "get /messages": "listMessages",
      "get /messages/{id}": "getMessage",
      "post /messages/{id}/read": "markMessageRead",
      "get /messages/{id}/media": "getMessageMedia",
      "post /uploads": "createUpload",
      "get /channels": "listChannels",
      "get /threads": "listThreads",
      "get /threads/{thread_id}": "getThread",
      "get /contacts": "listContacts",
      "get /contacts/{contact_id}": "getContact",
      "patch /contacts/{contact_id}": "updateContact",
      "get /templates": "listTemplates",
      "get /webhooks": "listWebhooks",
      "post /webhooks": "createWebhook",
      "get /webhooks/{id}": "getWebhook",
      "patch /webhooks/{id}": "updateWebhook",
      "delete /webhooks/{id}": "deleteWebhook",
      "post /webhooks/{id}/rotate-secret": "rotateWebhookSecret",
      "post /webhooks/{id}/test": "testWebhook",
      "get /webhooks/{id}/deliveries": "listDeliveries",
      "post /webhooks/{id}/deliveries/{delivery_id}/redeliver": "redeliver",
      "post /webhooks/{id}/replay": "replay",
    });
  });

  test("schemas", () => {
    const names = [
      "SendMessageRequest",
      "DestinationTo",
      "MediaObject",
      "TemplateObject",
      "SendMessageResponse",
      "ErrorEnvelope",
      "Message",
      "InboundMessage",
      "Event",
      "CreateWebhookRequest",
      "UpdateWebhookRequest",
      "ReplayRequest",
      "WebhookEndpoint",
      "WebhookEndpointWithSecret",
      "WebhookDelivery",
    ];
    expect(Object.keys(at("components", "schemas"))).toEqual(expect.arrayContaining(names));
  });

  test("a schema of each type of event, which `type` selects", () => {
    const { oneOf, discriminator } = at("components", "schemas", "Event");
    expect(Object.keys(Object(discriminator).mapping)).toEqual([...WEBHOOK_EVENT_TYPES]);
    expect(Object.values(Object(discriminator).mapping)).toEqual(
      Object.values<{ $ref: string }>(Object(oneOf)).map(({ $ref }) => $ref),
    );
  });
});

test.each(operations)(
  "$name says its scope, its bucket and its codes, for people and for programs",
  ({ operation }) => {
    const { description } = operation;
    const scope = z.string().nullable().parse(operation["x-required-scope"]);
    expect(description).toContain(scope === null ? "Any key will do" : `\`${scope}\``);
    const bucket = z.enum(["send", "read", "upload"]).parse(operation["x-rate-limit-bucket"]);
    expect(description).toContain(`rate-limit bucket \`${bucket}\``);
    const codes = Object.values<string>(Object(operation["x-error-codes"]));
    expect(codes.length).toBeGreaterThan(5);
    for (const code of codes) expect(description).toContain(`\`${code}\``);
  },
);

describe.each(operations)("an answer of $name", ({ operation, responses }) => {
  test.each(
    responses.filter(([status, response]) => status < "300" && status !== "204" && !isFile(response)),
  )("%s has an example that its schema accepts", (_, response) => {
    const { schema, example } = Object(Object(response.content)["application/json"]);
    const validate = validatorOf(schema.$ref.split("/").at(-1));
    expect(validate(example), ajv.errorsText(validate.errors)).toBe(true);
  });

  test("has an example of each code that refuses it, with the status of the code", () => {
    const refusals = responses.filter(([status]) => status >= "400");
    const codes = refusals.flatMap(([, response]) => {
      const { schema, examples } = Object(Object(response.content)["application/json"]);
      expect(schema).toEqual({ $ref: "#/components/schemas/ErrorEnvelope" });
      return Object.keys(examples);
    });
    expect(codes.toSorted()).toEqual(Object.values<string>(Object(operation["x-error-codes"])).toSorted());
  });
});

test("each code has one example, which is a refusal with that code", () => {
  const validate = validatorOf("ErrorEnvelope");
  const examples = Object.entries(at("components", "examples"));
  const codes = new Set(operations.flatMap(({ operation }) => Object(operation["x-error-codes"])));
  expect(new Set(examples.map(([code]) => code))).toEqual(codes);
  for (const [code, { value }] of examples.map(([name, one]) => [name, Object(one)] as const)) {
    expect(validate(value), ajv.errorsText(validate.errors)).toBe(true);
    expect(value.error).toMatchObject({
      code,
      doc_url: `https://waypost.example/docs/errors#${code}`,
    });
  }
});

describe("the body of POST /messages", () => {
  const text = { client_message_id: "1", type: "text", to: { kind: "whatsapp", handle: "4915112345678" } };
  const media = { url: "https://www.example.com/file" };

  test.each([
    ["a text without text", text],
    ["an image without media", { ...text, type: "image" }],
    ["a template without template", { ...text, type: "template" }],
    ["a text with media", { ...text, text: { body: "Hi" }, media }],
    ["an empty text", { ...text, text: { body: "" } }],
    ["a caption of 1,025 characters", { ...text, type: "image", media, text: { body: "x".repeat(1025) } }],
    ["an audio with a caption", { ...text, type: "audio", media, text: { body: "Hi" } }],
    ["another type", { ...text, type: "fax" }],
    ["an unknown field", { ...text, text: { body: "Hi" }, urgent: true }],
  ])("excludes %s, as the server does", (_, body) => {
    expect(validatorOf("SendMessageRequest")(body)).toBe(false);
    expect(sendMessageInput.safeParse(body).success).toBe(false);
  });

  test.each(MESSAGE_TYPES)("has a schema for %s, whose fields are those that the server takes", (type) => {
    const mapping = Object(at("components", "schemas", "SendMessageRequest", "discriminator").mapping);
    const name = String(mapping[type]).split("/").at(-1) ?? "";
    const contents = {
      text: { body: "Hi" },
      media,
      template: { name: "order", language: "en" },
      ...Object.fromEntries(
        (["interactive", "reaction", "location", "contacts"] as const).map((field) => [
          field,
          Object(SEND_MESSAGE_EXAMPLES[field].value)[field],
        ]),
      ),
    };
    const fields = Object.keys(at("components", "schemas", name, "properties"));
    const given = Object.entries(contents).filter(([field]) => fields.includes(field));
    const body = { ...text, type, ...Object.fromEntries(given) };
    expect(validatorOf("SendMessageRequest")(body)).toBe(true);
    expect(sendMessageInput.safeParse(body).success).toBe(true);
    for (const [field, value] of Object.entries(contents).filter(([one]) => !fields.includes(one)))
      expect(sendMessageInput.safeParse({ ...body, [field]: value }).success).toBe(false);
  });
});

describe("what can be added within a version", () => {
  const answers = objectsIn(at("components", "schemas")).filter(
    ({ path }) =>
      !/^#\/(Send\w+Message|\w+Request|Destination\w+|ReplyTo|Interactive\w+|ContactCard|WebhookEventType|(?:Text|Caption|Media|Template|Reaction|Location)Object)(\/|$)/.test(
        path,
      ),
  );

  test("a field: no answer and no event excludes further ones", () => {
    expect(answers.filter(({ object }) => object.additionalProperties === false)).toEqual([]);
  });

  test("a value: an enumeration says so, unless its values are fixed", () => {
    const closed = answers.filter(({ object }) => object.enum !== undefined);
    const values = new Set(closed.map(({ object }) => JSON.stringify(object.enum)));
    expect(values).toEqual(
      new Set(
        [DELIVERY_STATES, DIRECTIONS, ["safe", "later", "never", "may_duplicate"], MEDIA_KINDS].map((one) =>
          JSON.stringify(one),
        ),
      ),
    );
    const growing = answers.filter(({ object }) => object["x-extensible-enum"] !== undefined);
    expect(growing.length).toBeGreaterThan(5);
    for (const { object } of growing) expect(object.description).toMatch(/can be added/);
  });
});

test("times have a format and no pattern", () => {
  const times = objectsIn(document).filter(({ object }) => object.format === "date-time");
  expect(times.length).toBeGreaterThan(20);
  expect(times.filter(({ object }) => object.pattern !== undefined)).toEqual([]);
});

test("each tag is described, and its address is absolute where one is known", () => {
  const used = new Set(operations.flatMap(({ operation }) => Object(operation.tags)));
  const tags = Object.values<{ name: string; description: string }>(Object(document.tags));
  expect(new Set(tags.map(({ name }) => name))).toEqual(used);
  for (const { description } of tags) expect(description).toMatch(/\.$/);
  expect(document.servers).toEqual([{ url: "https://waypost.example/api/public/v1" }]);
  expect(openApiDocument(appRouter, null).servers).toEqual([{ url: "/api/public/v1" }]);
});

test("a refusal shows what is left of the rate limit, where a request takes a unit before its verb refuses it", () => {
  const headersOf = (path: string, method: string, status: string) =>
    Object.keys(at("paths", path, method, "responses", status, "headers"));
  expect(headersOf("/webhooks", "post", "400")).toContain("X-RateLimit-Remaining");
  expect(headersOf("/messages/{id}", "get", "404")).toContain("X-RateLimit-Remaining");
  expect(headersOf("/messages", "post", "422")).not.toContain("X-RateLimit-Remaining");
  expect(headersOf("/webhooks", "post", "401")).toEqual([
    "X-Request-Id",
    "Cache-Control",
    "WWW-Authenticate",
  ]);
});

test("nothing is said that says nothing: patterns of numbers, and JavaScript's largest integers", () => {
  const objects = objectsIn(document).map(({ object }) => object);
  expect(objects.filter(({ type, pattern }) => type === "integer" && pattern !== undefined)).toEqual([]);
  expect(objects.filter(({ minimum }) => minimum === Number.MIN_SAFE_INTEGER)).toEqual([]);
  expect(at("components", "schemas", "SendMessageResponse", "properties", "deduplicated")).toEqual({
    type: "boolean",
  });
});
