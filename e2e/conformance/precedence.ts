import type { ApiRequest } from "@/e2e/support/api";
import { ACCEPTED, refused, send, sendAs, textTo, type Scenario } from "./scenario";
import type { World } from "./world";

const UNKNOWN_ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const OVERSIZE = { "Content-Length": "65537" } as const;
const ORGANIZATION = { "X-Organization-Id": UNKNOWN_ID } as const;
const BAD_NUMBER = { to: { kind: "whatsapp", handle: "+49" } } as const;

function oversized(path: string): ApiRequest {
  return { method: "POST", path, headers: OVERSIZE, delivery: "stalled" };
}

function rawPost(key: string, raw: string, headers: Readonly<Record<string, string>>): ApiRequest {
  return { path: "/messages", key, raw, headers };
}

function numberOf(contact: "conflicting" | "closed_window") {
  return ({ demo }: World) => ({ to: { kind: "whatsapp", handle: demo.contacts[contact].handle } });
}

/** Each request has two faults; the response names the one that is checked first. */
const pairs: readonly Scenario[] = [
  {
    name: "a size over an absent key",
    request: () => oversized("/messages"),
    expected: refused(413, "payload_too_large"),
  },
  {
    name: "a size over an unknown path",
    request: () => oversized("/nothing"),
    expected: refused(413, "payload_too_large"),
  },
  {
    name: "an unknown path over an absent key",
    request: () => ({ path: "/nothing" }),
    expected: refused(404, "not_found"),
  },
  {
    name: "a wrong method over an absent key",
    request: () => ({ method: "DELETE", path: "/ping" }),
    expected: refused(405, "method_not_allowed"),
  },
  {
    name: "a revoked key over a missing scope",
    request: (world) => sendAs(world.keys.revokedWithoutScope, world),
    expected: refused(401, "api_key_revoked"),
  },
  {
    name: "an absent key over X-Organization-Id",
    request: () => ({ path: "/ping", headers: ORGANIZATION }),
    expected: refused(401, "api_key_required"),
  },
  {
    name: "an absent key over a wrong Content-Type",
    request: () => ({ path: "/messages", raw: "a=1", headers: { "Content-Type": "text/plain" } }),
    expected: refused(401, "api_key_required"),
  },
  {
    name: "a missing scope over X-Organization-Id",
    request: ({ keys }) => rawPost(keys.readsOnly.secret, "{}", ORGANIZATION),
    expected: refused(403, "missing_scope"),
  },
  {
    name: "a missing scope over a missing client_message_id",
    request: (world) => sendAs(world.keys.readsOnly, world, { client_message_id: undefined }),
    expected: refused(403, "missing_scope"),
  },
  {
    name: "X-Organization-Id over a wrong Content-Type",
    request: ({ keys }) =>
      rawPost(keys.main.secret, "a=1", { ...ORGANIZATION, "Content-Type": "text/plain" }),
    expected: refused(400, "organization_not_allowed"),
  },
  {
    name: "X-Organization-Id over bad JSON",
    request: ({ keys }) => rawPost(keys.main.secret, "{", ORGANIZATION),
    expected: refused(400, "organization_not_allowed"),
  },
  {
    name: "a wrong Content-Type over bad JSON",
    request: ({ keys }) => rawPost(keys.main.secret, "{", { "Content-Type": "text/plain" }),
    expected: refused(415, "unsupported_media_type"),
  },
  {
    name: "organization_id in the body over a missing client_message_id",
    request: (world) => send(world, { client_message_id: undefined, organization_id: UNKNOWN_ID }),
    expected: refused(400, "organization_not_allowed"),
  },
  {
    name: "a missing client_message_id over a bad number",
    request: (world) => send(world, { client_message_id: "", ...BAD_NUMBER }),
    expected: refused(400, "client_message_id_required"),
  },
  {
    name: "a missing client_message_id over an unknown field",
    request: (world) => send(world, { client_message_id: null, nothing: 1 }),
    expected: refused(400, "client_message_id_required"),
  },
  {
    name: "a bad number over an unknown field",
    request: (world) => send(world, { ...BAD_NUMBER, nothing: 1 }),
    expected: refused(400, "invalid_whatsapp_number"),
  },
  {
    name: "a bad number over both destinations",
    request: (world) => send(world, { ...BAD_NUMBER, thread_id: UNKNOWN_ID }),
    expected: refused(400, "invalid_whatsapp_number"),
  },
  {
    name: "an invalid body over a missing contacts:read",
    request: (world) => sendAs(world.keys.sendsOnly, world, { text: { body: "" } }),
    expected: refused(400, "validation_failed"),
  },
  {
    name: "a forbidden channel over an unknown thread",
    request: (world) => send(world, { to: undefined, thread_id: UNKNOWN_ID, channel_id: UNKNOWN_ID }),
    expected: refused(403, "channel_forbidden"),
  },
  {
    name: "a forbidden channel over a conflict of identities",
    request: (world) => send(world, { ...numberOf("conflicting")(world), channel_id: UNKNOWN_ID }),
    expected: refused(403, "channel_forbidden"),
  },
  {
    name: "a forbidden channel over a closed window",
    request: (world) => send(world, { ...numberOf("closed_window")(world), channel_id: UNKNOWN_ID }),
    expected: refused(403, "channel_forbidden"),
  },
  {
    name: "an unknown path over X-Organization-Id on a GET",
    request: ({ keys }) => ({ path: "/messages/", key: keys.main.secret, headers: ORGANIZATION }),
    expected: refused(404, "not_found"),
  },
  {
    name: "a missing scope over a message that isn't there",
    request: ({ keys }) => ({ path: `/messages/${UNKNOWN_ID}`, key: keys.sendsOnly.secret }),
    expected: refused(403, "missing_scope"),
  },
  {
    name: "X-Organization-Id over a message that isn't there",
    request: ({ keys }) => ({
      path: `/messages/${UNKNOWN_ID}`,
      key: keys.main.secret,
      headers: ORGANIZATION,
    }),
    expected: refused(400, "organization_not_allowed"),
  },
];

/** Responses for an id that was used before. */
const ofUsedIds: readonly Scenario[] = [
  ...[
    { name: "a forbidden channel", changes: () => ({ channel_id: UNKNOWN_ID }) },
    { name: "an unknown thread", changes: () => ({ to: undefined, thread_id: UNKNOWN_ID }) },
    { name: "a conflict of identities", changes: numberOf("conflicting") },
    { name: "a closed window", changes: numberOf("closed_window") },
  ].map(({ name, changes }): Scenario => ({
    name: `an id used for another body over ${name}`,
    steps: [
      { request: (world) => send(world), expected: ACCEPTED },
      { request: (world) => send(world, changes(world)), expected: refused(409, "idempotency_key_reused") },
    ],
  })),
  {
    name: "a missing contacts:read over a repeat",
    steps: [
      { request: (world) => send(world), expected: ACCEPTED },
      { request: (world) => sendAs(world.keys.sendsOnly, world), expected: refused(403, "missing_scope") },
    ],
  },
  {
    name: "an invalid body over an id used before",
    steps: [
      { request: (world) => send(world), expected: ACCEPTED },
      {
        request: (world) => ({ ...send(world), json: { ...textTo(world), nothing: 1 } }),
        expected: refused(400, "validation_failed", "nothing"),
      },
    ],
  },
];

/** Responses when no unit is left. Every key used here belongs to one scenario. */
const ofLimits: readonly Scenario[] = [
  {
    name: "rules over an exceeded limit",
    steps: [
      { request: (world) => sendAs(world.keys.oneSendForRules, world), expected: ACCEPTED },
      {
        request: (world) => sendAs(world.keys.oneSendForRules, world, { client_message_id: `${world.id}-2` }),
        expected: refused(429, "rate_limited"),
      },
      {
        request: (world) =>
          sendAs(world.keys.oneSendForRules, world, {
            client_message_id: `${world.id}-2`,
            ...numberOf("closed_window")(world),
          }),
        expected: refused(422, "outside_customer_window"),
      },
      {
        request: (world) =>
          sendAs(world.keys.oneSendForRules, world, {
            client_message_id: `${world.id}-2`,
            ...numberOf("conflicting")(world),
          }),
        expected: refused(409, "identity_conflict"),
      },
      {
        request: (world) => sendAs(world.keys.oneSendForRules, world, { text: { body: "" } }),
        expected: refused(400, "validation_failed"),
      },
    ],
  },
  {
    name: "an exceeded limit over a message that isn't there, but under X-Organization-Id",
    steps: [
      {
        request: ({ keys }) => ({ path: "/ping", key: keys.oneReadForOrder.secret }),
        expected: { status: 200 },
      },
      {
        request: ({ keys }) => ({ path: `/messages/${UNKNOWN_ID}`, key: keys.oneReadForOrder.secret }),
        expected: refused(429, "rate_limited"),
      },
      {
        request: ({ keys }) => ({
          path: `/messages/${UNKNOWN_ID}`,
          key: keys.oneReadForOrder.secret,
          headers: ORGANIZATION,
        }),
        expected: refused(400, "organization_not_allowed"),
      },
    ],
  },
];

export const precedence: readonly Scenario[] = [...pairs, ...ofUsedIds, ...ofLimits];
