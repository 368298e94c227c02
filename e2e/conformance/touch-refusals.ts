import { ACCEPTED, refused, send, textTo, type Scenario } from "./scenario";
import { SENT_CONTENTS, type SentName } from "./sent-contents";
import type { World } from "./world";

type Json = Readonly<Record<string, unknown>>;

const UNKNOWN_ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const body = "When shall we come?";
const button = (id: number) => ({ id: `${id}`, title: `At ${id}` });

const interactive = (content: Json) => ({ type: "interactive", text: undefined, interactive: content });
const wrong = (field: string) => refused(400, "validation_failed", field);

/** One refusal of each part. All limits are in content-limits.test.ts. */
const REFUSED: readonly (readonly [name: string, content: Json, field: string])[] = [
  [
    "a button's title of 21 characters",
    interactive({ type: "buttons", body, buttons: [{ id: "1", title: "x".repeat(21) }] }),
    "interactive.buttons.0.title",
  ],
  [
    "four buttons",
    interactive({ type: "buttons", body, buttons: [1, 2, 3, 4].map(button) }),
    "interactive.buttons",
  ],
  [
    "a list of eleven rows",
    interactive({
      type: "list",
      body,
      button: "Open",
      sections: [{ rows: Array.from({ length: 11 }, (_, index) => ({ id: `${index}`, title: "Row" })) }],
    }),
    "interactive.sections.0.rows.10",
  ],
  [
    "a link that isn't one",
    interactive({ type: "cta_url", body, text: "Track", url: "shop" }),
    "interactive.url",
  ],
  ["an unknown kind of touch", interactive({ type: "carousel", body }), "interactive.type"],
  [
    "a latitude of 91",
    { type: "location", text: undefined, location: { latitude: 91, longitude: 0 } },
    "location.latitude",
  ],
  [
    "a latitude that is text",
    { type: "location", text: undefined, location: { latitude: "1", longitude: 0 } },
    "location.latitude",
  ],
  ["no contacts", { type: "contacts", text: undefined, contacts: [] }, "contacts"],
  [
    "two emoji",
    { type: "reaction", text: undefined, reaction: { message_id: UNKNOWN_ID, emoji: "👍👍" } },
    "reaction.emoji",
  ],
  [
    "a reaction to an unknown message",
    { type: "reaction", text: undefined, reaction: { message_id: UNKNOWN_ID, emoji: "👍" } },
    "reaction.message_id",
  ],
  ["a quote of an unknown message", { reply_to: { message_id: UNKNOWN_ID } }, "reply_to.message_id"],
  [
    "a reaction with a quote",
    {
      type: "reaction",
      text: undefined,
      reaction: { message_id: UNKNOWN_ID, emoji: "👍" },
      reply_to: { message_id: UNKNOWN_ID },
    },
    "reply_to",
  ],
  ["a number in the id of a person", { to: { kind: "whatsapp_user", handle: "491" } }, "to.user_id"],
  ["a sticker without a file", { type: "sticker", text: undefined }, "media"],
  ["a text with a place", { location: { latitude: 1, longitude: 1 } }, "location"],
  ["a malformed id of a person", { to: { kind: "whatsapp_user", user_id: "1" } }, "to.user_id"],
];

/** Messages of kinds that refer to no other message, upload or template. */
const NEEDING_A_WINDOW = [
  "buttons",
  "a list",
  "a link",
  "a request for the location",
  "a place",
  "contacts",
] as const satisfies readonly SentName[];

const outside = refused(422, "outside_customer_window");

export const touchRefusals: readonly Scenario[] = [
  ...REFUSED.map(([name, content, field]): Scenario => ({
    name: `${name} is refused, and the field is named`,
    request: (world) => send(world, content),
    expected: wrong(field),
  })),
  {
    name: "a quote of another organization's message is refused like an unknown one",
    request: (world) => send(world, { reply_to: { message_id: world.messages.ofOther } }),
    expected: wrong("reply_to.message_id"),
  },
  {
    name: "a sticker that is an image is refused",
    request: (world) =>
      send(world, { type: "sticker", text: undefined, media: { ...world.demo.uploads.image } }),
    expected: refused(400, "invalid_media", "media.storage_key"),
  },
  ...NEEDING_A_WINDOW.map((name): Scenario => ({
    name: `${name} needs an open window`,
    request: (world) =>
      send(world, {
        ...SENT_CONTENTS[name].content(),
        text: undefined,
        to: { kind: "whatsapp", handle: world.demo.contacts.closed_window.handle },
      }),
    expected: outside,
  })),
  {
    name: "a text to an unknown customer by WhatsApp's id needs an open window",
    request: (world) => send(world, { to: { kind: "whatsapp_user", user_id: "DE.1" } }),
    expected: outside,
  },
  {
    name: "a repeat of a message with a quote is answered from what is stored",
    steps: [201, 200].map((status) => ({
      request: (world: World) => ({
        path: "/messages",
        key: world.keys.main.secret,
        json: textTo(world, {
          to: undefined,
          thread_id: world.demo.contacts.open_window.thread_id,
          reply_to: { message_id: world.messages.own },
        }),
      }),
      expected: { ...ACCEPTED, status, body: { deduplicated: status === 200 } },
    })),
  },
];
