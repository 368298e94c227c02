import { expect, test } from "vitest";
import { eventually } from "../../e2e/support/eventually";
import type { Simulator } from "./start";
import { call, ledgerOf, phoneNumberId, send, startWithReceiver, textMessage, type Answer } from "./testing";

const to = "4915112345678";
const path = "/v24.0/102290129340398/message_templates";
const authorization = "Bearer token-of-the-test";
const body = { type: "BODY", text: "Hello {{1}}, your order {{2}} is on its way." };

const text = (value: string) => ({ type: "text", text: value });
const bodyWith = (...parameters: object[]) => ({ type: "body", parameters });
const headerWith = (...parameters: object[]) => ({ type: "header", parameters });
const filled = bodyWith(text("Zoë"), text("4711"));

/** Starts with an approved template of these components and more. */
async function startWithTemplate(components: readonly object[], changes: object = {}): Promise<Simulator> {
  const { simulator } = await startWithReceiver();
  const template = { name: "order_sent", language: "en_US", category: "UTILITY", components, ...changes };
  const answer = await call(simulator, "POST", path, template, { authorization });
  expect(answer.status).toBe(200);
  return simulator;
}

function sendTemplate(
  simulator: Simulator,
  components?: readonly object[],
  changes: object = {},
): Promise<Answer> {
  const template = { name: "order_sent", language: { code: "en_US" }, components, ...changes };
  return send(simulator, { ...textMessage(to), type: "template", template });
}

test("an approved template with its parameters is accepted, and says so", async () => {
  const simulator = await startWithTemplate([body]);
  expect(await sendTemplate(simulator, [filled])).toMatchObject({
    status: 200,
    body: { messages: [{ message_status: "accepted" }] },
  });
  expect((await ledgerOf(simulator)).messages).toMatchObject([
    { type: "template", body: { name: "order_sent", language: { code: "en_US" }, components: [filled] } },
  ]);
});

test.each([
  { what: "of another name", changes: { name: "order" } },
  { what: "in another language", changes: { language: { code: "en" } } },
])("a template $what is 132001", async ({ changes }) => {
  const simulator = await startWithTemplate([body]);
  expect(await sendTemplate(simulator, [filled], changes)).toMatchObject({
    status: 404,
    body: { error: { code: 132001 } },
  });
});

test.each([
  { state: "PENDING", code: 132001 },
  { state: "REJECTED", code: 132001 },
  { state: "PAUSED", code: 132015 },
  { state: "DISABLED", code: 132016 },
])(
  "a template that became $state is $code, and again accepted once it is approved",
  async ({ state, code }) => {
    const simulator = await startWithTemplate([body]);
    const template = { phone_number_id: phoneNumberId, name: "order_sent", language: "en_US" };
    const put = (to: string) =>
      call(simulator, "PUT", "/simulator/templates/state", { ...template, state: to });
    await put(state);
    expect(await sendTemplate(simulator, [filled])).toMatchObject({ body: { error: { code } } });
    await put("APPROVED");
    expect((await sendTemplate(simulator, [filled])).status).toBe(200);
  },
);

const imageHeader = { type: "HEADER", format: "IMAGE" };
const textHeader = { type: "HEADER", format: "TEXT", text: "Order {{1}}" };
const buttons = {
  type: "BUTTONS",
  buttons: [
    { type: "QUICK_REPLY", text: "Yes" },
    { type: "URL", text: "Track", url: "https://example.com/t/{{1}}" },
    { type: "COPY_CODE", example: "A1" },
  ],
};
const urlButton = { type: "button", sub_type: "url", index: "1", parameters: [text("4711")] };
const codeButton = {
  type: "button",
  sub_type: "copy_code",
  index: 2,
  parameters: [{ type: "coupon_code", coupon_code: "A1" }],
};
const picture = { type: "image", image: { link: "https://example.com/a.png" } };

const refusals = [
  { why: "too few parameters", has: [body], given: [bodyWith(text("a"))], code: 132000 },
  {
    why: "too many parameters",
    has: [body],
    given: [bodyWith(text("a"), text("b"), text("c"))],
    code: 132000,
  },
  { why: "no components at all", has: [body], given: undefined, code: 132000 },
  { why: "an image in the body", has: [body], given: [bodyWith(text("a"), picture)], code: 132012 },
  { why: "an empty parameter", has: [body], given: [bodyWith(text("a"), text(""))], code: 131008 },
  { why: "a line end in a parameter", has: [body], given: [bodyWith(text("a"), text("b\nc"))], code: 132018 },
  {
    why: "five spaces in a parameter",
    has: [body],
    given: [bodyWith(text("a"), text("b     c"))],
    code: 132018,
  },
  {
    why: "a text that becomes too long",
    has: [body],
    given: [bodyWith(text("a"), text("b".repeat(1000)))],
    code: 132005,
  },
  { why: "a header where none is", has: [body], given: [headerWith(text("a")), filled], code: 132000 },
  { why: "no parameter for the header", has: [textHeader, body], given: [filled], code: 132000 },
  { why: "no picture for the header", has: [imageHeader, body], given: [filled], code: 132012 },
  {
    why: "a video for a picture",
    has: [imageHeader, body],
    given: [headerWith({ type: "video", video: { link: "https://example.com/a.mp4" } }), filled],
    code: 132012,
  },
  {
    why: "a picture with a link that isn't http",
    has: [imageHeader, body],
    given: [headerWith({ type: "image", image: { link: "ftp://example.com/a.png" } }), filled],
    code: 100,
  },
  {
    why: "a picture without link or id",
    has: [imageHeader, body],
    given: [headerWith({ type: "image", image: {} }), filled],
    code: 131008,
  },
  {
    why: "a picture by an unknown id",
    has: [imageHeader, body],
    given: [headerWith({ type: "image", image: { id: "123" } }), filled],
    code: 131053,
  },
  { why: "no URL button", has: [body, buttons], given: [filled, codeButton], code: 131008 },
  { why: "no coupon code", has: [body, buttons], given: [filled, urlButton], code: 131008 },
  {
    why: "a URL button without text",
    has: [body, buttons],
    given: [filled, { ...urlButton, parameters: [] }, codeButton],
    code: 132012,
  },
  {
    why: "a button beyond the last",
    has: [body, buttons],
    given: [filled, urlButton, codeButton, { ...urlButton, index: 3 }],
    code: 132000,
  },
];

const cardWith = (url: string) => ({
  components: [
    imageHeader,
    { type: "BODY", text: "For {{1}} euros." },
    { type: "BUTTONS", buttons: [{ type: "URL", text: "Show", url }] },
  ],
});
const cards = [cardWith("https://example.com/{{1}}"), cardWith("https://example.com/{{1}}")];
const carousel = [
  { type: "BODY", text: "Hello" },
  { type: "CAROUSEL", cards },
];
const givenCard = (index: number, components: readonly object[] = filledCard) => ({
  card_index: index,
  components,
});
const carouselWith = (...given: object[]) => [{ type: "carousel", cards: given }];
const cardButton = { type: "button", sub_type: "url", index: "0", parameters: [text("lemon")] };
const filledCard = [headerWith(picture), bodyWith(text("25")), cardButton];

const carouselRefusals = [
  { why: "no carousel", given: undefined, code: 132000 },
  { why: "one card of two", given: carouselWith(givenCard(0)), code: 132000 },
  { why: "the same card twice", given: carouselWith(givenCard(0), givenCard(0)), code: 131008 },
  {
    why: "a card without its picture",
    given: carouselWith(givenCard(0), givenCard(1, [bodyWith(text("25")), cardButton])),
    code: 132012,
  },
  {
    why: "a card without its text",
    given: carouselWith(givenCard(0), givenCard(1, [headerWith(picture), cardButton])),
    code: 132000,
  },
  {
    why: "a card without its URL",
    given: carouselWith(givenCard(0), givenCard(1, [headerWith(picture), bodyWith(text("25"))])),
    code: 131008,
  },
  {
    why: "a card with an unknown upload",
    given: carouselWith(
      givenCard(0),
      givenCard(1, [headerWith({ type: "image", image: { id: "123" } }), bodyWith(text("25")), cardButton]),
    ),
    code: 131053,
  },
].map((row) => ({ has: carousel, ...row }));

test.each([...refusals, ...carouselRefusals])("$why: $code", async ({ has, given, code }) => {
  const simulator = await startWithTemplate(has);
  expect(await sendTemplate(simulator, given)).toMatchObject({ body: { error: { code } } });
  const { calls, messages } = await ledgerOf(simulator);
  expect(calls).toMatchObject([{ code, wamid: null }]);
  expect(messages).toEqual([]);
});

test.each([
  { what: "a text header", has: [textHeader, body], given: [headerWith(text("4711")), filled] },
  { what: "a picture by its address", has: [imageHeader, body], given: [headerWith(picture), filled] },
  { what: "buttons", has: [body, buttons], given: [filled, urlButton, codeButton] },
  { what: "cards", has: carousel, given: carouselWith(givenCard(1), givenCard(0)) },
  { what: "nothing to fill in", has: [{ type: "BODY", text: "Hello" }], given: undefined },
])("a template with $what is accepted", async ({ has, given }) => {
  const simulator = await startWithTemplate(has);
  expect(await sendTemplate(simulator, given)).toMatchObject({ status: 200 });
});

test("named parameters are told by their names", async () => {
  const named = { type: "BODY", text: "Hello {{customer}}, your order {{order_id}} is on its way." };
  const simulator = await startWithTemplate([named], { parameter_format: "NAMED" });
  const parameter = (parameter_name: string) => ({ ...text("a"), parameter_name });
  const accepted = [bodyWith(parameter("order_id"), parameter("customer"))];
  expect((await sendTemplate(simulator, accepted)).status).toBe(200);
  for (const given of [bodyWith(parameter("customer"), parameter("other")), bodyWith(text("a"), text("b"))]) {
    expect(await sendTemplate(simulator, [given])).toMatchObject({ body: { error: { code: 100 } } });
  }
});

test("a template reaches the customer for whom a text fails with 131047", async () => {
  const simulator = await startWithTemplate([body]);
  const customer = "4915112399012";
  const query = new URLSearchParams({ phone_number_id: phoneNumberId, customer }).toString();
  const template = { name: "order_sent", language: { code: "en_US" }, components: [filled] };
  await send(simulator, { ...textMessage(customer), type: "template", template });
  await send(simulator, textMessage(customer));
  await eventually(async () =>
    expect((await call(simulator, "GET", `/simulator/phone?${query}`)).body).toMatchObject({
      messages: [{ state: "read" }, { state: "failed", error: { code: 131047 } }],
    }),
  );
});
