import { expect, test } from "vitest";
import { WhatsAppAPI } from "whatsapp-api-js";
import {
  ActionButtons,
  ActionCTA,
  ActionList,
  ActionLocation,
  Audio,
  Body,
  Button,
  Contacts,
  Document,
  Footer,
  Header,
  Image,
  Interactive,
  ListSection,
  Location,
  Name,
  Organization,
  Email,
  Phone,
  Reaction,
  Row,
  Sticker,
  Text,
  Video,
} from "whatsapp-api-js/messages";
import { messageBody, type OutboundMessage } from "./message-body";

type ClientMessage = Parameters<WhatsAppAPI["sendMessage"]>[2];

const to = "4915112345678";
const link = "https://files.example/a";
const source = { link };
const plain = { source, caption: null, filename: null };
const framed = { body: "Choose", header: "Order 1042", footer: "Thank you" };
const frame = [new Body("Choose"), new Header("Order 1042"), new Footer("Thank you")] as const;

/** Each message, as Waypost says it and as a published client builds it. */
const MESSAGES: readonly (readonly [name: string, OutboundMessage, ClientMessage])[] = [
  ["a text", { type: "text", body: "Grüße 👋" }, new Text("Grüße 👋", false)],
  ["an image", { type: "image", ...plain, caption: "Photo" }, new Image(link, false, "Photo")],
  ["an audio", { type: "audio", ...plain }, new Audio(link)],
  ["a video", { type: "video", ...plain, caption: "Clip" }, new Video(link, false, "Clip")],
  [
    "a document",
    { type: "document", source, caption: "Bill", filename: "a.pdf" },
    new Document(link, false, "Bill", "a.pdf"),
  ],
  ["a sticker by link", { type: "sticker", ...plain }, new Sticker(link)],
  ["a sticker by id", { type: "sticker", ...plain, source: { id: "7" } }, new Sticker("7", true)],
  [
    "buttons",
    {
      type: "interactive",
      interactive: {
        type: "buttons",
        ...framed,
        buttons: [
          { id: "yes", title: "Yes" },
          { id: "no", title: "No" },
        ],
      },
    },
    new Interactive(new ActionButtons(new Button("yes", "Yes"), new Button("no", "No")), ...frame),
  ],
  [
    "a list",
    {
      type: "interactive",
      interactive: {
        type: "list",
        ...framed,
        button: "Open",
        sections: [
          { title: "Trees", rows: [{ id: "lemon", title: "Lemon", description: "Yellow" }] },
          { title: "Herbs", rows: [{ id: "basil", title: "Basil", description: null }] },
        ],
      },
    },
    new Interactive(
      new ActionList(
        "Open",
        new ListSection("Trees", new Row("lemon", "Lemon", "Yellow")),
        new ListSection("Herbs", new Row("basil", "Basil")),
      ),
      ...frame,
    ),
  ],
  [
    "a list with one section without a title",
    {
      type: "interactive",
      interactive: {
        type: "list",
        body: "Choose",
        button: "Open",
        sections: [{ rows: [{ id: "1", title: "One" }] }],
      },
    },
    new Interactive(
      new ActionList("Open", new ListSection(undefined, new Row("1", "One"))),
      new Body("Choose"),
    ),
  ],
  [
    "a link",
    {
      type: "interactive",
      interactive: { type: "cta_url", body: "Choose", text: "Track", url: "https://shop.example" },
    },
    new Interactive(new ActionCTA("Track", "https://shop.example"), new Body("Choose")),
  ],
  [
    "a request for the location",
    { type: "interactive", interactive: { type: "location_request", body: "Where?" } },
    new Interactive(new ActionLocation(), new Body("Where?")),
  ],
  ["a reaction", { type: "reaction", upstreamId: "wamid.1", emoji: "👍" }, new Reaction("wamid.1", "👍")],
  ["a reaction taken back", { type: "reaction", upstreamId: "wamid.1", emoji: "" }, new Reaction("wamid.1")],
  [
    "a place",
    {
      type: "location",
      location: { latitude: 52.5, longitude: 13.4, name: "The shop", address: "Berlin" },
    },
    new Location(13.4, 52.5, "The shop", "Berlin"),
  ],
  [
    "a place on the equator",
    { type: "location", location: { latitude: 0, longitude: 0 } },
    new Location(0, 0),
  ],
  [
    "contacts",
    {
      type: "contacts",
      contacts: [
        { name: "Ada", phones: ["+49 151 1", "+49 151 2"], emails: ["ada@example.com"], company: "Shop" },
        { name: "Bob", phones: ["1"] },
      ],
    },
    new Contacts(
      [
        new Name("Ada", "Ada"),
        new Phone("+49 151 1"),
        new Phone("+49 151 2"),
        new Email("ada@example.com"),
        new Organization("Shop"),
      ],
      [new Name("Bob", "Bob"), new Phone("1")],
    ),
  ],
];

/** Sends with the published client, and returns the body that it would have posted. */
async function bodyOfClient(message: ClientMessage, context?: string): Promise<unknown> {
  let body: unknown;
  const fetch: typeof globalThis.fetch = async (...request) => {
    body = await new Request(...request).json();
    return new Response("{}");
  };
  const client = new WhatsAppAPI({ token: "t", secure: false, v: "v24.0", ponyfill: { fetch } });
  await client.sendMessage("1", to, message, context, "our-id");
  return body;
}

/** Without the defaults of Meta that one of them repeats. The client writes contacts as JSON in a text, as Meta allows. */
function comparable({ recipient_type: type, ...body }: Record<string, unknown>): object {
  expect(type ?? "individual").toBe("individual");
  const { preview_url: isPreviewed = false, ...text } = Object(body.text);
  expect(isPreviewed).toBe(false);
  const { contacts } = body;
  return {
    ...body,
    ...(body.text === undefined ? {} : { text }),
    ...(typeof contacts === "string" ? { contacts: JSON.parse(contacts) } : {}),
  };
}

test.each(MESSAGES)(
  "the body of %s is the one that a published client posts, also as a quote",
  async (...args) => {
    const [, message, built] = args;
    for (const quotedId of [null, "wamid.quoted"]) {
      const theirs = await bodyOfClient(built, quotedId ?? undefined);
      expect(theirs).toMatchObject({ type: message.type, to });
      const ours = messageBody({ to, message, quotedId, callbackData: "our-id" });
      expect(comparable(ours)).toEqual(comparable(Object(theirs)));
    }
  },
);

test.each(["US.13491208655302741918", "US.ENT.11815799212886844830"])(
  "an id of a person is in the field for it: %s",
  (userId) => {
    const message = { type: "text", body: "Hi" } as const;
    const body = messageBody({ to: userId, message, quotedId: null, callbackData: "our-id" });
    expect(body).toMatchObject({ recipient: userId });
    expect(body).not.toHaveProperty("to");
  },
);
