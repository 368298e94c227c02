import { expect, test } from "vitest";
import { readContent } from "./message-content";

test.each([
  ["a text", "text", { text: { body: "Hello" } }, { kind: "text", text: "Hello" }],
  [
    "a file with a caption",
    "image",
    { media: { storage_key: "1" }, text: { body: "Look" } },
    { kind: "file", type: "image", caption: "Look", isVoice: false },
  ],
  [
    "a customer's voice message",
    "audio",
    { type: "audio", media: { id: "1", voice: true } },
    { kind: "file", type: "audio", caption: null, isVoice: true },
  ],
  [
    "buttons",
    "interactive",
    { interactive: { type: "buttons", body: "Which?", footer: "Soon", buttons: [{ id: "a", title: "A" }] } },
    {
      kind: "choice",
      header: null,
      body: "Which?",
      footer: "Soon",
      choices: [{ title: "A", description: null }],
    },
  ],
  [
    "a list",
    "interactive",
    {
      interactive: {
        type: "list",
        body: "Which?",
        sections: [{ rows: [{ title: "A", description: "first" }] }],
      },
    },
    {
      kind: "choice",
      header: null,
      body: "Which?",
      footer: null,
      choices: [{ title: "A", description: "first" }],
    },
  ],
  [
    "a link",
    "interactive",
    { interactive: { type: "cta_url", body: "Here", text: "Track", url: "https://example.com" } },
    {
      kind: "choice",
      header: null,
      body: "Here",
      footer: null,
      choices: [{ title: "Track", description: "https://example.com" }],
    },
  ],
  [
    "a chosen button",
    "interactive",
    { type: "reply", reply: { title: "Yes" } },
    { kind: "text", text: "Yes" },
  ],
  [
    "a location",
    "location",
    { location: { latitude: 52.5, longitude: 13.4, name: "Office" } },
    { kind: "location", latitude: 52.5, longitude: 13.4, name: "Office", address: null },
  ],
  [
    "a contact card",
    "contacts",
    { contacts: [{ name: "Ada", phones: ["+49 151"], company: "Engines" }] },
    { kind: "cards", cards: [{ name: "Ada", lines: ["Engines", "+49 151"] }] },
  ],
  [
    "an order",
    "order",
    { type: "order", order: { items: [{ product_id: "shoe", quantity: 2, price: 5, currency: "EUR" }] } },
    { kind: "order", text: null, items: ["2 × shoe, 5 EUR"] },
  ],
  ["a call", "call", { type: "call" }, { kind: "remark", text: "The customer called" }],
  [
    "a type of tomorrow",
    "hologram",
    { type: "unknown", detail: { a: 1 } },
    { kind: "remark", text: "A message of a type that can’t be shown here" },
  ],
  [
    "content without what its type needs",
    "location",
    { location: "here" },
    { kind: "remark", text: "A message of a type that can’t be shown here" },
  ],
])("%s", (_, type, content, said) => {
  expect(readContent(type, content)).toEqual(said);
});
