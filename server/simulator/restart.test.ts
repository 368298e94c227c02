import { appendFile, mkdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CallRecord } from "./records";
import { startSimulator } from "./start";
import { eventually } from "../../e2e/support/eventually";
import {
  call,
  ledgerOf,
  numberFor,
  owedTotal,
  phoneNumberId,
  putNumbers,
  send,
  silentLog,
  startForTest,
  startReceiver,
  startWithReceiver,
  temporaryDirectory,
  textMessage,
} from "./testing";

const to = "4915112345678";

test("delivers after a restart what it owed before, once each, and keeps numbers and ledger", async () => {
  const directory = await temporaryDirectory();
  const receiver = await startReceiver();
  receiver.answer = (response) => response.destroy();
  const first = await startForTest(directory);
  await putNumbers(first, [numberFor(receiver.url)]);
  await send(first, textMessage(to, "message-1"));
  await call(first, "POST", "/simulator/inbound", {
    phone_number_id: phoneNumberId,
    from: to,
    text: { body: "hi" },
  });
  const before = await ledgerOf(first);
  await first.stop();

  receiver.posts.length = 0;
  receiver.answer = (response) => response.end();
  const second = await startForTest(directory);
  await eventually(async () => expect(await owedTotal(second)).toBe(0));
  expect(receiver.statuses().map(({ status }) => status)).toEqual(["sent", "delivered", "read"]);
  expect(
    receiver.posts.flatMap(({ values }) => values.flatMap(({ messages }) => messages ?? [])),
  ).toHaveLength(1);
  expect(await ledgerOf(second)).toEqual(before);
  await second.stop();

  const posts = receiver.posts.length;
  const third = await startForTest(directory);
  expect(await owedTotal(third)).toBe(0);
  expect(receiver.posts).toHaveLength(posts);
});

test("counts of first-call refusals survive a restart", async () => {
  const { simulator, directory } = await startWithReceiver();
  const message = textMessage("4915112399050", "message-1");
  expect((await send(simulator, message)).status).toBe(400);
  await simulator.stop();
  const again = await startForTest(directory);
  expect((await send(again, message)).status).toBe(400);
  expect((await send(again, message)).status).toBe(200);
});

test("a torn last line is left out and the next line starts whole", async () => {
  const { simulator, directory } = await startWithReceiver();
  await send(simulator, textMessage(to, "whole"));
  await simulator.stop();
  await appendFile(join(directory, "ledger.jsonl"), '{"kind":"call","at":"2026-');

  const again = await startForTest(directory);
  await send(again, textMessage(to, "after"));
  const { messages } = await ledgerOf(again);
  expect(messages.map((message) => message.biz_opaque_callback_data)).toEqual(["whole", "after"]);
});

test.each([
  { what: "is torn", damage: (path: string) => writeFile(path, '{"bytes":') },
  {
    what: "is ahead of the ledger",
    damage: (path: string) => truncate(path.replace("owed.json", "ledger.jsonl"), 0),
  },
])("a checkpoint that $what doesn't keep it from starting", async ({ damage }) => {
  const { simulator, directory } = await startWithReceiver();
  await send(simulator, textMessage("4915112399041"));
  await simulator.stop();
  await damage(join(directory, "owed.json"));
  const again = await startForTest(directory);
  expect((await send(again, textMessage(to))).status).toBe(200);
});

test("a ledger without its checkpoint still tells what is owed", async () => {
  const directory = await temporaryDirectory();
  const simulator = await startForTest(directory);
  await putNumbers(simulator, [numberFor("http://127.0.0.1:1/")]);
  await send(simulator, textMessage(to));
  await simulator.stop();
  await writeFile(join(directory, "owed.json"), "");
  const again = await startForTest(directory);
  expect(await owedTotal(again)).toBe(3);
});

function oldCall(serial: number, acceptedAtMs: number): CallRecord {
  return {
    kind: "call",
    at: new Date(acceptedAtMs).toISOString(),
    biz_opaque_callback_data: `message-${serial}`,
    phone_number_id: phoneNumberId,
    to,
    status: 200,
    code: null,
    wamid: `wamid.${serial}`,
    outcome: "stays_sent",
    accepted: {
      serial,
      type: "text",
      body: "hello\u2028world",
      recipient: to,
      accepted_at_ms: acceptedAtMs,
      statuses: [{ status: "sent", afterMs: 30 }],
    },
  };
}

test("gives a callback up after seven days, for good", async () => {
  const directory = await temporaryDirectory();
  const dayMs = 24 * 60 * 60 * 1000;
  const lines = [oldCall(1, Date.now() - 8 * dayMs), oldCall(2, Date.now() - 6 * dayMs)];
  await writeFile(join(directory, "ledger.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const receiver = await startReceiver();
  const simulator = await startForTest(directory);
  expect(await owedTotal(simulator)).toBe(2);
  await putNumbers(simulator, [numberFor(receiver.url)]);
  await eventually(async () => expect(await owedTotal(simulator)).toBe(0));
  expect(receiver.statuses().map(({ id }) => id)).toEqual(["wamid.2"]);
  await simulator.stop();
  expect(await readFile(join(directory, "ledger.jsonl"), "utf8")).toContain('"kind":"abandoned"');
});

test("reads a ledger of 100,000 calls", async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, "ledger.jsonl");
  const now = Date.now();
  const calls = Array.from({ length: 100_000 }, (_, index) => oldCall(index + 1, now));
  const settled = {
    kind: "delivered",
    at: "",
    callbacks: calls.map(({ accepted }) => `${accepted?.serial}.0`),
  };
  await writeFile(
    path,
    `${calls.map((record) => JSON.stringify(record)).join("\n")}\n${JSON.stringify(settled)}\n`,
  );
  const simulator = await startForTest(directory);
  const { messages, calls: listed } = await ledgerOf(simulator);
  expect([messages.length, listed.length]).toEqual([100_000, 100_000]);
  expect(messages.at(-1)).toMatchObject({ wamid: "wamid.100000", body: "hello\u2028world" });
  expect(await owedTotal(simulator)).toBe(0);
  expect((await stat(join(directory, "owed.json"))).size).toBeLessThan(1000);
});

test("a second simulator on one directory is refused, and the first goes on", async () => {
  const { simulator, directory } = await startWithReceiver();
  await expect(startSimulator({ directory, port: 0, log: silentLog })).rejects.toThrow(
    /another simulator is using/,
  );
  expect((await send(simulator, textMessage(to))).status).toBe(200);
});

test("numbers that can't be read are named without quoting them", async () => {
  const directory = join(await temporaryDirectory(), "simulator");
  await mkdir(directory);
  await writeFile(join(directory, "numbers.json"), 'token-of-the-test"');
  const starting = startSimulator({ directory, port: 0, log: silentLog });
  await expect(starting).rejects.toThrow(/^numbers\.json is not valid JSON$/);
});

test("makes its directory private and the data directory above it passable", async () => {
  const dataDirectory = join(await temporaryDirectory(), "data");
  await startForTest(join(dataDirectory, "simulator"));
  expect((await stat(dataDirectory)).mode & 0o011).toBe(0o011);
  expect((await stat(join(dataDirectory, "simulator"))).mode & 0o777).toBe(0o700);
});
