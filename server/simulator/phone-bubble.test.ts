import { expect, test } from "vitest";
import type { Bubble } from "./phone-bubble";
import { call, phoneNumberId, send, startWithReceiver } from "./testing";
import type { Simulator } from "./start";

const customer = "4915112345678";
const headers = { authorization: "Bearer token-of-the-test" };

/** Sends a message to the customer, and returns its wamid. */
async function sent(simulator: Simulator, message: object): Promise<string> {
  const { status, body } = await send(simulator, {
    messaging_product: "whatsapp",
    to: `+${customer}`,
    ...message,
  });
  expect({ status, body }).toMatchObject({ status: 200 });
  return (body as { messages: [{ id: string }] }).messages[0].id;
}

/** Returns how the customer's phone shows the message. */
async function bubbleOn(simulator: Simulator, id: string): Promise<Bubble | undefined> {
  const query = new URLSearchParams({ phone_number_id: phoneNumberId, customer }).toString();
  const { body } = await call(simulator, "GET", `/simulator/phone?${query}`);
  const { messages } = body as { messages: { id: string; bubble: Bubble }[] };
  return messages.find((message) => message.id === id)?.bubble;
}

test("a template is shown as the customer sees it", async () => {
  const { simulator } = await startWithReceiver();
  const template = {
    name: "order_sent",
    language: "en_US",
    category: "UTILITY",
    parameter_format: "NAMED",
    components: [
      { type: "HEADER", format: "TEXT", text: "Order {{order}}" },
      { type: "BODY", text: "Hello {{name}}, it is on its way." },
      { type: "FOOTER", text: "Your shop" },
      {
        type: "BUTTONS",
        buttons: [
          { type: "QUICK_REPLY", text: "Thanks" },
          { type: "URL", text: "Track", url: "https://example.com/{{1}}" },
          { type: "PHONE_NUMBER", text: "Call", phone_number: "+4930123" },
        ],
      },
    ],
  };
  await call(simulator, "POST", "/v24.0/102290129340398/message_templates", template, headers);
  const parameter = (parameter_name: string, value: string) => ({
    type: "text",
    parameter_name,
    text: value,
  });
  const id = await sent(simulator, {
    type: "template",
    template: {
      name: "order_sent",
      language: { code: "en_US" },
      components: [
        { type: "header", parameters: [parameter("order", "7")] },
        { type: "body", parameters: [parameter("name", "Zoë")] },
        {
          type: "button",
          sub_type: "quick_reply",
          index: "0",
          parameters: [{ type: "payload", payload: "ty" }],
        },
        { type: "button", sub_type: "url", index: "1", parameters: [{ type: "text", text: "7a" }] },
      ],
    },
  });
  expect(await bubbleOn(simulator, id)).toEqual({
    header: "Order 7",
    text: "Hello Zoë, it is on its way.",
    footer: "Your shop",
    buttons: [
      { kind: "reply", answer: "button", title: "Thanks", id: "ty" },
      { kind: "url", title: "Track", value: "https://example.com/7a" },
      { kind: "call", title: "Call", value: "+4930123" },
    ],
  });
});

const body = { text: "Choose" };
const shapes = [
  {
    type: "interactive",
    content: {
      type: "button",
      header: { type: "text", text: "Top" },
      body,
      footer: { text: "End" },
      action: { buttons: [{ type: "reply", reply: { id: "y", title: "Yes" } }] },
    },
    bubble: {
      header: "Top",
      text: "Choose",
      footer: "End",
      buttons: [{ kind: "reply", answer: "button_reply", title: "Yes", id: "y" }],
    },
  },
  {
    type: "interactive",
    content: {
      type: "list",
      body,
      action: {
        button: "Open",
        sections: [{ title: "A", rows: [{ id: "1", title: "One", description: "first" }] }],
      },
    },
    bubble: {
      text: "Choose",
      list: {
        button: "Open",
        sections: [{ title: "A", rows: [{ id: "1", title: "One", description: "first" }] }],
      },
    },
  },
  {
    type: "interactive",
    content: {
      type: "cta_url",
      body,
      action: { name: "cta_url", parameters: { display_text: "See", url: "https://example.com/" } },
    },
    bubble: { text: "Choose", buttons: [{ kind: "url", title: "See", value: "https://example.com/" }] },
  },
  {
    type: "interactive",
    content: { type: "location_request_message", body, action: { name: "send_location" } },
    bubble: { text: "Choose", buttons: [{ kind: "location", title: "Send location" }] },
  },
  {
    type: "location",
    content: { latitude: "52.5", longitude: 13.4, name: "Office" },
    bubble: { location: { latitude: 52.5, longitude: 13.4, name: "Office" } },
  },
  {
    type: "contacts",
    content: [{ name: { formatted_name: "Ada" }, phones: [{ phone: "+49 1" }, { wa_id: "492" }] }],
    bubble: { contacts: [{ name: "Ada", phones: ["+49 1", "492"] }] },
  },
  {
    type: "image",
    content: { link: "https://example.com/a.jpg", caption: "Look" },
    bubble: { media: { kind: "image", link: "https://example.com/a.jpg" }, text: "Look" },
  },
];

test.each(shapes)(
  "a business's $type is shown with its parts: $bubble",
  async ({ type, content, bubble }) => {
    const { simulator } = await startWithReceiver();
    const id = await sent(simulator, { type, [type]: content });
    expect(await bubbleOn(simulator, id)).toEqual(bubble);
  },
);
