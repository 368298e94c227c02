import { expect, test } from "vitest";
import type { TemplatePart, TextPiece } from "@/server/adapters/whatsapp/template-preview";
import { fieldsOf, filledPieces } from "./template-words";

/** The pieces of a text, of which every second one is the name of a value. */
const cut = (...texts: readonly string[]): TextPiece[] =>
  texts.map((text, place) =>
    place % 2 === 0 ? { text, variable: null } : { text: `{{${text}}}`, variable: text },
  );

const BUTTON = "https://shop.example.com/orders/";

const part = (kind: TemplatePart["kind"], some: Partial<TemplatePart>): TemplatePart => {
  const { card = null, media = null, url = null, pieces = [] } = some;
  return { label: kind, kind, card, media, url, pieces };
};

const PARTS = [
  part("header", { media: "image", url: cut("", "header.url").slice(1) }),
  part("body", {
    pieces: cut(
      "Hello ",
      "1",
      ", your order ",
      "2",
      "\nis on its way and should be with you within the next three days. ",
      "first_name",
    ).concat({ text: "{{3}}", variable: "3" }),
  }),
  part("button", { pieces: cut("Thanks") }),
  part("button", { pieces: cut("Track"), url: cut(BUTTON, "button.1.1") }),
  part("button", { pieces: cut("copy code") }),
  part("header", { card: 0, media: "video", url: cut("", "card.0.header.url").slice(1) }),
  part("body", { card: 0, pieces: cut("Now for ", "card.0.1", " euros.") }),
  part("button", { card: 0, pieces: cut("Track"), url: cut(BUTTON, "card.0.button.0.1") }),
];

test.each([
  ["1", "Value 1: “Hello ____, your order”"],
  ["2", "Value 2: “, your order ____ is on its way and should be…”"],
  ["first_name", "First name: “…within the next three days. ____”"],
  ["3", "Value 3"],
  ["header.url", "Header, URL of the image"],
  ["button.1.1", "Button “Track”, value 1: “https://shop.example.com/orders/____”"],
  ["button.2.code", "Button “copy code”, code"],
  ["card.0.1", "Card 1, value 1: “Now for ____ euros.”"],
  ["card.0.header.url", "Card 1, header, URL of the video"],
  ["card.0.button.0.1", "Card 1, button “Track”, value 1: “https://shop.example.com/orders/____”"],
  ["header.latitude", "Header, latitude"],
  ["button.7.1", "Button 8, value 1"],
  ["limited_time_offer.expiration_time_ms", "End of the offer, in Unix milliseconds"],
  ["constructor", "Constructor"],
])("%s is named %j", (name, label) => {
  const [field] = fieldsOf({ variables: [name], parts: PARTS, examples: {} });
  expect(field).toMatchObject({ name, label, example: null });
});

test("a value has its example, and only a file's is a URL", () => {
  const examples = { "1": "Ana" };
  expect(
    fieldsOf({ variables: ["1", "header.url"], parts: PARTS, examples }).map(({ example, isUrl }) => [
      example,
      isUrl,
    ]),
  ).toEqual([
    ["Ana", false],
    [null, true],
  ]);
});

test("a placeholder stays until it has a value", () => {
  const pieces = [
    { text: "Hello ", variable: null },
    { text: "{{1}}", variable: "1" },
    { text: "{{toString}}", variable: "toString" },
    { text: "{{2}}", variable: "2" },
  ];
  expect(filledPieces(pieces, { "1": "Ana", "2": " " })).toEqual([
    { text: "Hello ", variable: null },
    { text: "Ana", variable: null },
    { text: "{{toString}}", variable: "toString" },
    { text: "{{2}}", variable: "2" },
  ]);
});
