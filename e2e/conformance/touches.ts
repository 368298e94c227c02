import { randomInt } from "node:crypto";
import type { ExpectStatic } from "vitest";
import { ledgerEntriesOf } from "@/e2e/support/simulator";
import { LONG_READ, until } from "@/e2e/support/until";
import { send, type Journey } from "./scenario";
import type { World } from "./world";

type Json = Readonly<Record<string, unknown>>;

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
    LONG_READ,
  );
}

async function untilState({ api, keys }: World, id: string, state: string): Promise<void> {
  const read = async () => {
    const { text } = await api.call({ path: `/messages/${id}`, key: keys.main.secret });
    return JSON.parse(text).delivery_state === state;
  };
  await until(`the message is ${state}`, read, LONG_READ);
}

/** References to other messages, and a customer without a number, up to the upstream and back. */
export const touches: readonly Journey[] = [
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
