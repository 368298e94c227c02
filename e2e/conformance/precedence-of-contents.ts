import { ACCEPTED, refused, send, sendAs, type Scenario } from "./scenario";
import type { World } from "./world";

const UNKNOWN_ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const PRIVATE_URL = "https://127.0.0.1/";
const NO_FILE = {
  type: "image",
  text: undefined,
  media: { storage_key: "unknown", url: PRIVATE_URL },
} as const;
const PRIVATE_FILE = { type: "image", text: undefined, media: { url: PRIVATE_URL } } as const;
const templateOf = (template: unknown) => ({ type: "template", text: undefined, template });
const NO_TEMPLATE = templateOf({ template_submission_id: UNKNOWN_ID });
const numberOf = (contact: "conflicting" | "closed_window") => {
  return ({ demo }: World) => ({ to: { kind: "whatsapp", handle: demo.contacts[contact].handle } });
};
const NEW_NUMBER = { to: { kind: "whatsapp", handle: "491510000000" } } as const;

/** Each request has two faults, one of them in media or template; the response names the one that is checked first. */
export const precedenceOfContents: readonly Scenario[] = [
  {
    name: "an invalid body over a missing templates:read",
    request: (world) => sendAs(world.keys.sendsToKnown, world, templateOf({ name: "order" })),
    expected: refused(400, "validation_failed", "template.language"),
  },
  {
    name: "a value that isn't text over a template that isn't approved",
    request: (world) =>
      send(world, templateOf({ template_submission_id: UNKNOWN_ID, variables: { "1": 1 } })),
    expected: refused(400, "validation_failed", "template.variables.1"),
  },
  {
    name: "a missing templates:read over a template that isn't approved",
    request: (world) => sendAs(world.keys.sendsToKnown, world, NO_TEMPLATE),
    expected: refused(403, "missing_scope"),
  },
  ...[
    { name: "a file that isn't there", changes: NO_FILE },
    { name: "an address that isn't public", changes: PRIVATE_FILE },
    { name: "a template that isn't approved", changes: NO_TEMPLATE },
  ].flatMap(({ name, changes }): Scenario[] => [
    {
      name: `an id used for another body over ${name}`,
      steps: [
        { request: (world) => send(world), expected: ACCEPTED },
        { request: (world) => send(world, changes), expected: refused(409, "idempotency_key_reused") },
      ],
    },
    {
      name: `a forbidden channel over ${name}`,
      request: (world) => send(world, { ...changes, channel_id: UNKNOWN_ID }),
      expected: refused(403, "channel_forbidden"),
    },
    {
      name: `an unknown thread over ${name}`,
      request: (world) => send(world, { ...changes, to: undefined, thread_id: UNKNOWN_ID }),
      expected: refused(422, "thread_not_found"),
    },
    {
      name: `a conflict of identities over ${name}`,
      request: (world) => send(world, { ...changes, ...numberOf("conflicting")(world) }),
      expected: refused(409, "identity_conflict"),
    },
  ]),
  ...[
    { name: "a file that isn't there", changes: NO_FILE },
    { name: "an address that isn't public", changes: PRIVATE_FILE },
  ].map(({ name, changes }): Scenario => ({
    name: `a missing contacts:write over ${name}`,
    request: (world) => sendAs(world.keys.sendsToKnown, world, { ...changes, ...NEW_NUMBER }),
    expected: refused(403, "missing_scope"),
  })),
  {
    name: "a file that isn't there over an address that isn't public",
    request: (world) => send(world, NO_FILE),
    expected: refused(400, "invalid_media"),
  },
  {
    name: "a file that isn't there over a closed window",
    request: (world) => send(world, { ...NO_FILE, ...numberOf("closed_window")(world) }),
    expected: refused(400, "invalid_media"),
  },
  {
    name: "an address that isn't public over a closed window",
    request: (world) => send(world, { ...PRIVATE_FILE, ...numberOf("closed_window")(world) }),
    expected: refused(400, "media_url_forbidden"),
  },
  {
    name: "a template that isn't approved over variables that aren't its",
    request: (world) => send(world, templateOf({ ...world.demo.templates.pending, variables: {} })),
    expected: refused(422, "template_not_approved"),
  },
  {
    name: "rules for media and templates over an exceeded limit",
    steps: [
      { request: (world) => sendAs(world.keys.oneSendForContents, world), expected: ACCEPTED },
      ...[
        { changes: () => NO_FILE, error: refused(400, "invalid_media") },
        { changes: () => PRIVATE_FILE, error: refused(400, "media_url_forbidden") },
        { changes: () => NO_TEMPLATE, error: refused(422, "template_not_approved") },
        {
          changes: ({ demo }: World) => templateOf({ ...demo.templates.approved, variables: {} }),
          error: refused(422, "template_variables_mismatch"),
        },
        {
          changes: ({ demo }: World) => templateOf(demo.templates.approved),
          error: refused(429, "rate_limited"),
        },
      ].map(({ changes, error }) => ({
        request: (world: World) =>
          sendAs(world.keys.oneSendForContents, world, {
            client_message_id: `${world.id}-2`,
            ...changes(world),
          }),
        expected: error,
      })),
    ],
  },
];
