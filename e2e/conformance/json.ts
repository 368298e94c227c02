import type { ApiRequest } from "@/e2e/support/api";
import { ACCEPTED, refused, send, textTo, type Scenario } from "./scenario";
import type { World } from "./world";

const INVALID = refused(400, "validation_failed");

/** A POST /messages with a literal body, and this Content-Type. */
export function post(world: World, raw: string | Uint8Array, contentType?: string): ApiRequest {
  const headers: Record<string, string> = contentType === undefined ? {} : { "Content-Type": contentType };
  return { path: "/messages", key: world.keys.main.secret, raw, headers };
}

/** The body must be a JSON object of known fields and readable text; the server refuses any other. */
export const json: readonly Scenario[] = [
  ...[
    { name: "an empty body", raw: "" },
    { name: "half an object", raw: `{"client_message_id":` },
    { name: "two objects", raw: "{}{}" },
    { name: "an array", raw: `[{"client_message_id":"a"}]` },
    { name: "a string", raw: `"text"` },
    { name: "a number", raw: "1" },
    { name: "null", raw: "null" },
    { name: "JavaScript", raw: "{client_message_id:'a'}" },
    { name: "bytes that aren't UTF-8", raw: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) },
    { name: "UTF-16", raw: Buffer.from(`{"a":1}`, "utf16le") },
  ].map(({ name, raw }): Scenario => ({
    name: `${name} isn't a JSON object`,
    request: (world) => post(world, raw, "application/json"),
    expected: INVALID,
  })),
  ...[
    { name: "NUL in the text", changes: { text: { body: "a\0b" } }, field: "text.body" },
    { name: "NUL in the id", changes: { client_message_id: "a\0b" }, field: "client_message_id" },
    { name: "a lone surrogate in the text", changes: { text: { body: "a\ud800b" } }, field: "text.body" },
    {
      name: "a lone surrogate in the id",
      changes: { client_message_id: "\udc00" },
      field: "client_message_id",
    },
    { name: "an unknown field", changes: { txet: { body: "a" } }, field: "txet" },
    {
      name: "an unknown field within text",
      changes: { text: { body: "a", preview_url: true } },
      field: "text.preview_url",
    },
    {
      name: "an unknown field within to",
      changes: { to: { kind: "whatsapp", handle: "4915112345678", name: "A" } },
      field: "to.name",
    },
    { name: "constructor as a field", changes: { constructor: { prototype: {} } }, field: "constructor" },
  ].map(({ name, changes, field }): Scenario => ({
    name: `${name} is refused`,
    request: (world) => send(world, changes),
    expected: refused(400, "validation_failed", field),
  })),
  {
    name: "NUL in the name of a field is refused",
    request: (world) => send(world, { "a\0": 1 }),
    expected: INVALID,
  },
  {
    name: "__proto__ as a field is refused",
    request: (world) =>
      post(
        world,
        JSON.stringify(textTo(world)).replace(/}$/, `,"__proto__":{"type":"text"}}`),
        "application/json",
      ),
    expected: refused(400, "validation_failed", "__proto__"),
  },
  {
    name: "__proto__ can't stand in for a field that is missing",
    request: (world) =>
      post(
        world,
        JSON.stringify(textTo(world, { text: undefined })).replace(
          /}$/,
          `,"__proto__":{"text":{"body":"Hello"}}}`,
        ),
        "application/json",
      ),
    expected: INVALID,
  },
  ...[
    { name: "a field", members: '"type":"text"', field: "type" },
    {
      name: "the id, though with the same value",
      members: '"client_message_id":"a"',
      field: "client_message_id",
    },
    { name: "a field, once in escapes", members: String.raw`"typ\u0065":"text"`, field: "type" },
    { name: "an unknown field", members: '"a":1,"a":1', field: "a" },
    { name: "a field within text", members: '"more":{"body":"a","body":"b"}', field: "more.body" },
    { name: "a field within an array", members: '"list":[{},{"a":1,"b":[1],"a":2}]', field: "list.1.a" },
    { name: "__proto__", members: '"__proto__":1,"__proto__":1', field: "__proto__" },
  ].map(({ name, members, field }): Scenario => ({
    name: `${name} given twice is refused, by name`,
    request: (world) =>
      post(
        world,
        JSON.stringify(textTo(world)).replace(/}$/, () => `,${members}}`),
        "application/json",
      ),
    expected: { ...refused(400, "validation_failed", field), text: /is given twice/ },
  })),
  {
    name: "the same name in two objects is no name given twice",
    request: (world) => send(world, { text: { body: '{"body":"a","body":"b"}' } }),
    expected: ACCEPTED,
  },
  {
    name: "a field given twice is refused before an id that is missing",
    request: (world) => post(world, '{"a":1,"a":2}', "application/json"),
    expected: refused(400, "validation_failed", "a"),
  },
  {
    name: "thousands of nested arrays are refused",
    request: (world) =>
      post(
        world,
        JSON.stringify(textTo(world, { text: { body: "@" } })).replace(
          `"@"`,
          "[".repeat(30_000) + "]".repeat(30_000),
        ),
        "application/json",
      ),
    expected: INVALID,
  },
];
