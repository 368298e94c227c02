import { randomInt } from "node:crypto";
import type { ExpectStatic } from "vitest";
import { asJson } from "@/e2e/support/contract";
import { customerSends, ledgerEntriesOf } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { withEndpoint } from "./endpoints";
import { eventsAt } from "./events";
import { send, type Journey } from "./scenario";
import type { World } from "./world";

type Json = Readonly<Record<string, unknown>>;

const SELDOM = { intervalMs: 100 } as const;

export const body = "When shall we come?";
export const answers = [
  { id: "today", title: "Today" },
  { id: "tomorrow", title: "Tomorrow" },
];
const rows = [
  { id: "a", title: "Lemon", description: "Yellow" },
  { id: "b", title: "Olive" },
];
const replies = answers.map((reply) => ({ type: "reply", reply }));

interface Touch {
  readonly name: string;
  readonly content: Json & { readonly type: string };
  /** In the upstream's form. */
  readonly reported: unknown;
}

/** Contents of each type that need no other message, as they are sent and as the upstream gets them. */
export const TOUCHES: readonly Touch[] = [
  {
    name: "buttons",
    content: {
      type: "interactive",
      interactive: { type: "buttons", body, header: "Order", footer: "Thanks", buttons: answers },
    },
    reported: {
      type: "button",
      header: { type: "text", text: "Order" },
      body: { text: body },
      footer: { text: "Thanks" },
      action: { buttons: replies },
    },
  },
  {
    name: "a list",
    content: {
      type: "interactive",
      interactive: { type: "list", body, button: "Open", sections: [{ title: "Trees", rows }] },
    },
    reported: {
      type: "list",
      body: { text: body },
      action: { button: "Open", sections: [{ title: "Trees", rows }] },
    },
  },
  {
    name: "a link",
    content: {
      type: "interactive",
      interactive: { type: "cta_url", body, text: "Track", url: "https://shop.example/1" },
    },
    reported: {
      type: "cta_url",
      body: { text: body },
      action: { name: "cta_url", parameters: { display_text: "Track", url: "https://shop.example/1" } },
    },
  },
  {
    name: "a request for the location",
    content: { type: "interactive", interactive: { type: "location_request", body } },
    reported: {
      type: "location_request_message",
      body: { text: body },
      action: { name: "send_location" },
    },
  },
  {
    name: "a place",
    content: { type: "location", location: { latitude: 0, longitude: -13.4, name: "Shop" } },
    reported: { latitude: 0, longitude: -13.4, name: "Shop" },
  },
  {
    name: "contacts",
    content: { type: "contacts", contacts: [{ name: "Ada", phones: ["+49 151 1"], company: "Shop" }] },
    reported: [
      {
        name: { formatted_name: "Ada", first_name: "Ada" },
        phones: [{ phone: "+49 151 1" }],
        org: { company: "Shop" },
      },
    ],
  },
  {
    name: "a sticker",
    content: { type: "sticker", media: { url: "https://8.8.8.8/a.webp" } },
    reported: { link: "https://8.8.8.8/a.webp" },
  },
];

async function accepted(world: World, expect: ExpectStatic, content: Json, number = 1): Promise<string> {
  const client_message_id = `${world.id}-${number}`;
  const { status, text } = await world.api.call(
    send(world, { text: undefined, client_message_id, ...content }),
  );
  expect([status, text]).toEqual([201, expect.any(String)]);
  return JSON.parse(text).message_id;
}

async function entryOf({ server }: World, messageId: string) {
  return until(
    "the message is in the ledger",
    async () => (await ledgerEntriesOf(server.simulatorUrl, messageId))[0],
    SELDOM,
  );
}

async function untilState({ api, keys }: World, id: string, state: string): Promise<void> {
  const read = async () => {
    const { text } = await api.call({ path: `/messages/${id}`, key: keys.main.secret });
    return JSON.parse(text).delivery_state === state;
  };
  await until(`the message is ${state}`, read, SELDOM);
}

const sendings: readonly Journey[] = TOUCHES.map(({ name, content, reported }) => ({
  name: `hands ${name} over as it was said, and reports it as read`,
  async run(world, expect) {
    const id = await accepted(world, expect, content);
    const { type, body: given } = await entryOf(world, id);
    expect({ type, body: given }).toEqual({ type: content.type, body: reported });
    await untilState(world, id, "read");
  },
}));

const references: readonly Journey[] = [
  {
    name: "hands a quote and reactions over with WhatsApp's id of the message, though it waited itself",
    async run(world, expect) {
      const text = { text: { body: "Hello" } };
      const first = await accepted(world, expect, text);
      const reply_to = { message_id: first };
      const quote = await accepted(world, expect, { ...text, reply_to }, 2);
      const react = (emoji: string) => ({ type: "reaction", reaction: { message_id: first, emoji } });
      const reaction = await accepted(world, expect, react("👍"), 3);
      const taken = await accepted(world, expect, react(""), 4);
      const { wamid } = await entryOf(world, first);
      expect((await entryOf(world, quote)).context).toEqual({ message_id: wamid });
      expect((await entryOf(world, reaction)).body).toEqual({ message_id: wamid, emoji: "👍" });
      expect((await entryOf(world, taken)).body).toEqual({ message_id: wamid, emoji: "" });
      await untilState(world, taken, "sent");
    },
  },
  ...[
    { name: "buttons", kind: "button_reply", touch: TOUCHES[0], answer: answers[1] },
    { name: "a list", kind: "list_reply", touch: TOUCHES[1], answer: rows[0] },
  ].map(({ name, kind, touch, answer }): Journey => ({
    name: `the customer's answer to ${name} arrives as a reply to the message`,
    run: (world, expect) =>
      withEndpoint(world, { url: null, events: ["message.received"] }, async (endpoint) => {
        const id = await accepted(world, expect, touch?.content ?? {});
        const { wamid } = await entryOf(world, id);
        await customerSends(world.server.simulatorUrl, {
          phoneNumberId: world.demo.phone_number_ids.default,
          from: world.demo.contacts.open_window.handle,
          type: "interactive",
          content: { type: kind, [kind]: answer ?? {} },
          quotes: wamid,
        });
        const contents = async () => {
          const events = await eventsAt(world, endpoint, "message.received", expect);
          const found = events.map(({ data }) => asJson(asJson(data).content));
          return found.find(({ reply_to }) => asJson(reply_to ?? {}).upstream_id === wamid);
        };
        expect(await until("the answer arrives", contents, SELDOM)).toMatchObject({
          type: "reply",
          reply: answer,
        });
      }),
  })),
  {
    name: "a template goes to an unknown customer by WhatsApp's id",
    async run(world, expect) {
      const user_id = `DE.${randomInt(2 ** 47)}`;
      const { template_submission_id, variables } = world.demo.templates.approved;
      const message = {
        type: "template",
        to: { kind: "whatsapp_user", user_id },
        template: { template_submission_id, variables },
      };
      const id = await accepted(world, expect, message);
      expect((await entryOf(world, id)).to).toBe(user_id);
      await untilState(world, id, "read");
    },
  },
];

/** Each type and reference over the whole way: from the request to the upstream, and back to the customer's answer. */
export const touches: readonly Journey[] = [...sendings, ...references];
