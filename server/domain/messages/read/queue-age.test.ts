import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { queueAge } from "./queue-age";
import { openConversation, openSendWorld, queueCopies, queueText, type SendWorld } from "../testing";

let world: SendWorld;
beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());
beforeEach(async () => void (await world.sql`update messages set state = 'failed' where state = 'queued'`));

/** A conversation with that many messages that have all been due for that long. @returns the first of them. */
async function conversationOf(count: number, seconds: number): Promise<string> {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const first = await queueText(world.ctx, threadId);
  await queueCopies(world, first, count - 1);
  await world.sql`
    update messages set next_attempt_at = now() - make_interval(secs => ${seconds})
    where conversation_id = ${threadId} and is_queued`;
  return first;
}

/** In whole seconds. */
async function ages() {
  const { oldestDueSeconds, oldestBehindSeconds, channels } = await queueAge(world.sql);
  const whole = (seconds: number | null) => (seconds === null ? null : Math.floor(seconds));
  return { due: whole(oldestDueSeconds), behind: whole(oldestBehindSeconds), channels };
}
const around = (seconds: number) =>
  expect.toSatisfy((age: number) => age >= seconds && age < seconds + 10, `${seconds} s`);

test("a conversation that is worked off has old messages behind others all the time, and none that is due for long", async () => {
  const first = await conversationOf(20, 122);
  expect(await ages()).toEqual({ due: around(122), behind: around(122), channels: 1 });
  await world.sql`
    update messages set claim_token = gen_random_uuid(), claimed_until = now() + interval '1 minute' where id = ${first}`;
  expect(await ages()).toEqual({ due: null, behind: around(122), channels: 0 });
  await world.sql`
    update messages set state = 'sent', sent_at = now(), claim_token = null, claimed_until = null where id = ${first}`;
  expect(await ages()).toEqual({ due: around(0), behind: around(122), channels: 1 });
  await world.sql`update messages set sent_at = now() - interval '50 seconds' where id = ${first}`;
  expect(await ages()).toEqual({ due: around(50), behind: around(122), channels: 1 });
});

test("a long conversation doesn't hide what is due in another one", async () => {
  const first = await conversationOf(20, 122);
  await conversationOf(1, 30);
  await world.sql`
    update messages set claim_token = gen_random_uuid(), claimed_until = now() + interval '1 minute' where id = ${first}`;
  expect(await ages()).toEqual({ due: around(30), behind: around(122), channels: 1 });
});

test("what waits behind a message that is to be tried again waits for that, and since its hold ran out for nothing", async () => {
  const first = await conversationOf(2, 122);
  await world.sql`
    update messages set next_attempt_at = now() + interval '1 minute', hold_until = now() + interval '30 seconds'
    where id = ${first}`;
  expect(await ages()).toEqual({ due: null, behind: null, channels: 0 });
  await world.sql`update messages set hold_until = now() - interval '30 seconds' where id = ${first}`;
  expect(await ages()).toEqual({ due: around(30), behind: null, channels: 1 });
});

test("a pair limit holds the whole conversation, and what waited for its end is due since then", async () => {
  const first = await conversationOf(2, 122);
  const block = (seconds: number) => world.sql`
    update conversations set blocked_until = now() + make_interval(secs => ${seconds})
    where id = (select conversation_id from messages where id = ${first})`;
  await block(30);
  expect(await ages()).toEqual({ due: null, behind: null, channels: 0 });
  await block(-20);
  expect(await ages()).toEqual({ due: around(20), behind: around(122), channels: 1 });
});
