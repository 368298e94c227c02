import { expect, test } from "vitest";
import { INBOUND_EXAMPLES } from "../domain/callbacks/inbound-examples.fixture";
import { call, phoneNumberId, send, startWithReceiver } from "./testing";

const to = "+16505551234";
const addressed = { messaging_product: "whatsapp", recipient_type: "individual", to };

/** Requests of the forms that Meta's documentation of `POST /{phone_number_id}/messages` shows, one for each. */
const REQUESTS: readonly (readonly [string, { readonly type: string; readonly [field: string]: unknown }])[] =
  [
    [
      "a text with a preview of its link",
      { type: "text", text: { preview_url: true, body: "https://example.com" } },
    ],
    [
      "a reply",
      { context: { message_id: "wamid.HBgL" }, type: "text", text: { preview_url: false, body: "Yes" } },
    ],
    ["an image by link", { type: "image", image: { link: "https://example.com/a.png", caption: "A tree" } }],
    ["a voice message by link", { type: "audio", audio: { link: "https://example.com/a.ogg", voice: true } }],
    ["a sticker by link", { type: "sticker", sticker: { link: "https://example.com/a.webp" } }],
    [
      "a document by link",
      {
        type: "document",
        document: { link: "https://example.com/a.pdf", filename: "a.pdf", caption: "Invoice" },
      },
    ],
    [
      "a location",
      {
        type: "location",
        location: {
          latitude: "37.44216251868683",
          longitude: "-122.16153582049394",
          name: "Shop",
          address: "Main St",
        },
      },
    ],
    ["a reaction", { type: "reaction", reaction: { message_id: "wamid.HBgL", emoji: "\uD83D\uDE00" } }],
    ["a reaction taken back", { type: "reaction", reaction: { message_id: "wamid.HBgL", emoji: "" } }],
    [
      "contacts",
      {
        type: "contacts",
        contacts: [
          {
            addresses: [{ street: "1 Main St", city: "Menlo Park", country_code: "US", type: "Office" }],
            birthday: "1999-01-23",
            emails: [{ email: "barbara@example.com", type: "Work" }],
            name: { formatted_name: "Barbara J. Johnson", first_name: "Barbara" },
            org: { company: "Shop", title: "Gardener" },
            phones: [{ phone: to, type: "Landline", wa_id: "16505551234" }],
            urls: [{ url: "https://example.com", type: "Company" }],
          },
        ],
      },
    ],
    [
      "reply buttons with a picture",
      {
        type: "interactive",
        interactive: {
          type: "button",
          header: { type: "image", image: { link: "https://example.com/a.png" } },
          body: { text: "Your workshop is tomorrow." },
          footer: { text: "The shop" },
          action: {
            buttons: [
              { type: "reply", reply: { id: "change", title: "Change" } },
              { type: "reply", reply: { id: "cancel", title: "Cancel" } },
            ],
          },
        },
      },
    ],
    [
      "a list",
      {
        type: "interactive",
        interactive: {
          type: "list",
          header: { type: "text", text: "Shipping" },
          body: { text: "Which do you prefer?" },
          action: {
            button: "Options",
            sections: [
              { title: "Fast", rows: [{ id: "express", title: "Express", description: "1 to 2 days" }] },
            ],
          },
        },
      },
    ],
    [
      "a button with a link",
      {
        type: "interactive",
        interactive: {
          type: "cta_url",
          body: { text: "See the dates." },
          action: { name: "cta_url", parameters: { display_text: "Show", url: "https://example.com" } },
        },
      },
    ],
    [
      "a request for the location",
      {
        type: "interactive",
        interactive: {
          type: "location_request_message",
          body: { text: "Where are you?" },
          action: { name: "send_location" },
        },
      },
    ],
  ];

test.each(REQUESTS)("%s is accepted in Meta's form, and answered in it", async (_, request) => {
  const { simulator, receiver } = await startWithReceiver();
  const answer = await send(simulator, { ...addressed, ...request });
  expect(answer).toEqual({
    status: 200,
    body: {
      messaging_product: "whatsapp",
      contacts: [{ input: to, wa_id: "16505551234" }],
      messages: [{ id: expect.stringMatching(/^wamid\.[A-Za-z0-9+/=]+$/) }],
    },
  });
  // The examples react to a message that nobody sent.
  const expected = request.type === "reaction" ? ["failed"] : ["sent", "delivered", "read"];
  await expect.poll(() => receiver.statuses().map(({ status }) => status)).toEqual(expected);
});

/** Ids and keys that the simulator sets itself. */
const OWN = ["id", "sha256", "url"];

const withoutOwn = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, part: unknown) => (OWN.includes(key) ? undefined : part)));

/** Without a type that Meta doesn't have. */
const EXAMPLES = INBOUND_EXAMPLES.filter(({ type }) => type !== "hologram");

test.each(EXAMPLES.map((example, place) => [`${place}: ${example.type}`, example] as const))(
  "a customer's message in Meta's form %s reaches the callback unchanged",
  async (_, { type, message }) => {
    const { simulator, receiver } = await startWithReceiver();
    const posted = { phone_number_id: phoneNumberId, from: "16505551234", type, ...message };
    expect(await call(simulator, "POST", "/simulator/inbound", posted)).toMatchObject({ status: 200 });
    const received = () =>
      receiver.posts.flatMap(({ values }) => values.flatMap(({ messages }) => messages ?? []));
    await expect.poll(() => received().length).toBe(1);
    expect(withoutOwn(received()[0])).toMatchObject(withoutOwn({ ...message, type }) as object);
  },
);
