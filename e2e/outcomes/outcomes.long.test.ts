import { randomInt, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createPool, type Sql } from "@/db/client";
import { readRunFile } from "@/db/embedded";
import { createKey, type Demo, demo } from "@/e2e/support/cli";
import { httpCall } from "@/e2e/support/http-call";
import { customerWrites, readLedger } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { startWaypost, type Waypost } from "@/e2e/support/waypost";
import { type ExpectedRow, expectedRows } from "./expected";

/** A minute, so that messages without any report end within this test. */
const UNCONFIRMED_AFTER_SECONDS = 60;
const WINDOW_MS_MAX = 90_000;
/** The longest row: three pair limits, 4 + 16 + 64 seconds; and a doubt's minute, rounded up to whole ones. */
const SETTLED_MS_MAX = 240_000;
const PAUSING_CHANNELS = 4;
/** Few enough that polling for open windows doesn't keep the server from opening them. */
const SENDERS = 16;
const LIMIT_MAX = 1_000_000;
const SOON = { intervalMs: 100 } as const;

let server: Waypost;
let sql: Sql;

beforeAll(async () => {
  const env = { LOG_LEVEL: "error", WAYPOST_UNCONFIRMED_AFTER_SECONDS: String(UNCONFIRMED_AFTER_SECONDS) };
  server = await startWaypost({ env });
  const run = await readRunFile(server.dataDir);
  if (run === null) throw new Error("The server wrote no run.json");
  sql = createPool(run.postgres, { name: "outcomes-test", connectionsMax: 2 });
});

afterAll(async () => {
  await sql?.end({ timeout: 1 });
  await server?.stop();
});

interface Sender {
  readonly secret: string;
  readonly channelId: string;
  readonly phoneNumberId: string;
}

async function senderOf(organization: Demo, channel: "default" | "second"): Promise<Sender> {
  const limits = { sendLimit: LIMIT_MAX, readLimit: LIMIT_MAX };
  const { secret } = await createKey(server, organization.organization_id, limits);
  return {
    secret,
    channelId: organization.channels[channel],
    phoneNumberId: organization.phone_number_ids[channel],
  };
}

const block = randomInt(100, 999);
const handleOf = ({ suffix }: ExpectedRow) => `4915${block}${suffix}`;

async function call(sender: Sender, method: "GET" | "POST", path: string, body?: unknown) {
  const answer = await httpCall({
    method,
    url: `${server.baseUrl}/api/public/v1${path}`,
    headers: { Authorization: `Bearer ${sender.secret}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
  });
  return { status: answer.status, json: JSON.parse(answer.text) as unknown };
}

/** The customer writes, and gets a text as soon as the window is open. @returns the message's id. */
async function sendTo(sender: Sender, row: ExpectedRow): Promise<string> {
  const { channelId, phoneNumberId } = sender;
  const handle = handleOf(row);
  await customerWrites(server.simulatorUrl, { phoneNumberId, from: handle, body: "Hello" });
  const message = {
    client_message_id: randomUUID(),
    type: "text",
    channel_id: channelId,
    to: { kind: "whatsapp", handle },
    text: { body: row.name },
  };
  return until(
    `a text to ${row.name} is accepted`,
    async () => {
      const { status, json } = await call(sender, "POST", "/messages", message);
      if (status === 422) return null;
      const accepted = z.object({ message_id: z.guid() }).safeParse(json);
      if (!accepted.success) throw new Error(`A text to ${row.name} was answered ${status}`);
      return accepted.data.message_id;
    },
    { timeoutMs: WINDOW_MS_MAX, intervalMs: 100 },
  );
}

const messageSchema = z.object({
  delivery_state: z.string(),
  error: z.object({ code: z.string(), resend: z.string() }).nullable(),
});

/** Returns the integrator's view of the message, and the number of calls to the simulator. */
async function seen(sender: Sender, messageId: string) {
  const { json } = await call(sender, "GET", `/messages/${messageId}`);
  const { delivery_state: state, error } = messageSchema.parse(json);
  return { state, code: error?.code ?? null, resend: error?.resend ?? null };
}

async function callsOf(messageIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map(messageIds.map((id) => [id, 0]));
  for (const { biz_opaque_callback_data: id } of (await readLedger(server.simulatorUrl)).calls) {
    if (id !== null && counts.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

interface Sent {
  readonly row: ExpectedRow;
  readonly id: string;
}

function wanted({ state, code, resend }: ExpectedRow) {
  return { state, code, resend };
}

test("every outcome of the upstream ends in the expected state, code, verdict and number of calls", async () => {
  const rows = expectedRows().filter((row) => row.pause === null);
  const sender = await senderOf(await demo(server), "default");
  const queue = [...rows];
  const sent: Sent[] = [];
  const work = async () => {
    for (let row = queue.shift(); row !== undefined; row = queue.shift())
      sent.push({ row, id: await sendTo(sender, row) });
  };
  await Promise.all(Array.from({ length: SENDERS }, work));
  const wrongOf = async (messages: readonly Sent[]) => {
    const seenNow = await Promise.all(
      messages.map(async (one) => ({ ...one, now: await seen(sender, one.id) })),
    );
    return seenNow.filter(({ row, now }) => JSON.stringify(now) !== JSON.stringify(wanted(row)));
  };
  const enough = async () => {
    const calls = await callsOf(sent.map(({ id }) => id));
    return sent.every(({ row, id }) => (calls.get(id) ?? 0) >= least(row));
  };
  // Correct ones are checked again only at the end: most are correct within a second.
  let left: readonly Sent[] = sent;
  const haveEnded = async () => (left = await wrongOf(left)).length === 0 && (await enough());
  await until("all have ended", haveEnded, { timeoutMs: SETTLED_MS_MAX, intervalMs: 2_500 }).catch(
    () => undefined,
  );
  expect((await wrongOf(sent)).map(({ row, now }) => ({ name: row.name, wanted: wanted(row), now }))).toEqual(
    [],
  );
  const calls = await callsOf(sent.map(({ id }) => id));
  const miscounted = sent.filter(({ row, id }) =>
    typeof row.calls === "number" ? calls.get(id) !== row.calls : (calls.get(id) ?? 0) < least(row),
  );
  expect(
    miscounted.map(({ row, id }) => ({ name: row.name, wanted: row.calls, calls: calls.get(id) })),
  ).toEqual([]);
});

function least({ calls }: ExpectedRow): number {
  return typeof calls === "number" ? calls : calls.atLeast;
}

test("every outcome that is the channel's fault pauses the channel for its reason, and costs one call", async () => {
  const rows = expectedRows().filter((row) => row.pause !== null);
  const queue = [...rows];
  const ended: unknown[] = [];
  async function work(sender: Sender): Promise<void> {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      const id = await sendTo(sender, row);
      await until(`${row.name} pauses the channel`, async () => (await pauseOf(sender)) !== null, SOON);
      await until(`${row.name} has ended`, async () => (await seen(sender, id)).state === row.state, SOON);
      const calls = (await callsOf([id])).get(id);
      ended.push({ name: row.name, ...(await seen(sender, id)), calls, pause: await pauseOf(sender) });
      await clear(sender, id);
    }
  }
  const organizations = await Promise.all(Array.from({ length: PAUSING_CHANNELS }, () => demo(server)));
  const senders = await Promise.all(organizations.map((organization) => senderOf(organization, "second")));
  await Promise.all(senders.map(work));
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
  const expected = rows.map((row) => ({
    name: row.name,
    ...wanted(row),
    calls: row.calls,
    pause: row.pause,
  }));
  expect((ended as typeof expected).sort(byName)).toEqual(expected.sort(byName));
});

const channelsSchema = z.object({
  data: z.array(z.object({ id: z.guid(), state: z.string(), pause_reason: z.string().nullable() })),
});

async function pauseOf(sender: Sender): Promise<string | null> {
  const { json } = await call(sender, "GET", "/channels");
  const channel = channelsSchema.parse(json).data.find(({ id }) => id === sender.channelId);
  return channel?.state === "paused" ? channel.pause_reason : null;
}

/** Prepares the channel for the next row: waiting messages would pause it again immediately. */
async function clear(sender: Sender, messageId: string): Promise<void> {
  await sql`update messages set state = 'failed', error_code = 'expired', failed_at = now()
    where id = ${messageId} and state = 'queued'`;
  await sql`update channels set paused_at = null, pause_reason = null, pause_detail = null, next_probe_at = null
    where id = ${sender.channelId}`;
}
