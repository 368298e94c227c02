import { expect, test } from "vitest";
import { parseTemplateRequest } from "./templates";

const body = { type: "BODY", text: "Hello {{1}}, your order {{2}} is on its way." };
const template = { name: "order_sent", language: "en_US", category: "UTILITY", components: [body] };

const headerOf = (text: string) => [{ type: "HEADER", format: "TEXT", text }, body];
const buttonsOf = (...buttons: object[]) => [body, { type: "BUTTONS", buttons }];
const picture = { type: "HEADER", format: "IMAGE" };
const cardButtons = { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "Yes" }] };
const card = { components: [picture, cardButtons] };
const cardsOf = (...cards: object[]) => [body, { type: "CAROUSEL", cards }];
const bodyOf = (text: string) => [{ type: "BODY", text }];

test.each([
  { why: "no name", changes: { name: undefined }, words: /name is required/ },
  { why: "capitals in the name", changes: { name: "Order" }, words: /lower-case/ },
  { why: "a foreign language code", changes: { language: "english" }, words: /language/ },
  { why: "a foreign category", changes: { category: "FUN" }, words: /category/ },
  { why: "no components", changes: { components: undefined }, words: /components/ },
  { why: "an unknown component", changes: { components: [{ type: "SIDE" }] }, words: /components/ },
  { why: "no body", changes: { components: [{ type: "FOOTER", text: "a" }] }, words: /BODY is required/ },
  { why: "two bodies", changes: { components: [body, body] }, words: /only one BODY/ },
  { why: "an empty body", changes: { components: bodyOf("") }, words: /BODY: text is required/ },
  { why: "a body of 1025", changes: { components: bodyOf("x".repeat(1025)) }, words: /at most 1024/ },
  { why: "a gap in the variables", changes: { components: bodyOf("A {{1}} and {{3}}.") }, words: /gaps/ },
  { why: "a variable at the end", changes: { components: bodyOf("Hello {{1}}") }, words: /start or the end/ },
  { why: "a name among numbers", changes: { components: bodyOf("Hello {{name}}.") }, words: /numbered/ },
  {
    why: "a number among names",
    changes: { parameter_format: "named", components: bodyOf("Hello {{1}}.") },
    words: /no name of a variable/,
  },
  { why: "a header of 61", changes: { components: headerOf("x".repeat(61)) }, words: /at most 60/ },
  {
    why: "two variables in a header",
    changes: { components: headerOf("{{1}} {{2}}") },
    words: /1 variables/,
  },
  {
    why: "a variable in a footer",
    changes: { components: [body, { type: "FOOTER", text: "Hi {{1}}" }] },
    words: /0 variables/,
  },
  { why: "no buttons", changes: { components: buttonsOf() }, words: /buttons/ },
  {
    why: "eleven buttons",
    changes: { components: buttonsOf(...Array.from({ length: 11 }, () => ({ type: "COPY_CODE" }))) },
    words: /buttons/,
  },
  {
    why: "a variable in the middle of a URL",
    changes: { components: buttonsOf({ type: "URL", text: "a", url: "https://example.com/{{1}}/b" }) },
    words: /at its end/,
  },
  {
    why: "a URL that is none",
    changes: { components: buttonsOf({ type: "URL", text: "a", url: "ftp://example.com" }) },
    words: /web address/,
  },
  {
    why: "a telephone button without a number",
    changes: { components: buttonsOf({ type: "PHONE_NUMBER", text: "Call" }) },
    words: /phone_number/,
  },
  {
    why: "a label of 26",
    changes: { components: buttonsOf({ type: "QUICK_REPLY", text: "x".repeat(26) }) },
    words: /at most 25/,
  },
  { why: "a single card", changes: { components: cardsOf(card) }, words: /cards/ },
  {
    why: "eleven cards",
    changes: { components: cardsOf(...Array.from({ length: 11 }, () => card)) },
    words: /cards/,
  },
  {
    why: "cards of different shapes",
    changes: { components: cardsOf(card, { components: [...card.components, { type: "BODY", text: "a" }] }) },
    words: /same components/,
  },
  {
    why: "cards without a picture",
    changes: { components: cardsOf({ components: [cardButtons] }, { components: [cardButtons] }) },
    words: /card 0: a HEADER/,
  },
  {
    why: "cards without a button",
    changes: { components: cardsOf({ components: [picture] }, { components: [picture] }) },
    words: /card 0: one or two buttons/,
  },
  {
    why: "a text of 161 in a card",
    changes: {
      components: cardsOf(
        { components: [...card.components, { type: "BODY", text: "x".repeat(161) }] },
        { components: [...card.components, { type: "BODY", text: "x" }] },
      ),
    },
    words: /card 0: text must be at most 160/,
  },
])("a template with $why is refused as an invalid parameter", ({ changes, words }) => {
  expect(parseTemplateRequest({ ...template, ...changes })).toEqual({
    error: "parameter_invalid",
    message: expect.stringMatching(words),
  });
});

test.each(["null", "[]", '"text"'])("a body of %s is refused", (json) => {
  expect(parseTemplateRequest(JSON.parse(json))).toMatchObject({ error: "parameter_invalid" });
});

test("a well-formed template is taken as it is, positional unless it says otherwise", () => {
  expect(parseTemplateRequest(template)).toEqual({ ...template, parameter_format: "POSITIONAL" });
});
