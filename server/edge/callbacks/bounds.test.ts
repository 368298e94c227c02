import { expect, test } from "vitest";
import { limitMs } from "@/e2e/support/machine-speed";
import { parseCallback, storable } from "@/server/adapters/whatsapp/parse";
import { readCallback } from "@/server/adapters/whatsapp/shapes";
import { bytesOf, callback, inbound, status } from "@/server/domain/callbacks/testing";

const BODY_BYTES_MAX = 4 * 1024 * 1024;
const LIST_MAX = 5_000;

const inNumber = (members: string) =>
  `{"entry":[{"id":"1","changes":[{"field":"messages","value":{"metadata":{"phone_number_id":"1"},${members}}}]}]}`;

/** Repeats the item until the body is full. */
const full = (item: string) =>
  `[${Array(Math.floor((BODY_BYTES_MAX - 1_000) / (item.length + 1)))
    .fill(item)
    .join(",")}]`;

const message = (members: string) => inNumber(`"messages":[{"id":"w","from":"4915100000001",${members}}]`);

/** Each took seconds and blocked all other requests when every entry was read. */
const HOSTILE = {
  entries: () => `{"entry":${full("0")}}`,
  "entries without changes": () => `{"entry":${full('{"changes":[]}')}}`,
  changes: () => `{"entry":[{"changes":${full("0")}}]}`,
  "changes of no status": () =>
    `{"entry":[{"changes":${full('{"field":"messages","value":{"metadata":{"phone_number_id":"1"}}}')}}]}`,
  statuses: () => inNumber(`"statuses":${full("0")}`),
  "statuses that are empty": () => inNumber(`"statuses":${full("{}")}`),
  "statuses with errors": () => inNumber(`"statuses":${full('{"id":"w","status":"failed","errors":[0]}')}`),
  "errors of a status": () => inNumber(`"statuses":[{"id":"w","status":"failed","errors":${full("0")}}]`),
  contacts: () => inNumber(`"contacts":${full("0")}`),
  "contacts that have a number": () => inNumber(`"contacts":${full('{"wa_id":"4915100000001"}')}`),
  messages: () => inNumber(`"messages":${full("0")}`),
  preferences: () => inNumber(`"user_preferences":${full("0")}`),
  calls: () => inNumber(`"calls":${full("0")}`),
  "contact cards": () => message(`"type":"contacts","contacts":${full("{}")}`),
  "phones of a card": () => message(`"type":"contacts","contacts":[{"phones":${full("0")}}]`),
  "items of an order": () => message(`"type":"order","order":{"product_items":${full("0")}}`),
  "names of members": () =>
    message(
      `"type":"x","x":{${Array.from({ length: 300_000 }, (_, index) => `"${index.toString(36)}":0`).join(",")}}`,
    ),
  "values of an unknown type": () => message(`"type":"x","x":${full('{"a":0}')}`),
} as const satisfies Record<string, () => string>;

const CPU_MS_MAX = limitMs(2_000);

test.each(Object.entries(HOSTILE))("a body full of %s costs little", async (_, body) => {
  const bytes = Buffer.from(body());
  expect(bytes.length).toBeLessThanOrEqual(BODY_BYTES_MAX);
  const before = process.cpuUsage();
  await readCallback(parseCallback(bytes), new Date());
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(CPU_MS_MAX);
});

test("what is valid among the first thousand is read, whatever stands beside and behind it", async () => {
  const valid = JSON.stringify(status("read", "wamid.valid"));
  const mixed = Array.from({ length: 1_000 }, (_, index) => (index % 2 === 0 ? valid : "{}")).join(",");
  const text = JSON.stringify(inbound("4915100000001", "wamid.text"));
  const bad = `[${mixed},${Array(1_000_000).fill("0").join(",")}]`;
  const body = inNumber(`"statuses":${bad},${text.slice(1, -1)}`);
  const { changes, unknown } = await readCallback(parseCallback(Buffer.from(body)), new Date());
  expect(changes[0]?.statuses).toHaveLength(500);
  expect(changes[0]?.messages).toHaveLength(1);
  expect(unknown).toEqual([`statuses beyond the first ${LIST_MAX}`, "a status"]);
});

test("lists of one name count together, over all changes", async () => {
  const statuses = Array.from({ length: 3_000 }, () => status("read", "wamid.many"));
  const body = bytesOf(callback("1", { statuses }, { statuses }, { statuses }));
  const { changes, unknown } = await readCallback(parseCallback(body), new Date());
  expect(changes.map((change) => change.statuses.length)).toEqual([3_000, 2_000, 0]);
  expect(unknown).toEqual([`statuses beyond the first ${LIST_MAX}`]);
});

test("within one message only so many items and values are looked at", async () => {
  const contacts = Array.from({ length: 600 }, () => ({ birthday: "2000-01-01" }));
  const one = { from: "4915100000001", type: "contacts", contacts };
  const body = bytesOf(callback("1", { messages: [{ id: "wamid.cards", ...one }] }));
  const { changes } = await readCallback(parseCallback(body), new Date());
  expect(changes[0]?.messages[0]?.content.contacts).toHaveLength(500);
  expect(storable({ a: Array(20_000).fill(0), b: 1 })).toEqual({ a: Array(9_998).fill(0) });
});

test("a body of more parts than can be parsed in one go isn't read; parts that stand in a text are none", async () => {
  const read = async (body: string) =>
    (await readCallback(parseCallback(Buffer.from(body)), new Date())).changes;
  const text = JSON.stringify(inbound("4915100000001", "wamid.text")).slice(1, -1);
  expect(await read(inNumber(`${text},"more":${full("{}")}`))).toEqual([]);
  const written = JSON.stringify({ more: '{[:"\\'.repeat(100_000) }).slice(1, -1);
  expect((await read(inNumber(`${written},${text}`)))[0]?.messages).toHaveLength(1);
});

test("others are served while a large body is read", async () => {
  const messages = Array.from({ length: LIST_MAX }, (_, index) => ({
    id: `wamid.${index}`,
    from: "4915100000001",
    type: "text",
    text: { body: "Hello" },
  }));
  const json = parseCallback(bytesOf(callback("1", { messages })));
  let isRead = false;
  let turns = 0;
  const serve = () => {
    turns += 1;
    if (!isRead) setImmediate(serve);
  };
  setImmediate(serve);
  await readCallback(json, new Date());
  isRead = true;
  expect(turns).toBeGreaterThan(1);
});
