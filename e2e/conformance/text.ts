import { randomInt } from "node:crypto";
import { ACCEPTED, refused, send, type Scenario } from "./scenario";
import type { World } from "./world";

const UNKNOWN_ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const to = (handle: unknown, kind: unknown = "whatsapp") => ({ to: { kind, handle } });
const thread = (threadId: unknown) => ({ to: undefined, thread_id: threadId });
const WINDOW = refused(422, "outside_customer_window");
const NO_THREAD = refused(422, "thread_not_found");

const destinations: readonly Scenario[] = [
  ...[
    { name: "its handle", changes: () => ({}) },
    { name: "its thread", changes: ({ demo }: World) => thread(demo.contacts.open_window.thread_id) },
    { name: "its handle and channel", changes: ({ demo }: World) => ({ channel_id: demo.channels.default }) },
    {
      name: "its thread and channel, in capital letters",
      changes: ({ demo }: World) => ({
        ...thread(demo.contacts.open_window.thread_id.toUpperCase()),
        channel_id: demo.channels.default.toUpperCase(),
      }),
    },
  ].map(({ name, changes }): Scenario => ({
    name: `a contact reached by ${name} gets the message in its conversation`,
    request: (world) => send(world, changes(world)),
    expected: ({ id, demo: { contacts } }) => ({
      ...ACCEPTED,
      body: {
        ...ACCEPTED.body,
        client_message_id: id,
        contact_id: contacts.open_window.contact_id,
        thread_id: contacts.open_window.thread_id,
      },
    }),
  })),
  {
    name: "both thread_id and to are refused",
    request: (world) => send(world, { thread_id: world.demo.contacts.open_window.thread_id }),
    expected: refused(400, "validation_failed"),
  },
  {
    name: "neither thread_id nor to is refused",
    request: (world) => send(world, { to: undefined }),
    expected: refused(400, "validation_failed"),
  },
  {
    name: "both as null count as neither",
    request: (world) => send(world, { to: null, thread_id: null }),
    expected: refused(400, "validation_failed"),
  },
  {
    name: "an unknown thread isn't found",
    request: (world) => send(world, thread(UNKNOWN_ID)),
    expected: NO_THREAD,
  },
  {
    name: "another organization's thread isn't found",
    request: (world) => send(world, thread(world.other.contacts.open_window.thread_id)),
    expected: NO_THREAD,
  },
  {
    name: "a thread on another channel than the one given isn't found",
    request: (world) =>
      send(world, {
        ...thread(world.demo.contacts.open_window.thread_id),
        channel_id: world.demo.channels.second,
      }),
    expected: NO_THREAD,
  },
  ...[
    { name: "thread_id", changes: thread("not-a-uuid") },
    { name: "channel_id", changes: { channel_id: "default" } },
    { name: "to.kind", changes: to("4915112345678", "sms") },
    { name: "to.handle", changes: { to: { kind: "whatsapp" } } },
    { name: "to", changes: { to: "4915112345678" } },
  ].map(({ name, changes }): Scenario => ({
    name: `a wrong ${name} is refused by its name`,
    request: (world) => send(world, changes),
    expected: refused(400, "validation_failed", name),
  })),
];

const numbers: readonly Scenario[] = [
  ...["+4915112345678", "004915112345678", "49 151 12345678", "+49 (151) 123-45678"].map(
    (handle): Scenario => ({
      name: `the number ${handle} is refused with its right form`,
      request: (world) => send(world, to(handle)),
      expected: { ...refused(400, "invalid_whatsapp_number", "to.handle"), text: /\b4915112345678\b/ },
    }),
  ),
  ...["", "015112345678", "123456", "1234567890123456", "49151-CALL-ME", "４９１５１１２３４５６７８"].map(
    (handle): Scenario => ({
      name: `the number "${handle}" is refused`,
      request: (world) => send(world, to(handle)),
      expected: refused(400, "invalid_whatsapp_number", "to.handle"),
    }),
  ),
  ...["1234567", "123456789012345"].map((handle): Scenario => ({
    name: `a number of ${handle.length} digits is one`,
    request: (world) => send(world, to(handle)),
    expected: WINDOW,
  })),
  {
    name: "a number whose written forms belong to two contacts is a conflict, though one of them matches exactly",
    steps: [
      {
        request: (world) => send(world, to(world.demo.contacts.conflicting.handle)),
        expected: refused(409, "identity_conflict"),
      },
      {
        request: (world) => send(world, to(otherBrazilianForm(world.demo.contacts.conflicting.handle))),
        expected: refused(409, "identity_conflict"),
      },
    ],
  },
];

/** Adds the ninth digit if it is missing, removes it otherwise. */
function otherBrazilianForm(handle: string): string {
  return handle.length === 13
    ? handle.slice(0, 4) + handle.slice(5)
    : `${handle.slice(0, 4)}9${handle.slice(4)}`;
}

const windows: readonly Scenario[] = [
  {
    name: "a customer who wrote three days ago is outside the window, by number",
    request: (world) => send(world, to(world.demo.contacts.closed_window.handle)),
    expected: WINDOW,
  },
  {
    name: "a customer who wrote three days ago is outside the window, by thread",
    request: (world) => send(world, thread(world.demo.contacts.closed_window.thread_id)),
    expected: WINDOW,
  },
  {
    name: "a contact who never wrote is outside the window",
    request: (world) => send(world, to(world.demo.contacts.no_conversation.handle)),
    expected: WINDOW,
  },
  {
    name: "a new number is outside the window",
    request: (world) => send(world, to(`4915${randomInt(10_000_000, 99_999_999)}1`)),
    expected: WINDOW,
  },
  {
    name: "the window is the channel's: writing to one channel opens none on another",
    request: (world) => send(world, { channel_id: world.demo.channels.second }),
    expected: WINDOW,
  },
];

const contents: readonly Scenario[] = [
  ...[
    { name: "one character", body: "a" },
    { name: "4096 code points beyond the basic plane", body: "👋".repeat(4096) },
    { name: "lines, tabs and spaces around", body: " \n\tHello\r\n " },
    { name: "right-to-left text and joined emoji", body: "שלום 👩‍👩‍👧‍👦" },
  ].map(({ name, body }): Scenario => ({
    name: `a text of ${name} is accepted`,
    request: (world) => send(world, { text: { body } }),
    expected: ACCEPTED,
  })),
  ...[
    { name: "4097 code points", text: { body: "a".repeat(4097) }, field: "text.body" },
    { name: "nothing", text: { body: "" }, field: "text.body" },
    { name: "white space only", text: { body: " \n\t\u00a0\u3000" }, field: "text.body" },
    { name: "characters that nobody sees", text: { body: "\u200b\u2060\u3164\ufeff" }, field: "text.body" },
    { name: "a number", text: { body: 5 }, field: "text.body" },
    { name: "no body", text: {}, field: "text.body" },
    { name: "a bare string", text: "Hello", field: "text" },
  ].map(({ name, text, field }): Scenario => ({
    name: `a text of ${name} is refused`,
    request: (world) => send(world, { text }),
    expected: refused(400, "validation_failed", field),
  })),
  ...[undefined, null].map((text): Scenario => ({
    name: `type text with a text that is ${text === null ? "null" : "absent"} is refused`,
    request: (world) => send(world, { text }),
    expected: refused(400, "validation_failed", "text"),
  })),
  ...[undefined, null, "", "Text", "fax", 1].map((type): Scenario => ({
    name: `the type ${JSON.stringify(type) ?? "absent"} is refused`,
    request: (world) => send(world, { type }),
    expected: refused(400, "validation_failed", "type"),
  })),
  ...[
    { media: { url: "https://example.com/a.png" } },
    { template: { name: "hello", language: "en_US" } },
  ].map((changes): Scenario => ({
    name: `${Object.keys(changes)[0]} beside type text is refused`,
    request: (world) => send(world, changes),
    expected: refused(400, "validation_failed", Object.keys(changes)[0]),
  })),
  {
    name: "media and template that are null count as absent",
    request: (world) => send(world, { media: null, template: null }),
    expected: ACCEPTED,
  },
];

/** A text goes to one thread or one number, has 1 to 4096 code points, and needs an open customer window. */
export const text: readonly Scenario[] = [...destinations, ...numbers, ...windows, ...contents];
