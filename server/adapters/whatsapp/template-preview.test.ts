import { expect, test } from "vitest";
import { filledParts, templateParts, type TextPiece, textPieces } from "./template-preview";
import { templateVariables } from "./template-components";

test.each([
  ["", []],
  ["Hello", [["Hello", null]]],
  ["{{1}}", [["{{1}}", "card.0.1"]]],
  [
    "Hi {{ name }}, {{1}}{{2}}!",
    [
      ["Hi ", null],
      ["{{ name }}", "card.0.name"],
      [", ", null],
      ["{{1}}", "card.0.1"],
      ["{{2}}", "card.0.2"],
      ["!", null],
    ],
  ],
])("%j is cut at its placeholders, and loses nothing", (text, expected) => {
  const pieces = textPieces(text, "card.0.");
  expect(pieces.map((piece) => [piece.text, piece.variable])).toEqual(expected);
  expect(pieces.map((piece) => piece.text).join("")).toBe(text);
});

const joined = (pieces: readonly TextPiece[]) => pieces.map(({ text }) => text).join("");

const shown = (components: readonly unknown[]) =>
  templateParts(components).map(
    ({ label, pieces, url }) => `${label}: ${joined(pieces)}${url === null ? "" : ` → ${joined(url)}`}`,
  );

test("all that a customer sees is among the parts, in order", () => {
  const components = [
    { type: "HEADER", format: "IMAGE" },
    { type: "body", text: "Your order {{1}}" },
    { type: "FOOTER", text: "Reply STOP" },
    {
      type: "BUTTONS",
      buttons: [
        { type: "URL", text: "Track", url: "https://example.com/{{1}}" },
        { type: "QUICK_REPLY", text: "Thanks" },
      ],
    },
    {
      type: "CAROUSEL",
      cards: [
        {
          components: [
            { type: "BODY", text: "First" },
            { type: "BUTTONS", buttons: [{ type: "COPY_CODE" }] },
          ],
        },
      ],
    },
  ];
  expect(shown(components)).toEqual([
    "Header: (image) → {{url}}",
    "Body: Your order {{1}}",
    "Footer: Reply STOP",
    "Button 1: Track → https://example.com/{{1}}",
    "Button 2: Thanks",
    "Card 1, body: First",
    "Card 1, button 1: copy code",
  ]);
});

test("the body of an authentication template, which Meta words, is its code", () => {
  expect(shown([{ type: "BODY", add_security_recommendation: true }])).toEqual(["Body: {{1}}"]);
});

test.each([
  [[null, 1, "x", {}, { type: 1 }]],
  [[{ type: "BUTTONS", buttons: [null, { type: 5 }] }]],
  [[{ type: "NEW" }]],
])("what can't be read is left out: %j", (components) => {
  expect(shown(components)).toEqual([]);
});

test("a customer sees each part with the values of the message, and a placeholder where there is none", () => {
  const components = [
    { type: "HEADER", format: "TEXT", text: "Order {{1}}" },
    { type: "BODY", text: "Hi {{1}}, {{ name }}: {{2}}" },
    { type: "BUTTONS", buttons: [{ type: "URL", text: "Track", url: "https://example.com/{{1}}" }, 7] },
    { type: "CAROUSEL", cards: [{ components: [{ type: "BODY", text: "Card of {{1}}" }] }] },
  ];
  const values = {
    "header.1": "4711",
    "1": "Ana",
    name: "Lee",
    "button.0.1": "way",
    "card.0.1": "$&",
    "2": 5,
  };
  const outside = { card: null, media: null, url: null };
  expect(filledParts(components, values)).toEqual([
    { ...outside, label: "Header", kind: "header", text: "Order 4711" },
    { ...outside, label: "Body", kind: "body", text: "Hi Ana, Lee: {{2}}" },
    {
      label: "Button 1",
      kind: "button",
      card: null,
      media: null,
      text: "Track",
      url: "https://example.com/way",
    },
    { label: "Card 1, body", kind: "body", card: 0, media: null, text: "Card of $&", url: null },
  ]);
  expect(filledParts([{ type: "BODY", add_security_recommendation: true }], { "1": "1234" })).toEqual([
    { ...outside, label: "Body", kind: "body", text: "1234" },
  ]);
  expect(filledParts([null, 7, { type: "LATER" }], {})).toEqual([]);
});

test("the names of the values are those that a message must provide", () => {
  const url = { type: "URL", text: "Track", url: "https://example.com/{{1}}" };
  const components = [
    { type: "HEADER", format: "VIDEO" },
    { type: "BODY", text: "{{1}}" },
    { type: "BUTTONS", buttons: [url] },
    {
      type: "CAROUSEL",
      cards: [
        { components: [{ type: "HEADER", format: "IMAGE" }] },
        {
          components: [
            { type: "BODY", text: "{{1}}" },
            { type: "BUTTONS", buttons: [url] },
          ],
        },
      ],
    },
  ];
  const named = templateParts(components)
    .flatMap(({ pieces, url: link }) => [...pieces, ...(link ?? [])])
    .flatMap(({ variable }) => variable ?? []);
  expect(named).toEqual(templateVariables(components));
});
