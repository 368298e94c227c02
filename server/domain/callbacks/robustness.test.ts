import { randomBytes, randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { joinUnmatched } from "@/server/domain/messages/status/join-kept";
import {
  messageRow,
  newHandle,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
} from "@/server/domain/messages/testing";
import { parseCallback } from "@/server/adapters/whatsapp/parse";

import { readCallback } from "@/server/adapters/whatsapp/shapes";
import { bytesOf, callback, inbound, post, processDue, status } from "./testing";

let world: SendWorld;
let phoneNumberId: string;

beforeAll(async () => {
  world = await openSendWorld({ database: "own" });
  const [row] = await world.sql<{ phoneNumberId: string }[]>`
    select phone_number_id as "phoneNumberId" from channels where id = ${world.channelId}`;
  phoneNumberId = row?.phoneNumberId ?? "";
});
beforeEach(() => world.sql`delete from upstream_callbacks`);
afterAll(() => world.close());

const take = async (bytes: Uint8Array) =>
  expect(await post(world.services, world.channelId, bytes)).toBe(200);

const unprocessed = async () =>
  (
    await world.sql<{ count: number }[]>`
    select count(*)::int as count from upstream_callbacks where processed_at is null`
  )[0]?.count;

/** A message that waits for its status, and the callback with the status. */
async function waiting() {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const id = await queueText(world.ctx, threadId);
  const read = status("read", `wamid.${id}`, { biz_opaque_callback_data: id });
  return { id, read };
}

test("a thousand statuses in one body, twice each and in any order, are all applied", async () => {
  const threads = await Promise.all(
    Array.from({ length: 20 }, () => openConversation(world.ctx, world.channelId)),
  );
  const ids: string[] = [];
  for (let index = 0; index < 500; index++) {
    ids.push(await queueText(world.ctx, threads[index % 20]?.threadId ?? ""));
  }
  const statuses = ids.flatMap((id, index) => {
    const naming = { biz_opaque_callback_data: id };
    const kinds = index % 2 === 0 ? ["read", "sent"] : ["delivered", "read"];
    return kinds.map((kind) => status(kind, `wamid.${id}`, naming));
  });
  const shuffled = statuses.sort((a, b) => JSON.stringify(a).length - JSON.stringify(b).length);
  await take(bytesOf(callback(phoneNumberId, { statuses: shuffled })));
  await take(bytesOf(callback(phoneNumberId, { statuses: shuffled.toReversed() })));
  await processDue(world.services);
  expect(await unprocessed()).toBe(0);
  const states = await world.sql`
    select state, count(*)::int from messages where id = any(${ids}::uuid[]) group by state`;
  expect([...states]).toEqual([{ state: "read", count: 500 }]);
});

test("statuses that fail together and succeed one by one leave their callback processed", async () => {
  const [first, second] = [await waiting(), await waiting()];
  await world.sql.unsafe(`
    create sequence failures;
    create function fail_once() returns trigger language plpgsql as $$
    begin if nextval('failures') = 1 then raise exception 'the commit fails'; end if; return null; end $$;
    create constraint trigger fail_once after update of processed_at on upstream_callbacks
      deferrable initially deferred for each row execute function fail_once()`);
  await take(bytesOf(callback(phoneNumberId, { statuses: [first.read, second.read] })));
  await processDue(world.services);
  const [commits] = await world.sql<{ count: string }[]>`select last_value as count from failures`;
  await world.sql.unsafe("drop function fail_once cascade; drop sequence failures");
  expect(Number(commits?.count)).toBe(2);
  expect([(await messageRow(world, first.id)).state, (await messageRow(world, second.id)).state]).toEqual([
    "read",
    "read",
  ]);
  expect(await unprocessed()).toBe(0);
});

test("statuses of wamids that nobody knows yet wait in any number, and join their messages", async () => {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const id = await queueText(world.ctx, threadId);
  const strangers = Array.from({ length: 300 }, () => status("sent", `wamid.${randomUUID()}`));
  const wamid = `wamid.early.${id}`;
  await take(
    bytesOf(callback(phoneNumberId, { statuses: [...strangers, status("delivered", wamid), ...strangers] })),
  );
  await processDue(world.services);
  expect((await messageRow(world, id)).state).toBe("queued");
  await world.sql`update messages set upstream_id = ${wamid} where id = ${id}`;
  await joinUnmatched(world.services);
  expect((await messageRow(world, id)).state).toBe("delivered");
  await world.sql`delete from unmatched_statuses`;
});

const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const raw = (message: string) =>
  `{"entry":[{"id":"1","changes":[{"field":"messages","value":{"metadata":{"phone_number_id":"PHONE"},${message}}}]}]}`;

/** Incompressible letters: an index holds entries of up to 2,704 bytes. */
const longId = () => randomBytes(5_000).toString("hex");

const GARBAGE = [
  ["nothing", ""],
  ["no JSON", "{"],
  ["JSON of another kind", "7"],
  ["arrays without end", deep(200_000)],
  ["objects without end", `${'{"entry":'.repeat(100_000)}1${"}".repeat(100_000)}`],
  [
    "types where others belong",
    '{"entry":[1,null,{"changes":7},{"changes":[7,{"field":7},{"field":"messages"}]}]}',
  ],
  [
    "names of object methods",
    '{"entry":[{"changes":[{"field":"__proto__","value":{}},{"field":"constructor"}]}]}',
  ],
  ["wrong values of a known field", raw('"statuses":{"a":1},"messages":"x","contacts":9')],
  [
    "wrong entries",
    raw('"statuses":[1,null,[],{"id":{},"status":[]}],"messages":[1,null,[],{"id":[],"type":{}}]'),
  ],
  [
    "numbers beyond all bounds",
    raw(
      '"statuses":[{"id":1e999,"status":"read","timestamp":1e999}],"messages":[{"id":-1e308,"from":1e20,"type":"text","timestamp":-1}]',
    ),
  ],
  [
    "a code beyond all bounds",
    raw('"statuses":[{"id":"wamid.huge","status":"failed","errors":[{"code":1e300}]}]'),
  ],
  [
    "an id that no index holds",
    raw(
      `"statuses":[{"id":"${longId()}","status":"read"}],"messages":[{"id":"${longId()}","from":"4915100000001","type":"text"}]`,
    ),
  ],
  [
    "a type of any length",
    raw(`"messages":[{"id":"wamid.type","from":"4915100000002","type":"${"t".repeat(10_000)}"}]`),
  ],
  [
    "what can't be stored",
    raw(
      '"messages":[{"id":"wamid.\\u0000","from":"4915100000003","type":"\\u0000\\ud800","\\ud800":{"\\u0000":"\\udc00"}}],"contacts":[{"wa_id":"4915100000003","profile":{"name":"\\u0000"}}]',
    ),
  ],
  [
    "an unknown type that is deep",
    raw(`"messages":[{"id":"wamid.deep","from":"4915100000004","type":"deep","deep":${deep(5_000)}}]`),
  ],
  [
    "an unknown type that is large",
    raw(
      `"messages":[{"id":"wamid.large","from":"4915100000005","type":"large","large":"${"l".repeat(1_000_000)}"}]`,
    ),
  ],
  [
    "a type that is a method of objects",
    raw(
      '"messages":[{"id":"wamid.method","from":"4915100000006","type":"hasOwnProperty","timestamp":"soon"}]',
    ),
  ],
  [
    "a text that is no text",
    raw('"messages":[{"id":"wamid.notext","from":"4915100000007","type":"text","text":{"body":[1]}}]'),
  ],
  [
    "names that are none",
    raw(
      '"messages":[{"id":"wamid.noname","from":"+49 151","from_user_id":"x","type":"text","text":{"body":"a"}}]',
    ),
  ],
] as const;

test.each(GARBAGE)("%s, validly signed, is processed once and holds up no other", async (_, body) => {
  const { id, read } = await waiting();
  await take(Buffer.from(body.replace("PHONE", phoneNumberId)));
  await take(bytesOf(callback(phoneNumberId, { statuses: [read] })));
  await processDue(world.services);
  expect(await unprocessed()).toBe(0);
  expect((await messageRow(world, id)).state).toBe("read");
});

test("what is nested without end doesn't cost what stands beside it", async () => {
  const { id, read } = await waiting();
  const body = raw(`"deep":${deep(50_000)},"statuses":[${JSON.stringify(read)}]`);
  await take(Buffer.from(body.replace("PHONE", phoneNumberId)));
  await processDue(world.services);
  expect((await messageRow(world, id)).state).toBe("read");
});

test("bodies that together are too large to hold are processed a few at a time", async () => {
  const { id, read } = await waiting();
  const filler = Buffer.from(`{"entry":[],"filler":"${"f".repeat(3_900_000)}"}`);
  for (let count = 0; count < 5; count++) await take(filler);
  await take(bytesOf(callback(phoneNumberId, { statuses: [read] })));
  await processDue(world.services);
  expect(await unprocessed()).toBe(0);
  expect((await messageRow(world, id)).state).toBe("read");
});

test("whatever is in the place of a change's value, the message beside it is received", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("messages", "calls", "user_preferences", "x"),
      fc.jsonValue(),
      async (field, value) => {
        const from = newHandle();
        const good = callback(phoneNumberId, inbound(from, `wamid.${randomUUID()}`));
        const entry = [{ id: "1", changes: [{ field, value }] }, ...Object(good).entry];
        await take(bytesOf({ entry }));
        await processDue(world.services);
        expect(await world.sql`select 1 from contact_identities where handle = ${from}`).toHaveLength(1);
        expect(await unprocessed()).toBe(0);
      },
    ),
    { numRuns: 60 },
  );
});

test("whatever stands in a status or a message, reading it doesn't throw", async () => {
  const field = fc.oneof(fc.jsonValue(), fc.string({ unit: "binary" }), fc.constantFrom("sent", "text", "1"));
  const entry = fc.dictionary(
    fc.constantFrom(
      "id",
      "status",
      "type",
      "from",
      "timestamp",
      "errors",
      "text",
      "image",
      "context",
      "system",
    ),
    field,
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 4 }),
      fc.array(entry, { maxLength: 4 }),
      async (statuses, messages) => {
        const body = bytesOf(callback("1", { statuses, messages }));
        const content = await readCallback(parseCallback(body), new Date());
        const [change] = content.changes;
        expect(change?.phoneNumberId).toBe("1");
        expect((change?.statuses.length ?? 0) <= statuses.length).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});
