import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isMediaVariable, templateBody, templateParameters, templateVariables } from "./template-components";

interface Example {
  readonly name: string;
  readonly components: readonly unknown[];
  readonly variables: Readonly<Record<string, string>>;
  readonly parameters: readonly unknown[];
}

const text = (value: string) => ({ type: "text", text: value });

/** From Meta's documentation of message templates and of template messages. */
const EXAMPLES: readonly Example[] = [
  {
    name: "numbered placeholders, in the order of their numbers",
    components: [
      {
        type: "BODY",
        text: "Thank you, {{2}}! Your order is {{1}}. Bye, {{2}}.",
        example: { body_text: [["a"]] },
      },
      { type: "FOOTER", text: "Not interested? {{tap}} stop" },
    ],
    variables: { "1": "SKBUP2", "2": "Pablo" },
    parameters: [{ type: "body", parameters: [text("SKBUP2"), text("Pablo")] }],
  },
  {
    name: "named placeholders, in the order of the text",
    components: [{ type: "BODY", text: "Thank you, {{first_name}}! Your order is {{ order_number }}." }],
    variables: { first_name: "Pablo", order_number: "860198" },
    parameters: [
      {
        type: "body",
        parameters: [
          { type: "text", parameter_name: "first_name", text: "Pablo" },
          { type: "text", parameter_name: "order_number", text: "860198" },
        ],
      },
    ],
  },
  {
    name: "a placeholder in the header's text beside one of the same number in the body",
    components: [
      { type: "HEADER", format: "TEXT", text: "Our {{1}} is on!", example: { header_text: ["Summer Sale"] } },
      { type: "BODY", text: "Shop until {{1}}" },
    ],
    variables: { "header.1": "Summer Sale", "1": "the end of August" },
    parameters: [
      { type: "header", parameters: [text("Summer Sale")] },
      { type: "body", parameters: [text("the end of August")] },
    ],
  },
  ...["image", "video", "document"].map((kind): Example => ({
    name: `a header that is a ${kind}`,
    components: [
      { type: "HEADER", format: kind.toUpperCase(), example: { header_handle: ["4::aW"] } },
      { type: "BODY", text: "Here it is" },
    ],
    variables: { "header.url": "https://shop.example/file" },
    parameters: [
      { type: "header", parameters: [{ type: kind, [kind]: { link: "https://shop.example/file" } }] },
    ],
  })),
  {
    name: "a header that is a place",
    components: [{ type: "HEADER", format: "LOCATION" }],
    variables: {
      "header.latitude": "37.4831",
      "header.longitude": "-122.1491",
      "header.name": "Shop",
      "header.address": "1 Hacker Way",
    },
    parameters: [
      {
        type: "header",
        parameters: [
          {
            type: "location",
            location: { latitude: "37.4831", longitude: "-122.1491", name: "Shop", address: "1 Hacker Way" },
          },
        ],
      },
    ],
  },
  {
    name: "buttons: an address with a placeholder, one without, a telephone number, a quick reply, a code to copy",
    components: [
      { type: "BODY", text: "Choose" },
      {
        type: "BUTTONS",
        buttons: [
          { type: "PHONE_NUMBER", text: "Call", phone_number: "15550051310" },
          { type: "URL", text: "Shop", url: "https://shop.example/", example: [] },
          { type: "URL", text: "Track", url: "https://shop.example/track?id={{1}}", example: ["x"] },
          { type: "QUICK_REPLY", text: "Stop" },
          { type: "COPY_CODE", example: "250FF" },
        ],
      },
    ],
    variables: { "button.2.1": "A-1024", "button.4.code": "25OFF" },
    parameters: [
      { type: "button", sub_type: "url", index: "2", parameters: [text("A-1024")] },
      {
        type: "button",
        sub_type: "copy_code",
        index: "4",
        parameters: [{ type: "coupon_code", coupon_code: "25OFF" }],
      },
    ],
  },
  {
    name: "an authentication template as it was submitted, whose text the upstream writes",
    components: [
      { type: "BODY", add_security_recommendation: true },
      { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copy code" }] },
    ],
    variables: { "1": "J$FpnYnP", "button.0.code": "J$FpnYnP" },
    parameters: [
      { type: "body", parameters: [text("J$FpnYnP")] },
      { type: "button", sub_type: "url", index: "0", parameters: [text("J$FpnYnP")] },
    ],
  },
  {
    name: "an authentication template as the upstream tells it",
    components: [
      { type: "BODY", text: "*{{1}}* is your verification code.", add_security_recommendation: true },
      {
        type: "BUTTONS",
        buttons: [
          { type: "URL", url: "https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}" },
        ],
      },
    ],
    variables: { "1": "J$FpnYnP", "button.0.1": "J$FpnYnP" },
    parameters: [
      { type: "body", parameters: [text("J$FpnYnP")] },
      { type: "button", sub_type: "url", index: "0", parameters: [text("J$FpnYnP")] },
    ],
  },
  {
    name: "a flow, whose button must be there and needs no value",
    components: [
      { type: "BUTTONS", buttons: [{ type: "FLOW", text: "Open", flow_id: "1", flow_action: "navigate" }] },
    ],
    variables: {},
    parameters: [
      { type: "button", sub_type: "flow", index: "0", parameters: [{ type: "action", action: {} }] },
    ],
  },
  {
    name: "an offer that ends",
    components: [
      { type: "limited_time_offer", limited_time_offer: { text: "Expiring!", has_expiration: true } },
      { type: "limited_time_offer", limited_time_offer: { text: "For ever", has_expiration: false } },
    ],
    variables: { "limited_time_offer.expiration_time_ms": "1209600000" },
    parameters: [
      {
        type: "limited_time_offer",
        parameters: [
          { type: "limited_time_offer", limited_time_offer: { expiration_time_ms: 1_209_600_000 } },
        ],
      },
    ],
  },
  {
    name: "a carousel",
    components: [
      { type: "BODY", text: "Summer, {{1}}!" },
      {
        type: "CAROUSEL",
        cards: ["LEMON", "BLUEBERRY"].map(() => ({
          components: [
            { type: "HEADER", format: "IMAGE" },
            { type: "BODY", text: "Use {{1}}" },
            { type: "BUTTONS", buttons: [{ type: "URL", text: "Buy", url: "https://shop.example/{{1}}" }] },
          ],
        })),
      },
    ],
    variables: {
      "1": "Pablo",
      "card.0.header.url": "https://shop.example/lemon.png",
      "card.0.1": "15OFF",
      "card.0.button.0.1": "lemon",
      "card.1.header.url": "https://shop.example/blueberry.png",
      "card.1.1": "20OFF",
      "card.1.button.0.1": "blueberry",
    },
    parameters: [
      { type: "body", parameters: [text("Pablo")] },
      {
        type: "carousel",
        cards: [
          ["lemon", "15OFF"],
          ["blueberry", "20OFF"],
        ].map(([fruit = "", code = ""], index) => ({
          card_index: index,
          components: [
            {
              type: "header",
              parameters: [{ type: "image", image: { link: `https://shop.example/${fruit}.png` } }],
            },
            { type: "body", parameters: [text(code)] },
            { type: "button", sub_type: "url", index: "0", parameters: [text(fruit)] },
          ],
        })),
      },
    ],
  },
  {
    name: "nothing to fill",
    components: [
      { type: "HEADER", format: "TEXT", text: "Hello" },
      { type: "BODY", text: "World {{}} {{ }} {1}" },
      { type: "ORDER_STATUS" },
    ],
    variables: {},
    parameters: [],
  },
];

describe("a template's variables", () => {
  test.each(EXAMPLES)("are named, in order: $name", ({ components, variables }) => {
    const numbered = /^\d+$/;
    const names = templateVariables(components);
    expect([...names].sort()).toEqual(Object.keys(variables).sort());
    // An object's own order puts integers first. The others keep their order.
    expect(names.filter((name) => !numbered.test(name))).toEqual(
      Object.keys(variables).filter((name) => !numbered.test(name)),
    );
  });

  test.each(EXAMPLES)("fill the components of a call: $name", ({ components, variables, parameters }) => {
    expect(templateParameters(components, variables)).toEqual(parameters);
  });

  test("name what no text can fill, and the call leaves it out", () => {
    const components = [
      { type: "HEADER", format: "GIF" },
      { type: "BUTTONS", buttons: [{ type: "MPM", text: "See all" }, { type: "ORDER_DETAILS" }] },
    ];
    const variables = templateVariables(components);
    expect(variables).toEqual(["header.gif", "button.0.sections", "button.1.order_details"]);
    expect(templateParameters(components, Object.fromEntries(variables.map((name) => [name, "x"])))).toEqual(
      [],
    );
  });

  test("tell addresses of files from other values", () => {
    expect(["header.url", "card.3.header.url"].every(isMediaVariable)).toBe(true);
    expect(["header.1", "url", "1", "button.0.1", "xheader.url"].some(isMediaVariable)).toBe(false);
  });

  test("a name that every object inherits is a name like any other", () => {
    const components = [{ type: "BODY", text: "{{constructor}}" }];
    expect(templateVariables(components)).toEqual(["constructor"]);
    expect(templateParameters(components, {})).toEqual([
      { type: "body", parameters: [{ type: "text", parameter_name: "constructor", text: "" }] },
    ]);
  });

  test("whatever the upstream sends as components is taken without an error, each variable named once", () => {
    const type = fc.constantFrom(
      "HEADER",
      "body",
      "BUTTONS",
      "CAROUSEL",
      "LIMITED_TIME_OFFER",
      "FOOTER",
      "x",
    );
    const button = fc.record({ type: fc.constantFrom("URL", "OTP", "MPM", "x"), url: fc.anything() });
    const component = fc.record({
      type,
      format: fc.oneof(fc.constantFrom("IMAGE", "text", "LOCATION"), fc.anything()),
      text: fc.oneof(fc.constant("{{1}} {{a}}"), fc.anything()),
      buttons: fc.oneof(fc.array(fc.oneof(button, fc.anything())), fc.anything()),
      cards: fc.oneof(fc.array(fc.anything()), fc.anything()),
      limited_time_offer: fc.anything(),
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(component, fc.anything())), (components) => {
        const variables = templateVariables(components);
        expect(new Set(variables).size).toBe(variables.length);
        expect(templateParameters(components, {})).toBeInstanceOf(Array);
        expect(templateBody(components) ?? "").toBeTypeOf("string");
      }),
      { numRuns: 300 },
    );
  });
});

test("the text of a template is its body, as it was submitted", () => {
  expect(
    templateBody([
      { type: "HEADER", format: "TEXT", text: "Hi" },
      { type: "BODY", text: "{{1}}!" },
    ]),
  ).toBe("{{1}}!");
  expect(templateBody([{ type: "BODY", add_security_recommendation: true }])).toBeNull();
});
