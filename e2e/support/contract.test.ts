import { describe, expect, it } from "vitest";
import { createContract } from "./contract";
import type { HttpAnswer } from "./http-call";

const DOCUMENT = {
  openapi: "3.1.0",
  paths: {
    "/things": {
      post: {
        responses: {
          201: {
            headers: {
              "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" },
              "X-Left": { $ref: "#/components/headers/X-Left" },
            },
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
          },
          204: { headers: {} },
          409: {
            headers: {},
            content: {
              "application/json": {
                schema: { $ref: "#/components/schemas/ErrorEnvelope" },
                examples: { taken: { value: { error: { code: "taken" } } } },
              },
            },
          },
        },
      },
    },
    "/things/{id}": { get: { responses: {} } },
    "/things/new": {
      get: { responses: { 200: { content: { "application/json": { schema: { type: "array" } } } } } },
    },
  },
  webhooks: {
    "thing.made": {
      post: {
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["data"],
                properties: { type: { const: "thing.made" }, data: { $ref: "#/components/schemas/Thing" } },
              },
            },
          },
        },
      },
    },
  },
  components: {
    headers: {
      "X-Request-Id": { required: true, schema: { type: "string" } },
      "X-Left": { required: true, schema: { type: "integer", minimum: 0 } },
    },
    schemas: {
      Thing: {
        type: "object",
        required: ["id"],
        properties: {
          id: { type: "string", format: "uuid" },
          kind: { type: "string", "x-extensible-enum": ["small", "large"] },
        },
      },
      ErrorEnvelope: { type: "object", required: ["error"], properties: { error: { type: "object" } } },
    },
  },
};

const GOOD: HttpAnswer = {
  status: 201,
  headers: { "content-type": "application/json; charset=utf-8", "x-request-id": "request-1", "x-left": "3" },
  text: JSON.stringify({ id: "01890a5d-ac96-774b-bcce-b302099a8057" }),
  durationMs: 1,
};
const REFUSAL: HttpAnswer = { ...GOOD, status: 404, text: `{"error":{}}` };

const TAKEN: HttpAnswer = { ...GOOD, status: 409, text: `{"error":{"code":"taken"}}` };

const check = (answer: HttpAnswer, method = "POST", path = "/things") =>
  createContract(DOCUMENT).check(method, path, answer);
const withHeaders = (changes: Record<string, string>) => ({
  ...GOOD,
  headers: { ...GOOD.headers, ...changes },
});
const without = (name: string) => ({
  ...GOOD,
  headers: Object.fromEntries(Object.entries(GOOD.headers).filter(([other]) => other !== name)),
});

describe("the contract", () => {
  it.each([
    ["what the document says", GOOD, "POST", "/things"],
    ["no body where none is documented", { ...GOOD, status: 204, text: "" }, "POST", "/things"],
    [
      "a value that is named",
      { ...GOOD, text: GOOD.text.replace("}", `,"kind":"small"}`) },
      "POST",
      "/things",
    ],
    ["a refusal with a code of its status", TAKEN, "POST", "/things"],
    ["a refusal in the envelope on an unknown path", REFUSAL, "GET", "/nothing"],
    ["a refusal in the envelope on an unknown method", REFUSAL, "DELETE", "/things"],
    ["any body to HEAD", { ...REFUSAL, text: "" }, "HEAD", "/things"],
    ["a path without parameters before one with", { ...GOOD, status: 200, text: "[]" }, "GET", "/things/new"],
  ] as const)("takes %s", (_, answer, method, path) => {
    expect(() => check(answer, method, path)).not.toThrow();
  });

  it.each([
    ["a status that isn't documented", { ...GOOD, status: 200 }, "status 200 isn't documented"],
    ["a member too many", { ...GOOD, text: GOOD.text.replace("}", `,"x":1}`) }, "additional properties"],
    [
      "a value that isn't named",
      { ...GOOD, text: GOOD.text.replace("}", `,"kind":"huge"}`) },
      "allowed values",
    ],
    ["another code", { ...TAKEN, text: `{"error":{"code":"lost"}}` }, "the code lost isn't documented"],
    ["a member missing", { ...GOOD, text: "{}" }, "required property 'id'"],
    ["a format that is wrong", { ...GOOD, text: `{"id":"7"}` }, `format "uuid"`],
    ["what isn't JSON", { ...GOOD, text: "<html>" }, "the body can't be checked"],
    ["another Content-Type", withHeaders({ "content-type": "text/plain" }), `Content-Type is "text/plain"`],
    ["a required header missing", without("x-left"), "X-Left is missing"],
    ["a header that isn't a whole number", withHeaders({ "x-left": "many" }), "X-Left: many"],
    ["a header out of its range", withHeaders({ "x-left": "-1" }), "X-Left: -1"],
    ["no X-Request-Id", without("x-request-id"), `X-Request-Id is ""`],
    ["a body where none is documented", { ...GOOD, status: 204 }, "there is a body where none is documented"],
  ] as const)("refuses %s", (_, answer, problem) => {
    expect(() => check(answer)).toThrow(problem);
  });

  it("refuses an answer other than a refusal on a path that isn't documented", () => {
    expect(() => check(GOOD, "GET", "/nothing")).toThrow("an undocumented path or method was served");
  });

  it("takes an event as it is described by its type, and refuses another", () => {
    const { checkEvent } = createContract(DOCUMENT);
    const event = { type: "thing.made", data: JSON.parse(GOOD.text) };
    expect(() => checkEvent(event)).not.toThrow();
    expect(() => checkEvent({ ...event, data: {} })).toThrow("required property 'id'");
    expect(() => checkEvent({ ...event, type: "thing.lost" })).toThrow("the document has no such type");
  });

  it("refuses a refusal outside the envelope", () => {
    expect(() => check({ ...REFUSAL, text: "{}" }, "GET", "/nothing")).toThrow("required property 'error'");
  });
});
