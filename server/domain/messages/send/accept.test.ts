import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendMessage } from "./send";
import {
  newHandle,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
  textTo,
  timelineOf,
} from "../testing";

let world: SendWorld;

beforeAll(async () => {
  world = await openSendWorld({ database: "own" });
  // So that a number from which nobody has written can be sent to.
  await world.sql`update channels set unknown_window_open_until = now() + interval '1 hour'`;
});
afterAll(() => world.close());

const sendTo = (handle: string, services = world.services) =>
  sendMessage({
    ctx: { ...world.ctx, services },
    input: {
      client_message_id: randomUUID(),
      type: "text",
      to: { kind: "whatsapp", handle },
      text: { body: "Hi" },
    },
  });

test("20 concurrent messages to the two written forms of one new number, by two processes: one contact, one conversation", async () => {
  const other = { ...world.services };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      sendTo(index % 2 === 0 ? "5511987650020" : "551187650020", index % 4 < 2 ? world.services : other),
    ),
  );
  expect(new Set(answers.map((answer) => answer.contact_id)).size).toBe(1);
  expect(new Set(answers.map((answer) => answer.thread_id)).size).toBe(1);
  expect(new Set(answers.map((answer) => answer.message_id)).size).toBe(20);
});

test("a new number becomes contact, identity, conversation and message together", async () => {
  const handle = newHandle();
  const { contact_id, thread_id, message_id } = await sendTo(handle);
  expect(
    await world.sql`
      select i.handle, v.status, v.assignee_id, m.recipient, m.state
      from contacts c join contact_identities i on i.contact_id = c.id
      join conversations v on v.contact_id = c.id join messages m on m.conversation_id = v.id
      where c.id = ${contact_id} and v.id = ${thread_id} and m.id = ${message_id}`,
  ).toEqual([{ handle, status: "open", assignee_id: null, recipient: handle, state: "queued" }]);
  expect(await timelineOf(world, message_id)).toEqual([]);
});

test("sending neither opens a closed conversation nor changes who it is assigned to", async () => {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  await world.sql`update conversations set status = 'closed' where id = ${threadId}`;
  const [before] = await world.sql`select * from conversations where id = ${threadId}`;
  const id = await queueText(world.ctx, threadId);
  const [after] = await world.sql`select * from conversations where id = ${threadId}`;
  const [activity] = await world.sql`
    select accept_seq as last_activity_seq, created_at as last_message_at from messages where id = ${id}`;
  expect(after).toEqual({ ...before, ...activity });
});

test("a message that was answered before the next was sent has the smaller number in the queue", async () => {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const ids: string[] = [];
  for (let i = 0; i < 10; i++) ids.push(await queueText(world.ctx, threadId));
  const rows = await world.sql<{ id: string }[]>`
    select id from messages where conversation_id = ${threadId} and kind = 'outbound' order by accept_seq`;
  expect(rows.map((row) => row.id)).toEqual(ids);
});

test("what the request said is stored as it was said", async () => {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const body = 'Ünïcødé 🙂 "quotes" \\ {braces} \n NULL';
  const input = { ...textTo(threadId, 'id with "quotes", {braces} \\ and ,'), text: { body } };
  const { message_id } = await sendMessage({ ctx: world.ctx, input });
  const [row] = await world.sql`select client_message_id, content from messages where id = ${message_id}`;
  expect(row).toMatchObject({ client_message_id: input.client_message_id, content: { text: { body } } });
});
