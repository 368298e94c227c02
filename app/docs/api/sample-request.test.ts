import { expect, test } from "vitest";
import type { ApiDocument, ApiOperation, Schema } from "./document";
import { requestToFillIn, sampleRequestOf } from "./sample-request";

const schemas = {
  Send: {
    oneOf: [{ $ref: "#/components/schemas/SendText" }],
    discriminator: { propertyName: "type", mapping: { text: "#/components/schemas/SendText" } },
  },
  SendText: {
    properties: {
      type: { type: "string", const: "text" },
      to: { anyOf: [{ $ref: "#/components/schemas/To" }, { type: "null" }] },
      is_test: { type: "boolean" },
      note: { type: ["string", "null"] },
    },
  },
  To: { properties: { kind: { type: "string", enum: ["whatsapp"] }, handle: { type: "string" } } },
  Hook: {
    properties: {
      events: { anyOf: [{ items: { $ref: "#/components/schemas/Event" } }, { type: "null" }] },
      channel_ids: { items: { type: "string" } },
    },
  },
  Event: { type: "string", "x-extensible-enum": ["message.sent"] },
} as const satisfies Record<string, Schema>;

const document: ApiDocument = {
  info: { description: "" },
  tags: [],
  paths: {},
  webhooks: {},
  components: { schemas, headers: {}, examples: {} },
};

const OPERATION = {
  operationId: "act",
  summary: "",
  description: "",
  tags: [],
  responses: {},
  "x-error-codes": [],
} as const;

function described(operation: Partial<ApiOperation>) {
  return { method: "POST", path: "/acts", operation: { ...OPERATION, ...operation } };
}

const withBody = (name: keyof typeof schemas, value: unknown) =>
  described({
    requestBody: {
      content: {
        "application/json": {
          schema: { $ref: `#/components/schemas/${name}` },
          examples: { first: { summary: "", value }, second: { summary: "", value: {} } },
        },
      },
    },
  });

test("a sample's body is the first example", () => {
  const value = { type: "text", note: "Hello" };
  expect(sampleRequestOf(withBody("Send", value))).toEqual({
    operationId: "act",
    method: "POST",
    path: "/acts",
    body: value,
  });
});

test("in a request to fill in, texts of the example are marked, but not the texts that the API defines", () => {
  const send = { type: "text", to: { kind: "whatsapp", handle: "49" }, is_test: true, note: "Hello" };
  expect(requestToFillIn(withBody("Send", send), document).body).toEqual({
    type: "text",
    to: { kind: "whatsapp", handle: "<YOUR VALUE, such as 49>" },
    is_test: true,
    note: "<YOUR VALUE, such as Hello>",
  });
  const hook = { events: ["message.sent"], channel_ids: ["c1"], unknown: "a" };
  expect(requestToFillIn(withBody("Hook", hook), document).body).toEqual({
    events: ["message.sent"],
    channel_ids: ["<YOUR VALUE, such as c1>"],
    unknown: "<YOUR VALUE, such as a>",
  });
});

test("a request without a body stays as it is, and so does a file", () => {
  const state = {
    name: "state",
    in: "query",
    schema: { type: "string", enum: ["queued", "failed"] },
  } as const;
  const list = described({ parameters: [state] });
  expect(requestToFillIn(list, document)).toEqual(sampleRequestOf(list));
  expect(sampleRequestOf(list).query).toEqual({ state: "failed" });
  const upload = described({
    requestBody: { content: { "application/octet-stream": { schema: { type: "string" } } } },
  });
  expect(requestToFillIn(upload, document)).toMatchObject({ file: { contentType: "image/jpeg" } });
});
