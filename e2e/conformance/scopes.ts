import { randomInt } from "node:crypto";
import { ACCEPTED, refused, send, sendAs, type Scenario } from "./scenario";

const UNKNOWN_ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const newHandle = () => `4915${randomInt(10_000_000, 99_999_999)}1`;
const to = (handle: string) => ({ to: { kind: "whatsapp", handle } });
const thread = (threadId: string) => ({ to: undefined, thread_id: threadId });

/** An operation may need a scope, and a request may use only the channels of its key. */
export const scopes: readonly Scenario[] = [
  {
    name: "sending needs messages:send",
    request: (world) => sendAs(world.keys.readsOnly, world),
    expected: { ...refused(403, "missing_scope"), text: /messages:send/ },
  },
  {
    name: "reading needs messages:read",
    request: ({ keys, messages }) => ({ path: `/messages/${messages.own}`, key: keys.sendsOnly.secret }),
    expected: { ...refused(403, "missing_scope"), text: /messages:read/ },
  },
  {
    name: "ping needs no scope",
    request: ({ keys }) => ({ path: "/ping", key: keys.webhooksOnly.secret }),
    expected: { status: 200, body: { key: { scopes: ["webhooks:manage"] } } },
  },
  {
    name: "sending with `to` needs contacts:read",
    request: (world) => sendAs(world.keys.sendsOnly, world),
    expected: { ...refused(403, "missing_scope"), text: /contacts:read/ },
  },
  {
    name: "sending with `thread_id` needs neither contact scope",
    request: (world) =>
      sendAs(world.keys.sendsOnly, world, thread(world.demo.contacts.open_window.thread_id)),
    expected: ACCEPTED,
  },
  {
    name: "sending to a known contact needs no contacts:write",
    request: (world) => sendAs(world.keys.sendsToKnown, world),
    expected: ACCEPTED,
  },
  {
    name: "a number without a contact needs contacts:write",
    request: (world) => sendAs(world.keys.sendsToKnown, world, to(newHandle())),
    expected: { ...refused(403, "missing_scope"), text: /contacts:write/ },
  },
  ...[
    { name: "unknown", channelOf: () => UNKNOWN_ID },
    { name: "another organization's", channelOf: (other: { default: string }) => other.default },
  ].map(({ name, channelOf }): Scenario => ({
    name: `a channel that is ${name} is forbidden`,
    request: (world) => send(world, { channel_id: channelOf(world.other.channels) }),
    expected: refused(403, "channel_forbidden"),
  })),
  {
    name: "a channel that the key may not use is forbidden",
    request: (world) => sendAs(world.keys.secondChannel, world, { channel_id: world.demo.channels.default }),
    expected: refused(403, "channel_forbidden"),
  },
  {
    name: "a conversation on a channel that the key may not use is forbidden",
    request: (world) =>
      sendAs(world.keys.secondChannel, world, thread(world.demo.contacts.open_window.thread_id)),
    expected: refused(403, "channel_forbidden"),
  },
  {
    name: "without channel_id only channels that the key may use are considered",
    request: (world) => sendAs(world.keys.secondChannel, world),
    expected: refused(422, "outside_customer_window"),
  },
  {
    name: "a message on a channel that the key may not use can't be repeated with it",
    steps: [
      { request: (world) => send(world), expected: ACCEPTED },
      {
        request: (world) => sendAs(world.keys.secondChannel, world),
        expected: refused(403, "channel_forbidden"),
      },
    ],
  },
];
