import type { Demo } from "@/e2e/support/cli";

type Json = Readonly<Record<string, unknown>>;

/** The types of messages that contain a file, each with a type of file. */
export const SENT_FILES = {
  image: "image/png",
  audio: "audio/ogg",
  video: "video/mp4",
  document: "application/pdf",
  sticker: "image/webp",
} as const;

/** Ids that a content may refer to. */
export interface Given {
  /** A message of the customer. */
  readonly messageId: string;
  /** The storage key of an upload for each type. */
  readonly uploads: Readonly<Record<keyof typeof SENT_FILES, string>>;
  readonly templates: Demo["templates"];
}

export interface SentContent {
  /** As the published document names it: the type, and where its content has several shapes, the shape. */
  readonly kind: string;
  /** The fields of the request. */
  readonly content: (given: Given) => Json & { readonly type: string };
  /** The customer's phone shows exactly this, besides the id of a file. */
  readonly shown: Json;
  /** The button or row that the customer chooses. */
  readonly chosen?: { readonly id: string; readonly title: string; readonly description?: string };
}

const FILE = "https://8.8.8.8/file";
const today = { id: "today", title: "Today" };
const tomorrow = { id: "tomorrow", title: "Tomorrow" };
const lemon = { id: "lemon", title: "Lemon", description: "Yellow" };
const basil = { id: "basil", title: "Basil" };
const body = "When shall we come?";
const framed = { body, header: "Order 1042", footer: "Thank you" };
const shownFrame = { text: body, header: "Order 1042", footer: "Thank you" };
const place = { latitude: 52.5, longitude: -13.4, name: "The shop", address: "Berlin" };
const offer = (text: string, product: string, title: string) => ({
  text,
  media: { kind: "image", link: `https://shop.example.com/${product}.jpg` },
  buttons: [{ kind: "url", title, value: `https://shop.example.com/${product}` }],
});

type FileType = keyof typeof SENT_FILES;
type Text = { readonly text?: string; readonly filename?: string };

const file = (type: FileType, source: (given: Given) => Json, shown: Json, { text, filename }: Text) => ({
  kind: type,
  content: (given: Given) => ({
    type,
    media: { ...source(given), ...(filename && { filename }) },
    ...(text && { text: { body: text } }),
  }),
  shown: { media: { kind: type, ...shown, ...(filename && { filename }) }, ...(text && { text }) },
});
const uploaded = (type: FileType, text: Text = {}) =>
  file(type, ({ uploads }) => ({ storage_key: uploads[type] }), {}, text);
const linked = (type: FileType, text: Text = {}) => file(type, () => ({ url: FILE }), { link: FILE }, text);

const touch = (kind: string, content: Json, shown: Json) => ({
  kind: `interactive.${kind}`,
  content: () => ({ type: "interactive", interactive: { type: kind, ...content } }),
  shown,
});

const templated = (name: keyof Demo["templates"], shown: Json) => ({
  kind: "template",
  content: ({ templates }: Given) => {
    const { template_submission_id, variables } = templates[name];
    return { type: "template", template: { template_submission_id, variables } };
  },
  shown,
});

const answer = { kind: "reply", answer: "button_reply" } as const;

/** Messages of every kind, as they are sent and as the customer sees them. */
export const SENT_CONTENTS = {
  "a text": {
    kind: "text",
    content: () => ({ type: "text", text: { body: "Grüße 👋" } }),
    shown: { text: "Grüße 👋" },
  },
  "an uploaded image": uploaded("image", { text: "Photo" }),
  "a linked image": linked("image", { text: "Photo" }),
  "an uploaded audio": uploaded("audio"),
  "a linked audio": linked("audio"),
  "an uploaded video": uploaded("video", { text: "Clip" }),
  "a linked video": linked("video"),
  "an uploaded document": uploaded("document", { text: "Bill", filename: "März.pdf" }),
  "a linked document": linked("document", { text: "Bill", filename: "März.pdf" }),
  "an uploaded sticker": uploaded("sticker"),
  "a linked sticker": linked("sticker"),
  "a template": templated("approved", {
    text: "Hello Ana, your order A-1024 is on its way.",
    footer: "The demo shop",
  }),
  "a template with buttons": {
    ...templated("approved_with_buttons", {
      text: "Hello Ana, your parcel has arrived.",
      media: { kind: "image", link: "https://shop.example.com/parcel.jpg" },
      buttons: [
        { kind: "url", title: "Track", value: "https://shop.example.com/orders/A-1024" },
        { kind: "reply", answer: "button", title: "It isn't here", id: "It isn't here" },
      ],
    }),
    chosen: { id: "It isn't here", title: "It isn't here" },
  },
  "a template with cards": templated("approved_carousel", {
    text: "Hello Ana, this is new in the shop.",
    cards: [
      offer("Lemon tree, now for 25 euros.", "lemon-tree", "Show"),
      offer("Olive tree, now for 39 euros.", "olive-tree", "Show"),
    ],
  }),
  buttons: {
    ...touch(
      "buttons",
      { ...framed, buttons: [today, tomorrow] },
      {
        ...shownFrame,
        buttons: [
          { ...answer, ...today },
          { ...answer, ...tomorrow },
        ],
      },
    ),
    chosen: tomorrow,
  },
  "a list": {
    ...touch(
      "list",
      {
        ...framed,
        button: "Open",
        sections: [
          { title: "Trees", rows: [lemon] },
          { title: "Herbs", rows: [basil] },
        ],
      },
      {
        ...shownFrame,
        list: {
          button: "Open",
          sections: [
            { title: "Trees", rows: [lemon] },
            { title: "Herbs", rows: [basil] },
          ],
        },
      },
    ),
    chosen: lemon,
  },
  "a list of one section without a title": {
    ...touch(
      "list",
      { body, button: "Open", sections: [{ rows: [basil] }] },
      { text: body, list: { button: "Open", sections: [{ rows: [basil] }] } },
    ),
    chosen: basil,
  },
  "a link": touch(
    "cta_url",
    { ...framed, text: "Track", url: "https://shop.example/1" },
    { ...shownFrame, buttons: [{ kind: "url", title: "Track", value: "https://shop.example/1" }] },
  ),
  "a request for the location": touch(
    "location_request",
    { body },
    { text: body, buttons: [{ kind: "location", title: "Send location" }] },
  ),
  "a reaction": {
    kind: "reaction",
    content: ({ messageId }) => ({ type: "reaction", reaction: { message_id: messageId, emoji: "👍" } }),
    shown: { business: "👍" },
  },
  "a reaction taken back": {
    kind: "reaction",
    content: ({ messageId }) => ({ type: "reaction", reaction: { message_id: messageId, emoji: "" } }),
    shown: { business: null },
  },
  "a place": {
    kind: "location",
    content: () => ({ type: "location", location: place }),
    shown: { location: place },
  },
  "a place on the equator, without a name": {
    kind: "location",
    content: () => ({ type: "location", location: { latitude: 0, longitude: 0 } }),
    shown: { location: { latitude: 0, longitude: 0 } },
  },
  contacts: {
    kind: "contacts",
    content: () => ({
      type: "contacts",
      contacts: [
        { name: "Ada", phones: ["+49 151 1", "+49 151 2"], emails: ["ada@example.com"], company: "Shop" },
        { name: "Bob", phones: ["1"] },
      ],
    }),
    shown: {
      contacts: [
        { name: "Ada", phones: ["+49 151 1", "+49 151 2"] },
        { name: "Bob", phones: ["1"] },
      ],
    },
  },
} as const satisfies Readonly<Record<string, SentContent>>;

export type SentName = keyof typeof SENT_CONTENTS;
