import { expect, test } from "vitest";
import { templateExamples } from "./template-examples";

test("the examples of all parts are found by the names of their values", () => {
  const url = { type: "URL", text: "Show", url: "https://example.com/{{1}}" };
  const components = [
    { type: "HEADER", format: "TEXT", text: "Order {{1}}", example: { header_text: ["4711"] } },
    { type: "body", text: "{{2}} for {{1}}", example: { body_text: [["Ana", "Shoes"]] } },
    {
      type: "BUTTONS",
      buttons: [
        { ...url, example: ["lemon"] },
        { ...url, example: ["https://example.com/olive"] },
        { type: "COPY_CODE", example: "250OFF" },
        { type: "QUICK_REPLY", text: "Thanks", example: ["No value"] },
      ],
    },
    {
      type: "CAROUSEL",
      cards: [
        { components: [{ type: "HEADER", format: "IMAGE", example: { header_handle: ["4::aW"] } }] },
        { components: [{ type: "BODY", text: "For {{1}}", example: { body_text: [["25"]] } }] },
      ],
    },
  ];
  expect(templateExamples(components)).toEqual({
    "header.1": "4711",
    "1": "Ana",
    "2": "Shoes",
    "button.0.1": "lemon",
    "button.1.1": "olive",
    "button.2.code": "250OFF",
    "card.1.1": "25",
  });
});

test("the examples of named values are found by their names", () => {
  const example = {
    body_text_named_params: [
      { param_name: "order", example: "A-7" },
      { param_name: "first_name", example: "Ana" },
    ],
  };
  expect(templateExamples([{ type: "BODY", text: "{{first_name}}: {{order}}", example }])).toEqual({
    first_name: "Ana",
    order: "A-7",
  });
});

test.each([
  [[null, 1, {}, { type: "BODY" }, { type: "BODY", text: "{{1}}" }]],
  [[{ type: "BODY", text: "{{1}}", example: { body_text: "Ana" } }]],
  [[{ type: "BODY", text: "{{1}}", example: { body_text: [[]] } }]],
  [[{ type: "BUTTONS", buttons: [null, { type: "URL", url: "https://a/{{1}}", example: { a: 1 } }] }]],
])("components without readable examples have none: %j", (components) => {
  expect(templateExamples(components)).toEqual({});
});
