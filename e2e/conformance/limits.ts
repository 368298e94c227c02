import { ACCEPTED, refused, REPEATED, send, sendAs, type Expected, type Scenario } from "./scenario";

const INTEGER = /^[0-9]+$/;
const LIMITED: Expected = {
  ...refused(429, "rate_limited"),
  headers: {
    "retry-after": /^([1-9]|[1-5][0-9]|6[01])$/,
    "x-ratelimit-limit": INTEGER,
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": INTEGER,
  },
};
const NO_LIMIT_HEADERS = {
  "x-ratelimit-limit": null,
  "x-ratelimit-remaining": null,
  "x-ratelimit-reset": null,
  "retry-after": null,
} as const;

function remaining(limit: number, left: number): Expected["headers"] {
  return {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(left),
    "x-ratelimit-reset": INTEGER,
    "retry-after": null,
  };
}

/** Each key has its own limits, and only a new message takes a unit of `send`. Each key here belongs to one scenario. */
export const limits: readonly Scenario[] = [
  {
    name: "a new key may send 60 a minute and read 600",
    steps: [
      {
        request: (world) =>
          sendAs(world.other.api_key, world, {
            to: { kind: "whatsapp", handle: world.other.contacts.open_window.handle },
          }),
        expected: { ...ACCEPTED, headers: { "x-ratelimit-limit": "60" } },
      },
      {
        request: ({ other }) => ({ path: "/ping", key: other.api_key.secret }),
        expected: { status: 200, headers: { "x-ratelimit-limit": "600" } },
      },
    ],
  },
  {
    name: "each new message takes one unit, until none is left",
    steps: [
      {
        request: (world) => sendAs(world.keys.twoSends, world),
        expected: { ...ACCEPTED, headers: remaining(2, 1) },
      },
      {
        request: (world) => sendAs(world.keys.twoSends, world, { client_message_id: `${world.id}-2` }),
        expected: { ...ACCEPTED, headers: remaining(2, 0) },
      },
      {
        request: (world) => sendAs(world.keys.twoSends, world, { client_message_id: `${world.id}-3` }),
        expected: LIMITED,
      },
      {
        request: (world) => sendAs(world.keys.twoSends, world, { client_message_id: `${world.id}-3` }),
        expected: LIMITED,
      },
    ],
  },
  {
    name: "a repeat and a conflict take no unit, and are answered when none is left",
    steps: [
      {
        request: (world) => sendAs(world.keys.oneSendForRepeats, world),
        expected: { ...ACCEPTED, headers: remaining(1, 0) },
      },
      {
        request: (world) => sendAs(world.keys.oneSendForRepeats, world),
        expected: { ...REPEATED, headers: NO_LIMIT_HEADERS },
      },
      {
        request: (world) => sendAs(world.keys.oneSendForRepeats, world, { text: { body: "Other" } }),
        expected: { ...refused(409, "idempotency_key_reused"), headers: NO_LIMIT_HEADERS },
      },
      {
        request: (world) =>
          sendAs(world.keys.oneSendForRepeats, world, { client_message_id: `${world.id}-2` }),
        expected: LIMITED,
      },
      {
        request: (world) => sendAs(world.keys.oneSendForRepeats, world),
        expected: { ...REPEATED, headers: NO_LIMIT_HEADERS },
      },
    ],
  },
  {
    name: "refusals take no unit",
    steps: [
      {
        request: (world) => sendAs(world.keys.oneSendForRefusals, world, { text: { body: "" } }),
        expected: { ...refused(400, "validation_failed"), headers: NO_LIMIT_HEADERS },
      },
      {
        request: (world) =>
          sendAs(world.keys.oneSendForRefusals, world, {
            to: { kind: "whatsapp", handle: world.demo.contacts.closed_window.handle },
          }),
        expected: { ...refused(422, "outside_customer_window"), headers: NO_LIMIT_HEADERS },
      },
      {
        request: (world) =>
          sendAs(world.keys.oneSendForRefusals, world, {
            to: { kind: "whatsapp", handle: world.demo.contacts.conflicting.handle },
          }),
        expected: { ...refused(409, "identity_conflict"), headers: NO_LIMIT_HEADERS },
      },
      {
        request: (world) =>
          sendAs(world.keys.oneSendForRefusals, world, { channel_id: world.other.channels.default }),
        expected: { ...refused(403, "channel_forbidden"), headers: NO_LIMIT_HEADERS },
      },
      {
        request: (world) => sendAs(world.keys.oneSendForRefusals, world),
        expected: { ...ACCEPTED, headers: remaining(1, 0) },
      },
    ],
  },
  {
    name: "ping, a message and a message that isn't found each take one unit of `read`",
    steps: [
      {
        request: ({ keys }) => ({ path: "/ping", key: keys.twoReads.secret }),
        expected: { status: 200, headers: remaining(2, 1) },
      },
      {
        request: ({ keys }) => ({ path: "/messages/unknown", key: keys.twoReads.secret }),
        expected: { ...refused(404, "message_not_found"), headers: remaining(2, 0) },
      },
      {
        request: ({ keys, messages }) => ({ path: `/messages/${messages.own}`, key: keys.twoReads.secret }),
        expected: LIMITED,
      },
      { request: ({ keys }) => ({ path: "/ping", key: keys.twoReads.secret }), expected: LIMITED },
    ],
  },
  {
    name: "the buckets are apart: who may not read any more may send",
    steps: [
      {
        request: ({ keys }) => ({ path: "/ping", key: keys.oneRead.secret }),
        expected: { status: 200, headers: remaining(1, 0) },
      },
      { request: ({ keys }) => ({ path: "/ping", key: keys.oneRead.secret }), expected: LIMITED },
      { request: (world) => sendAs(world.keys.oneRead, world), expected: ACCEPTED },
      { request: (world) => send(world), expected: REPEATED },
    ],
  },
  {
    name: "a refusal for a scope takes no unit of `read`",
    steps: [
      {
        request: ({ keys, messages }) => ({
          path: `/messages/${messages.own}`,
          key: keys.oneReadWithoutScope.secret,
        }),
        expected: { ...refused(403, "missing_scope"), headers: NO_LIMIT_HEADERS },
      },
      {
        request: ({ keys }) => ({ path: "/ping", key: keys.oneReadWithoutScope.secret }),
        expected: { status: 200, headers: remaining(1, 0) },
      },
    ],
  },
];
