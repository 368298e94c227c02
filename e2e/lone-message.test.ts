import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sql } from "@/db/client";
import { startReceiver } from "@/server/domain/webhooks/testing";
import { type Api, openApi } from "./support/api";
import { type Demo, demo } from "./support/cli";
import { createDataDirectory, removeDataDirectory } from "./support/data-directory";
import { openDatabase, startCounting, statementCounts } from "./support/statement-counts";
import { until } from "./support/until";
import type { Waypost } from "./support/waypost";
import { addWebhookEndpoint } from "./support/webhooks";

/** Statements of one message that is sent alone, handed over, delivered and read, with three webhooks. */
const OPERATIONS: readonly { readonly name: string; readonly text: RegExp; readonly countMax: number }[] = [
  { name: "find the key", text: /"secretId", s\.hash/, countMax: 1 },
  {
    name: "read what sending needs",
    text: /^select case when m\.id is not null then json_build_object/,
    countMax: 1,
  },
  { name: "take a unit of the rate limit", text: /take_rate_units/, countMax: 1 },
  { name: "insert the message", text: /insert into messages /, countMax: 1 },
  { name: "claim messages and open their attempts", text: /insert into message_attempts/, countMax: 1 },
  { name: "settle attempts by an answer", text: /join found f on f\.id = r\.id/, countMax: 1 },
  { name: "join kept statuses", text: /from unmatched_statuses u/, countMax: 1 },
  { name: "find the callback's channel", text: /"verifyTokenHash"/, countMax: 3 },
  { name: "store a callback", text: /insert into upstream_callbacks/, countMax: 3 },
  { name: "mark callbacks processed", text: /update upstream_callbacks c set processed_at/, countMax: 3 },
  { name: "lock messages", text: /"pairLimitStreak"/, countMax: 4 },
  { name: "settle attempts by a status", text: /join found f on f\.message_id = r\.message_id/, countMax: 3 },
  { name: "save messages", text: /update messages m set state = r\.state/, countMax: 3 },
  { name: "append to the timeline", text: /insert into message_events/, countMax: 4 },
  { name: "trust the number", text: /update contact_identities i set refused_at/, countMax: 1 },
  { name: "store events", text: /insert into webhook_events/, countMax: 3 },
  { name: "claim deliveries", text: /insert into webhook_attempts/, countMax: 3 },
  { name: "end deliveries", text: /update webhook_attempts a set finished_at/, countMax: 3 },
];

/** Statements that a process which runs jobs makes four times a second in any case, and those of this test. */
const POLL = /^with recursive|"isBusy"/;

const LIVES = 3;

const inOneLine = (text: string) => text.replaceAll(/\s+/g, " ");

let dataDir: string;
let server: Waypost;
let sql: Sql;
let organization: Demo;
let api: Api;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  dataDir = await createDataDirectory();
  receiver = await startReceiver();
  server = await startCounting(dataDir, { env: { ALLOWED_PRIVATE_HOSTS: receiver.host } });
  sql = await openDatabase(server);
  organization = await demo(server);
  // The demo's own endpoint would receive the events too.
  await sql`update webhook_endpoints set deleted_at = now()`;
  await addWebhookEndpoint(server, organization.organization_id, receiver.url);
  api = await openApi(server.baseUrl);
});
afterAll(async () => {
  await sql.end();
  await server.stop();
  await receiver.close();
  await removeDataDirectory(dataDir);
});

/** Sends a message, and resolves when its last webhook was delivered and nothing is left to do. */
async function live(): Promise<void> {
  receiver.calls.length = 0;
  const { status } = await api.call({
    path: "/messages",
    key: organization.api_key.secret,
    json: {
      client_message_id: randomUUID(),
      type: "text",
      to: { kind: "whatsapp", handle: organization.contacts.open_window.handle },
      text: { body: "Alone" },
    },
  });
  expect(status).toBe(201);
  await until("three events have arrived", () => receiver.calls.length === 3);
  await until("all is stored", async () => {
    const [row] = await sql<{ isBusy: boolean }[]>`
      select exists (select from webhook_deliveries where is_pending)
        or exists (select from upstream_callbacks where processed_at is null) as "isBusy"`;
    return row?.isBusy === false;
  });
}

test("a message that is sent alone needs these statements and no others, from its request to its third webhook", async () => {
  await live();
  const lives: ReadonlyMap<string, number>[] = [];
  for (let life = 0; life < LIVES; life += 1) {
    const before = await statementCounts(sql);
    await live();
    const after = await statementCounts(sql);
    const ran = [...after].map(
      ([text, calls]) => [inOneLine(text), calls - (before.get(text) ?? 0)] as const,
    );
    lives.push(new Map(ran));
  }
  const texts = [...new Set(lives.flatMap((life) => [...life.keys()]))].filter((text) => !POLL.test(text));
  // Jobs that the clock starts are part of one life at most.
  const ran = texts.flatMap((text) => {
    const count = Math.min(...lives.map((life) => life.get(text) ?? 0));
    return count === 0 ? [] : [{ text, count }];
  });
  const isOf = ({ text }: { text: string }, operation: (typeof OPERATIONS)[number]) =>
    operation.text.test(text);
  const unknown = ran.filter((one) => !OPERATIONS.some((operation) => isOf(one, operation)));
  expect(unknown).toEqual([]);
  const counts = OPERATIONS.map((operation) => {
    const own = ran.filter((one) => isOf(one, operation));
    return { ...operation, count: own.reduce((sum, { count }) => sum + count, 0) };
  });
  expect(counts.filter(({ count, countMax }) => count > countMax || count === 0)).toEqual([]);
});
