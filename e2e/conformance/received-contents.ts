import { randomInt } from "node:crypto";

type Json = Readonly<Record<string, unknown>>;

/** WhatsApp's ids of earlier messages. */
export interface Earlier {
  readonly ofCustomer: string;
  readonly ofBusiness: string;
}

export interface ReceivedContent {
  /** The value of `content.type`. */
  readonly kind: string;
  /** WhatsApp's name for the type. The kind, unless it is given. */
  readonly type?: string;
  /** In WhatsApp's format. */
  readonly content: (earlier: Earlier) => object;
  /** Fields of the content beside `type`, as Waypost reports it. Others aren't there, except of `media`. */
  readonly reported: (earlier: Earlier) => Json;
  /** Fields of the message on the customer's phone. */
  readonly shown: Json;
  /** The message on the phone that changes, if no other appears. */
  readonly changes?: keyof Earlier;
  /** WhatsApp reports a call without a message, which could quote another one. */
  readonly isQuoting?: false;
}

const media = (kind: string, content: object, reported: Json, shown: Json = {}) => ({
  kind,
  content: () => content,
  reported: () => ({ media: reported }),
  shown: { bubble: { media: { kind }, ...shown } },
});
const plain = (kind: string, content: object, reported: Json, shown: Json) => ({
  kind,
  content: () => content,
  reported: () => reported,
  shown,
});

const body = "Where is it?";
const place = { latitude: 52.52, longitude: 13.4, name: "Home" };
const NO_FILE = { id: null, mime_type: "image/png", sha256: "unknown" };
const yes = { id: "yes", title: "Yes" };
const row = { id: "1", title: "One", description: "first" };

/** Messages of customers, of every kind. */
export const RECEIVED_CONTENTS: Readonly<Record<string, ReceivedContent>> = {
  "a text": plain("text", { body }, { text: { body } }, { bubble: { text: body } }),
  "an image": media(
    "image",
    { mime_type: "image/png", caption: "Broken" },
    { mime_type: "image/png", caption: "Broken" },
    { text: "Broken" },
  ),
  "an audio": media("audio", { mime_type: "audio/ogg" }, { mime_type: "audio/ogg" }),
  "a voice message": {
    ...media("audio", { voice: true }, { voice: true }),
    shown: { bubble: { media: { kind: "audio", is_voice: true } } },
  },
  "a video": media("video", { caption: "See" }, { mime_type: "video/mp4", caption: "See" }, { text: "See" }),
  "a document": {
    ...media("document", { filename: "bill.pdf" }, { filename: "bill.pdf" }),
    shown: { bubble: { media: { kind: "document", filename: "bill.pdf" } } },
  },
  "a sticker": media("sticker", { animated: true }, { mime_type: "image/webp", animated: true }),
  "a location": plain("location", place, { location: place }, { bubble: { location: place } }),
  contacts: plain(
    "contacts",
    [{ name: { formatted_name: "Ada" }, phones: [{ phone: "+49 151 1" }] }],
    { contacts: [{ name: "Ada", phones: ["+49 151 1"] }] },
    { bubble: { contacts: [{ name: "Ada", phones: ["+49 151 1"] }] } },
  ),
  "a pressed button": {
    ...plain("reply", { type: "button_reply", button_reply: yes }, { reply: yes }, {}),
    type: "interactive",
    shown: { bubble: { text: "Yes" } },
  },
  "a chosen row": {
    ...plain("reply", { type: "list_reply", list_reply: row }, { reply: row }, {}),
    type: "interactive",
    shown: { bubble: { text: "One", footer: "first" } },
  },
  "a pressed button of a template": {
    ...plain("reply", { text: "Yes", payload: "yes" }, { reply: yes }, {}),
    type: "button",
    shown: { bubble: { text: "Yes" } },
  },
  "a form": {
    ...plain(
      "form",
      { type: "nfm_reply", nfm_reply: { name: "flow", body: "Sent", response_json: "{}" } },
      { form: { name: "flow", response: "{}" }, text: { body: "Sent" } },
      { bubble: { text: "Sent" } },
    ),
    type: "interactive",
  },
  "an order": plain(
    "order",
    { catalog_id: "7", product_items: [{ product_retailer_id: "shoe", quantity: 2 }] },
    { order: { catalog_id: "7", items: [{ product_id: "shoe", quantity: 2 }] } },
    { bubble: { text: "Order of 1 products" } },
  ),
  "a reaction": {
    kind: "reaction",
    content: ({ ofBusiness }) => ({ message_id: ofBusiness, emoji: "👍" }),
    reported: ({ ofBusiness }) => ({ reaction: { upstream_id: ofBusiness, emoji: "👍" } }),
    shown: { reactions: { customer: "👍" } },
    changes: "ofBusiness",
  },
  "a reaction taken back": {
    kind: "reaction",
    content: ({ ofBusiness }) => ({ message_id: ofBusiness }),
    reported: ({ ofBusiness }) => ({ reaction: { upstream_id: ofBusiness, emoji: null } }),
    shown: { reactions: { customer: null } },
    changes: "ofBusiness",
  },
  "an edit": {
    kind: "edit",
    content: ({ ofCustomer }) => ({
      original_message_id: ofCustomer,
      message: { type: "text", text: { body } },
    }),
    reported: ({ ofCustomer }) => ({
      edits: { upstream_id: ofCustomer, content: { type: "text", text: { body } } },
    }),
    shown: { bubble: { text: body } },
    changes: "ofCustomer",
  },
  "a deletion": {
    kind: "revoke",
    content: ({ ofCustomer }) => ({ original_message_id: ofCustomer }),
    reported: ({ ofCustomer }) => ({ revokes: { upstream_id: ofCustomer } }),
    shown: { bubble: { text: "You deleted this message." } },
    changes: "ofCustomer",
  },
  "a call": {
    ...plain("call", {}, {}, { from: "note", bubble: { text: "You called this business." } }),
    isQuoting: false,
  },
  "a message that WhatsApp can't forward": plain(
    "unsupported",
    { type: "poll" },
    { unsupported: { kind: "poll", reason: "Message type is currently not supported." } },
    { type: "unsupported" },
  ),
  "a file without an id": {
    ...plain("unknown", NO_FILE, { detail: NO_FILE }, { type: "image" }),
    type: "image",
  },
  /** The last one, because the customer has another number then. */
  "a new number": {
    ...plain(
      "event",
      {},
      { event: { kind: "user_changed_number", text: "Ada has another number" } },
      { from: "note" },
    ),
    type: "system",
    content: () => ({
      type: "user_changed_number",
      body: "Ada has another number",
      wa_id: `49151${randomInt(1e6, 1e7)}`,
    }),
  },
};
