import { ACCEPTED, refused, REPEATED, send, sendAs, textTo, type Scenario } from "./scenario";
import type { World } from "./world";

const REUSED = refused(409, "idempotency_key_reused");
const closedWindow = ({ demo }: World) => ({
  to: { kind: "whatsapp", handle: demo.contacts.closed_window.handle },
});

/** Two ids that look similar but differ: both are accepted. */
function distinct(name: string, idsOf: (id: string) => readonly [string, string]): Scenario {
  return {
    name: `ids that differ in ${name} are two ids`,
    steps: [0, 1].map((index) => ({
      request: (world: World) => send(world, { client_message_id: idsOf(world.id)[index] }),
      expected: (world: World) => ({
        ...ACCEPTED,
        body: { ...ACCEPTED.body, client_message_id: idsOf(world.id)[index] },
      }),
    })),
  };
}

/** The same id with the same body is a repeat and gets 200; the same id with another body gets 409. */
export const idempotency: readonly Scenario[] = [
  {
    name: "the same body again is a repeat",
    steps: [
      { request: (world) => send(world), expected: ACCEPTED },
      { request: (world) => send(world), expected: REPEATED },
      { request: (world) => send(world), expected: REPEATED },
    ],
  },
  {
    name: "a body that differs only in how it is written is a repeat",
    steps: [
      { request: (world) => send(world, { text: { body: "Grüße 👋/" } }), expected: ACCEPTED },
      {
        request: (world) => ({
          ...send(world),
          json: undefined,
          raw: `  {"text":\n{"body":"Gr\\u00fc\\u00dfe \\ud83d\\udc4b\\/"},"to":{"handle":"${world.demo.contacts.open_window.handle}","kind":"whatsapp"},"type":"text","client_message_id":"${world.id}"}`,
        }),
        expected: REPEATED,
      },
    ],
  },
  {
    name: "null is the same as absent, within objects too",
    steps: [
      { request: (world) => send(world), expected: ACCEPTED },
      {
        request: (world) => send(world, { channel_id: null, thread_id: null, media: null, template: null }),
        expected: REPEATED,
      },
    ],
  },
  {
    name: "the key and the header it comes in don't matter",
    steps: [
      { request: (world) => send(world), expected: ACCEPTED },
      {
        request: (world) => ({
          ...send(world),
          key: undefined,
          headers: { "Content-Type": "application/json", "X-Api-Key": world.keys.sibling.secret },
        }),
        expected: REPEATED,
      },
    ],
  },
  ...[
    { name: "text", changes: () => ({ text: { body: "Hello!" } }) },
    { name: "destination", changes: closedWindow },
    {
      name: "way of naming the destination",
      changes: ({ demo }: World) => ({ to: undefined, thread_id: demo.contacts.open_window.thread_id }),
    },
    {
      name: "channel_id, though the same channel follows without it",
      changes: ({ demo }: World) => ({ channel_id: demo.channels.default }),
    },
  ].map(({ name, changes }): Scenario => ({
    name: `another ${name} under the same id is a conflict`,
    steps: [
      { request: (world) => send(world), expected: ACCEPTED },
      { request: (world) => send(world, changes(world)), expected: REUSED },
      { request: (world) => send(world), expected: REPEATED },
    ],
  })),
  {
    name: "a conflict names the original message and the fields that differ",
    steps: [
      {
        request: (world) => send(world),
        expected: ACCEPTED,
      },
      {
        request: (world) => send(world, { text: { body: "Other" } }),
        expected: {
          ...REUSED,
          text: /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}.*text\.body/,
        },
      },
    ],
  },
  {
    name: "another organization's equal id is another id",
    steps: [
      { request: (world) => send(world), expected: ACCEPTED },
      {
        request: (world) => ({
          path: "/messages",
          key: world.other.api_key.secret,
          json: textTo(world, { to: { kind: "whatsapp", handle: world.other.contacts.open_window.handle } }),
        }),
        expected: ACCEPTED,
      },
    ],
  },
  {
    name: "a request refused by a rule doesn't use its id up",
    steps: [
      {
        request: (world) => send(world, closedWindow(world)),
        expected: refused(422, "outside_customer_window"),
      },
      { request: (world) => send(world), expected: ACCEPTED },
    ],
  },
  {
    name: "a request refused as invalid doesn't use its id up",
    steps: [
      {
        request: (world) => send(world, { text: { body: "" } }),
        expected: refused(400, "validation_failed", "text.body"),
      },
      { request: (world) => send(world), expected: ACCEPTED },
    ],
  },
  {
    name: "a request refused for a scope doesn't use its id up",
    steps: [
      { request: (world) => sendAs(world.keys.sendsOnly, world), expected: refused(403, "missing_scope") },
      { request: (world) => send(world), expected: ACCEPTED },
    ],
  },
  distinct("case", (id) => [`${id}-a`, `${id}-A`]),
  distinct("a space at the end", (id) => [id, `${id} `]),
  distinct("Unicode normalisation", (id) => [`${id}-\u00e9`, `${id}-e\u0301`]),
  {
    name: "an id of 128 code points is taken, beyond the basic plane too",
    request: (world) => send(world, { client_message_id: world.id + "👋".repeat(128 - world.id.length) }),
    expected: ACCEPTED,
  },
  {
    name: "an id of 129 code points is refused",
    request: (world) => send(world, { client_message_id: world.id.padEnd(129, "x") }),
    expected: refused(400, "validation_failed", "client_message_id"),
  },
  ...[
    { name: "an absent", id: undefined },
    { name: "a null", id: null },
    { name: "an empty", id: "" },
  ].map(({ name, id }): Scenario => ({
    name: `${name} client_message_id is refused`,
    request: (world) => send(world, { client_message_id: id }),
    expected: refused(400, "client_message_id_required"),
  })),
  {
    name: "a client_message_id that isn't a string is refused as invalid",
    request: (world) => send(world, { client_message_id: 7 }),
    expected: refused(400, "validation_failed", "client_message_id"),
  },
];
