import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openConversation, openSendWorld, queueText, type SendWorld } from "@/server/domain/messages/testing";
import { servicesWith } from "@/server/core/testing";
import { createLoad } from "@/server/core/load";
import type { Turn } from "@/server/core/jobs";
import { bytesOf, callback, post, processDue, status } from "./testing";

let world: SendWorld;
let messageId: string;

beforeAll(async () => {
  world = await openSendWorld({ database: "own" });
  const { threadId } = await openConversation(world.ctx, world.channelId);
  messageId = await queueText(world.ctx, threadId);
});
afterAll(() => world.close());
beforeEach(() => world.sql`delete from upstream_callbacks`);

/** A process that runs jobs, with the work of the turns that it gave, and the notified channels. */
function working({ isTaken = false } = {}) {
  const works: (() => Promise<void>)[] = [];
  const notified: string[] = [];
  const turn: Turn = { run: (work) => void works.push(work) };
  const jobs = {
    ...world.services.jobs,
    notifyCallbacks: (channelId: string) => void notified.push(channelId),
    takeCallbackTurn: () => (isTaken ? null : turn),
  };
  return { services: servicesWith(world.services, { jobs }), works, notified };
}

async function deliver(services = world.services): Promise<number> {
  const [channel] = await world.sql<{ number: string }[]>`
    select phone_number_id as number from channels where id = ${world.channelId}`;
  const read = status("read", `wamid.${messageId}`, { biz_opaque_callback_data: messageId });
  return post(services, world.channelId, bytesOf(callback(channel?.number ?? "", { statuses: [read] })));
}

const rows = () => world.sql<{ isClaimed: boolean; isProcessed: boolean; tries: number }[]>`
  select claimed_until > now() + interval '20 seconds' and processed_at is null as "isClaimed",
    processed_at is not null as "isProcessed", tries
  from upstream_callbacks order by received_at`;

test("a callback that comes alone is claimed as it is stored, and processed without a wake-up", async () => {
  const { services, works, notified } = working();
  expect(await deliver(services)).toBe(200);
  expect([...(await rows())]).toEqual([{ isClaimed: true, isProcessed: false, tries: 1 }]);
  expect(notified).toEqual([]);
  await Promise.all(works.map((work) => work()));
  expect(await rows()).toMatchObject([{ isProcessed: true, tries: 1 }]);
  expect([...(await world.sql`select state from messages where id = ${messageId}`)]).toEqual([
    { state: "read" },
  ]);
});

test("one that comes while others wait is left to the next run, and the turn ends", async () => {
  await deliver();
  const { services, works, notified } = working();
  expect(await deliver(services)).toBe(200);
  expect(notified).toEqual([world.channelId]);
  await Promise.all(works.map((work) => work()));
  expect(works).toHaveLength(1);
  expect((await rows()).map(({ tries }) => tries)).toEqual([0, 0]);
  await processDue(world.services);
  expect((await rows()).every(({ isProcessed }) => isProcessed)).toBe(true);
});

test.each([
  ["the channel's callbacks are being processed", { isTaken: true }, {}],
  ["requests are many", {}, { load: { ...createLoad(), isHigh: () => true } }],
])("one that comes while %s is left to the next run", async (_, turn, changed) => {
  const { services, works, notified } = working(turn);
  expect(await deliver(servicesWith(services, changed))).toBe(200);
  expect(notified).toEqual([world.channelId]);
  expect(works).toEqual([]);
  expect((await rows()).map(({ tries }) => tries)).toEqual([0]);
});

test("one that can't be stored is refused, and the turn ends", async () => {
  const { services, works } = working();
  const sql = new Proxy(services.sql, {
    apply: (pool, thisArg, args: [TemplateStringsArray, ...unknown[]]) =>
      args[0].join("").includes("insert into upstream_callbacks")
        ? Promise.reject(new Error("the disk is full"))
        : Reflect.apply(pool, thisArg, args),
  });
  expect(await deliver(servicesWith(services, { sql }))).toBe(500);
  expect(works).toHaveLength(1);
  await Promise.all(works.map((work) => work()));
  expect([...(await rows())]).toEqual([]);
});
