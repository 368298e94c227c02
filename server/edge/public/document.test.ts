import { randomUUID } from "node:crypto";
import { Ajv2020 } from "ajv/dist/2020";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WEBHOOK_DELIVERY_STATES, WEBHOOK_EVENT_TYPES } from "@/db/schema";
import { appRouter } from "@/server/edge/trpc/router";
import { DEFAULT_SCOPES, type Scope, SCOPE_NAMES } from "@/server/core/capabilities";
import { createKey } from "@/server/domain/keys/create";
import { MESSAGE_TYPES } from "@/server/domain/messages/model/content-rules";
import {
  addTemplate,
  newHandle,
  openConversation,
  openSendWorld,
  type SendWorld,
} from "@/server/domain/messages/testing";
import type { WebhookEventOf } from "@/server/domain/webhooks/events/event-schemas";
import { RECEIVED_KINDS } from "@/server/domain/messages/model/received-content-schemas";
import { openApiDocument } from "./document";
import { createPublicHandler } from "./handle";
import { fetchMount } from "./mounts";
import { publicRoutes } from "./routes";

interface Example {
  readonly summary: string;
  readonly value: Readonly<Record<string, unknown>>;
}

let world: SendWorld;
let secret: string;

beforeAll(async () => {
  world = await openSendWorld();
  ({ secret } = await createKey({ ctx: world.ctx, input: { name: "Key" } }));
});
afterAll(() => world.close());

/** The examples of POST /messages, as a reader of the document finds them. */
function examplesOfSend(): Readonly<Record<string, Example>> {
  const path = ["paths", "/messages", "post", "requestBody", "content", "application/json", "examples"];
  const found = path.reduce<unknown>((part, name) => Object(part)[name], openApiDocument(appRouter, null));
  return Object(found);
}

describe("the examples of POST /messages", () => {
  test("are one for each type", () => {
    const types = Object.entries(examplesOfSend()).map(([name, { value }]) => [name, value.type]);
    expect(types).toEqual(MESSAGE_TYPES.map((type) => [type, type]));
  });

  test.each(MESSAGE_TYPES)("are accepted as they stand: %s", async (type) => {
    const example = examplesOfSend()[type];
    const { handle } = Object(example?.value.to);
    await openConversation(world.ctx, world.channelId, handle);
    const { name, language, variables = {} } = Object(example?.value.template);
    await addTemplate(world.ctx, world.channelId, { name, language, variables: Object.keys(variables) });
    const answer = await fetchMount(createPublicHandler(world.services, appRouter))(
      new Request("http://localhost/api/public/v1/messages", {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        body: JSON.stringify(example?.value),
      }),
    );
    expect(await answer.json()).toMatchObject({
      client_message_id: example?.value.client_message_id,
      deduplicated: false,
    });
  });
});

/** Returns the part of the document at a path. */
const at = (...path: readonly string[]): unknown =>
  path.reduce<unknown>((part, name) => Object(part)[name], openApiDocument(appRouter, null));

/** Returns how a value violates a schema of the document. */
function problemsOf(operationSchema: object, value: unknown): readonly unknown[] {
  const schema = { ...operationSchema, components: at("components") };
  const formats = { uri: true, uuid: true, "date-time": true } as const;
  const validate = new Ajv2020({ strict: false, allErrors: true, formats }).compile(schema);
  return validate(value) ? [] : (validate.errors ?? []);
}

describe("the body of POST /messages", () => {
  const problemsOfTemplate = (template: object) => {
    const schema = Object(
      at("paths", "/messages", "post", "requestBody", "content", "application/json", "schema"),
    );
    const { value } = examplesOfSend().template ?? {};
    return problemsOf(schema, { ...value, template: { name: "order", language: "en", ...template } });
  };

  test("describes the codes of a template's language", () => {
    for (const language of ["en", "fil", "pt_BR", "zh_Hant", null])
      expect(problemsOfTemplate({ language })).toEqual([]);
    for (const language of ["", "english", "en-US", "en_us"])
      expect(problemsOfTemplate({ language })).not.toEqual([]);
  });

  test("describes that a template's values aren't empty, and says what else they can't be", () => {
    expect(problemsOfTemplate({ variables: { "1": "Ana", "2": null } })).toEqual([]);
    expect(problemsOfTemplate({ variables: { "1": "" } })).not.toEqual([]);
    const text = JSON.stringify(at("components", "schemas", "TemplateObject"));
    expect(text).toContain("a line break, a tab or more than four spaces in a row");
  });
});

/** Returns the response to a request with a key of these scopes. */
async function askAs(scopes: readonly Scope[], method: string, template: string, body: object) {
  const key = await createKey({ ctx: world.ctx, input: { name: "Key", scopes: [...scopes] } });
  const answer = await fetchMount(createPublicHandler(world.services, appRouter))(
    new Request(`http://localhost${template.replaceAll(/\{[a-z_]+\}/g, randomUUID())}`, {
      method,
      headers: { authorization: `Bearer ${key.secret}`, "content-type": "application/json" },
      ...(method === "GET" ? {} : { body: JSON.stringify(body) }),
    }),
  );
  return answer.text();
}

/** The kind of message that has the most requirements. */
async function templateToNewNumber(): Promise<object> {
  const { value } = examplesOfSend().template ?? {};
  const template = { name: "scopes", language: "en", variables: { "1": "Ana" } };
  await addTemplate(world.ctx, world.channelId, { ...template, variables: ["1"] });
  return { ...value, client_message_id: "scopes", template, to: { kind: "whatsapp", handle: newHandle() } };
}

test.each(publicRoutes(appRouter).map(({ method, template }) => [method, template] as const))(
  "the scopes that %s %s names are those without which it is refused, and no others",
  async (method, template) => {
    const path = template.replace("/api/public/v1", "");
    const description = String(at("paths", path, method.toLowerCase(), "description"));
    const named = SCOPE_NAMES.filter((scope) => description.includes(`\`${scope}\``));
    const body = method === "POST" && path === "/messages" ? await templateToNewNumber() : {};
    for (const scope of named) {
      const others = SCOPE_NAMES.filter((one) => one !== scope);
      expect(await askAs(others, method, template, body)).toContain(`lacks the scope \`${scope}\``);
    }
    const enough = named.length > 0 ? named : DEFAULT_SCOPES.slice(0, 1);
    expect(await askAs(enough, method, template, body)).not.toContain("lacks the scope");
  },
);

test.each([
  ["/ping", "get", "Any key will do."],
  ["/channels", "get", "Needs the scope `messages:send`."],
  ["/uploads", "post", "Needs the scope `messages:send`."],
  ["/messages/{id}", "get", "Needs the scope `messages:read`."],
  ["/templates", "get", "Needs the scope `templates:read`."],
  ["/webhooks", "post", "Needs the scope `webhooks:manage`."],
])("%s %s says which scope it needs", (path, method, sentence) => {
  expect(at("paths", path, method, "description")).toContain(sentence);
});

describe("the routes of webhooks", () => {
  test.each([
    ["/webhooks", "post", "201", "WebhookEndpointWithSecret"],
    ["/webhooks/{id}", "patch", "200", "WebhookEndpoint"],
    ["/webhooks/{id}/deliveries/{delivery_id}/redeliver", "post", "202", "WebhookDelivery"],
    ["/webhooks/{id}/replay", "post", "200", "WebhookReplay"],
  ])("%s %s answers %s with %s", (path, method, status, schema) => {
    const responses = at("paths", path, method, "responses");
    expect(Object.keys(Object(responses)).filter((one) => one < "400")).toEqual([status]);
    expect(Object(responses)[status].content["application/json"].schema).toEqual({
      $ref: `#/components/schemas/${schema}`,
    });
  });

  test("name the ids of their path, and ask for no body where the path says all", () => {
    const path = "/webhooks/{id}/deliveries/{delivery_id}/redeliver";
    expect(at("paths", path, "post", "parameters")).toMatchObject([
      { in: "path", name: "id", required: true },
      { in: "path", name: "delivery_id", required: true },
    ]);
    expect(at("paths", path, "post", "requestBody")).toBeUndefined();
  });

  test("say what the states of deliveries mean", () => {
    const { description } = Object(at("components", "schemas", "WebhookDelivery", "properties", "state"));
    for (const state of WEBHOOK_DELIVERY_STATES) expect(description).toContain(`\`${state}\`: `);
  });

  test("answer a removal without a body", () => {
    const responses = Object(at("paths", "/webhooks/{id}", "delete", "responses"));
    expect(Object.keys(responses["204"]).toSorted()).toEqual(["description", "headers"]);
  });

  test.each(["/webhooks", "/webhooks/{id}/replay"])("%s has examples that its schema takes", (path) => {
    const { schema, examples } = Object(
      at("paths", path, "post", "requestBody", "content", "application/json"),
    );
    const values = Object.values<{ value: unknown }>(examples).map(({ value }) => value);
    expect(values.length).toBeGreaterThan(1);
    expect(values.flatMap((value) => problemsOf(schema, value))).toEqual([]);
  });
});

describe("the webhooks", () => {
  test("say that a test isn't tried again and disables nothing, where 410 disables the endpoint", () => {
    const answersTo = (type: string) => Object(at("webhooks", type, "post", "responses"));
    expect(answersTo("message.sent")["410"].description).toContain("the endpoint is disabled");
    expect(Object.keys(answersTo("webhook.test"))).toEqual(["2XX", "default"]);
    expect(answersTo("webhook.test").default.description).toContain("It isn't tried again");
  });

  test("are one for each type of event", () => {
    expect(Object.keys(Object(at("webhooks")))).toEqual([...WEBHOOK_EVENT_TYPES]);
  });

  test.each(WEBHOOK_EVENT_TYPES)(
    "have an example of %s that its schema takes, and that may get further fields",
    (type) => {
      const { schema, ...rest } = Object(
        at("webhooks", type, "post", "requestBody", "content", "application/json"),
      );
      const { example = rest.examples?.text.value } = rest;
      const further = { ...example, data: { ...example.data, further: 1 }, further: 1 };
      expect([example, further].flatMap((body) => problemsOf(schema, body))).toEqual([]);
      expect(problemsOf(schema, { ...example, type: "message.other" })).not.toEqual([]);
      expect(problemsOf(schema, { ...example, data: {} })).not.toEqual([]);
    },
  );

  test("describe every kind that a customer can send, which `content.type` selects, with an example of each", () => {
    const { schema, examples } = Object(
      at("webhooks", "message.received", "post", "requestBody", "content", "application/json"),
    );
    expect(schema.$ref).toBe("#/components/schemas/MessageReceivedEvent");
    expect(at("components", "schemas", "MessageReceivedEvent", "properties", "data", "$ref")).toBe(
      "#/components/schemas/InboundMessage",
    );
    const content = at("components", "schemas", "InboundMessage", "properties", "content");
    const { oneOf, discriminator } = Object(content);
    expect(discriminator.propertyName).toBe("type");
    expect(Object.keys(discriminator.mapping)).toEqual(RECEIVED_KINDS);
    const refs = oneOf.map((one: { $ref: string }) => one.$ref);
    expect(new Set(Object.values(discriminator.mapping))).toEqual(new Set(refs));
    for (const ref of refs) expect(at(...String(ref).slice(2).split("/"))).toMatchObject({ type: "object" });
    expect(Object.keys(examples).toSorted()).toEqual(RECEIVED_KINDS.toSorted());
    for (const [kind, { value }] of Object.entries<{ value: WebhookEventOf<"message.received"> }>(examples)) {
      expect(value.data.content.type).toBe(kind);
      expect(problemsOf(schema, value)).toEqual([]);
      const other = { ...value.data.content, type: kind === "order" ? "location" : "order" };
      expect(problemsOf(schema, { ...value, data: { ...value.data, content: other } })).not.toEqual([]);
    }
  });

  test("say by which headers they are verified", () => {
    const { parameters } = Object(at("webhooks", "message.read", "post"));
    expect(Object.values<{ name: string }>(parameters).map(({ name }) => name)).toEqual([
      "webhook-id",
      "webhook-timestamp",
      "webhook-signature",
    ]);
  });
});
