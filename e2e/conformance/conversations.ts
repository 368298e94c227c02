import { until } from "@/e2e/support/until";
import { get } from "./lists";
import { refused, send, type Journey, type Scenario } from "./scenario";
import type { World } from "./world";

const UNKNOWN_ID = "01890a5d-ac96-774b-bcce-b302099a8057";

const threadOf = ({ demo }: World) => demo.contacts.open_window;

async function read(world: World, path: string) {
  const { status, text } = await world.api.call({ path, key: world.keys.main.secret });
  return { status, body: JSON.parse(text) };
}

/** Refusals of the routes about conversations and contacts. */
export const conversations: readonly Scenario[] = [
  ...["/threads", "/contacts"].flatMap((path): Scenario[] => {
    const code = path === "/threads" ? "thread_not_found" : "contact_not_found";
    return [UNKNOWN_ID, "not-an-id", "%00"].map((id) => ({
      name: `${path}/${id} isn't found`,
      request: get(`${path}/${id}`),
      expected: refused(404, code),
    }));
  }),
  {
    name: "a conversation on a channel that the key may not use isn't found",
    request: (world) => get(`/threads/${threadOf(world).thread_id}`, "secondChannel")(world),
    expected: refused(404, "thread_not_found"),
  },
  {
    name: "a contact can't be changed without the scope",
    request: (world) => ({
      method: "PATCH",
      path: `/contacts/${threadOf(world).contact_id}`,
      key: world.keys.sendsToKnown.secret,
      json: { name: "Ana" },
    }),
    expected: refused(403, "missing_scope"),
  },
  {
    name: "an unknown contact can't be changed",
    request: ({ keys }) => ({
      method: "PATCH",
      path: `/contacts/${UNKNOWN_ID}`,
      key: keys.main.secret,
      json: { name: "Ana" },
    }),
    expected: refused(404, "contact_not_found"),
  },
  {
    name: "a contact can't be opted out with a text",
    request: (world) => ({
      method: "PATCH",
      path: `/contacts/${threadOf(world).contact_id}`,
      key: world.keys.main.secret,
      json: { marketing_opt_out: "yes" },
    }),
    expected: refused(400, "validation_failed", "marketing_opt_out"),
  },
  ...["direction=sideways", "to=Ana", "thread_id=1", "contact_id=1", "updated_since=yesterday"].map(
    (query): Scenario => ({
      name: `/messages refuses ${query}`,
      request: get(`/messages?${query}`),
      expected: refused(400, "validation_failed", query.split("=", 1)[0]),
    }),
  ),
  {
    name: "/messages refuses one wrong state among several",
    request: get("/messages?state=sent&state=sending"),
    expected: refused(400, "validation_failed", "state"),
  },
];

/** Conversations, contacts, and messages of both directions. */
export const conversing: readonly Journey[] = [
  {
    name: "a customer's message is listed and read alike, with its sender and content",
    async run(world, expect) {
      const { thread_id: threadId, contact_id: contactId } = threadOf(world);
      const { body } = await read(world, `/messages?direction=inbound&thread_id=${threadId}`);
      const [message] = body.data;
      expect(message).toMatchObject({
        direction: "inbound",
        thread_id: threadId,
        contact_id: contactId,
        delivery_state: null,
        to: null,
        from: { kind: "whatsapp" },
        content: { type: expect.any(String) },
        sent_at: null,
      });
      expect(await read(world, `/messages/${message.message_id}`)).toEqual({ status: 200, body: message });
    },
  },
  {
    name: "messages are found by several states, by number and contact, and by their changes",
    async run(world, expect) {
      const { handle, contact_id: contactId, thread_id: threadId } = threadOf(world);
      const since = new Date(Date.now() - 60_000).toISOString();
      const sent = await world.api.call(send(world));
      const { message_id: id } = JSON.parse(sent.text);
      const idsOf = async (query: string): Promise<string[]> => {
        const { body } = await read(world, `/messages?limit=100&${query}`);
        return body.data.map((message: { message_id: string }) => message.message_id);
      };
      const states = ["queued", "sent", "delivered", "read"].map((state) => `state=${state}`).join("&");
      expect(await idsOf(states)).toContain(id);
      expect(await idsOf("state=failed&state=failed")).not.toContain(id);
      for (const filter of [
        `to=%2B${handle}`,
        `to=00${handle}`,
        `contact_id=${contactId}`,
        `thread_id=${threadId}`,
      ])
        expect(await idsOf(`direction=any&${filter}`)).toContain(id);
      const isListed = async () => {
        const path = `/messages?limit=100&thread_id=${threadId}&updated_since=${since}`;
        for (let page = await read(world, path); ;) {
          if (page.body.data.some((message: { message_id: string }) => message.message_id === id))
            return true;
          if (page.body.next_cursor === null) return false;
          page = await read(world, `${path}&cursor=${page.body.next_cursor}`);
        }
      };
      await until("the change is listed", isListed, { intervalMs: 200 });
    },
  },
  {
    name: "a conversation is read, and listed by contact and number",
    async run(world, expect) {
      const { handle, contact_id: contactId, thread_id: threadId } = threadOf(world);
      const { status, body: thread } = await read(world, `/threads/${threadId}`);
      expect(status).toBe(200);
      expect(thread).toMatchObject({
        thread_id: threadId,
        contact_id: contactId,
        state: "open",
        window: { open: true, expires_at: expect.any(String) },
        last_message_at: expect.any(String),
      });
      for (const filter of [`contact_id=${contactId}`, `to=%2B${handle}`]) {
        const { body } = await read(world, `/threads?${filter}&channel_id=${thread.channel_id}`);
        expect(body.data.map((one: { thread_id: string }) => one.thread_id)).toEqual([threadId]);
      }
    },
  },
  {
    name: "a contact is read, found by its number, and changed",
    async run(world, expect) {
      const { handle, contact_id: contactId } = threadOf(world);
      const { body: contact } = await read(world, `/contacts/${contactId}`);
      expect(contact).toMatchObject({
        contact_id: contactId,
        identities: [{ kind: "whatsapp", handle }],
        threads: [{ contact_id: contactId }],
      });
      const { body } = await read(world, `/contacts?to=%2B${handle}`);
      expect(body.data.map((one: { contact_id: string }) => one.contact_id)).toEqual([contactId]);
      const change = (json: object) =>
        world.api.call({
          method: "PATCH",
          path: `/contacts/${contactId}`,
          key: world.keys.main.secret,
          json,
        });
      const { status, text } = await change({ name: "Grace Hopper" });
      expect([status, JSON.parse(text).name]).toEqual([200, "Grace Hopper"]);
      await change({ name: contact.name });
    },
  },
];
