import { createHash, randomBytes, randomInt } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createKey, demo } from "@/e2e/support/cli";
import { httpCall } from "@/e2e/support/http-call";
import { until } from "@/e2e/support/until";
import { SAMPLES } from "@/server/domain/uploads/testing";
import { whileAway } from "./fate";
import { openProcesses, type Processes } from "./world";

const MESSAGES = 80;
const CUSTOMERS = 8;
/** Killed when that many messages are stored, and so many files fetched that others are on their way. */
const STORED_BEFORE = 30;
const FETCHED_BEFORE = 5;
/** With the bytes of a small image at its beginning. Large enough that fetching it takes several reads. */
const FILE_BYTES = 300_000;

let processes: Processes;

beforeAll(async () => void (processes = await openProcesses({ ownSimulator: true })));
afterAll(() => processes?.close());

const inboundAnswer = z.object({ wamid: z.string() });

/** A customer sends an image. @returns WhatsApp's id of the message, and the file's SHA-256. */
async function sendImage(simulatorUrl: string, phoneNumberId: string) {
  const file = Buffer.concat([SAMPLES.png, randomBytes(FILE_BYTES - SAMPLES.png.length)]);
  const from = `4915${randomInt(10 ** 5, 10 ** 6)}00000`;
  const { text } = await httpCall({
    method: "POST",
    url: `${simulatorUrl}/simulator/inbound`,
    headers: { "Content-Type": "application/json" },
    body: Buffer.from(
      JSON.stringify({
        phone_number_id: phoneNumberId,
        from,
        type: "image",
        image: { mime_type: "image/png" },
        file: file.toString("base64"),
      }),
    ),
  });
  return { wamid: inboundAnswer.parse(JSON.parse(text)).wamid, sha256: sha256(file) };
}

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

interface Counts {
  readonly messages: number;
  readonly fetched: number;
}

async function counts(): Promise<Counts> {
  const rows = await processes.sql<Counts[]>`
    select (select count(*)::int from messages where kind = 'inbound' and type = 'image') as messages,
      (select count(*)::int from customer_files where state = 'stored') as fetched`.catch(whileAway);
  return rows?.[0] ?? { messages: 0, fetched: 0 };
}

test("a server that is killed while customers send files loses no message, and has every file once and whole", async () => {
  const { simulator, sql, dataDir } = processes;
  if (simulator === null) throw new Error("The simulator has no process of its own");
  const { organization_id, phone_number_ids } = await demo(processes.server());
  const { secret } = await createKey(processes.server(), organization_id, { scopes: ["messages:read"] });
  const sent = new Map<string, string>();
  const left = Array.from({ length: MESSAGES }).values();
  async function customer(): Promise<void> {
    for (const _ of left) {
      const { wamid, sha256: hash } = await sendImage(simulator?.url ?? "", phone_number_ids.default);
      sent.set(wamid, hash);
    }
  }
  const sending = Promise.all(Array.from({ length: CUSTOMERS }, customer));
  await until("messages are stored, and files are on their way", async () => {
    const { messages, fetched } = await counts();
    return messages >= STORED_BEFORE && fetched >= FETCHED_BEFORE;
  });
  await processes.server().kill9();
  const killedAt = new Date();
  const { fetched } = await counts();
  await processes.restart();
  await sending;
  // Files that the killed process was fetching would be fetched again after twelve minutes.
  await sql`
    update customer_files set next_attempt_at = now(), claim_token = null
    where state = 'pending' and claim_token is not null
      and next_attempt_at < ${killedAt}::timestamptz + interval '12 minutes'`;
  await until("every message is stored, and every file fetched", async () => {
    const now = await counts();
    return now.messages === MESSAGES && now.fetched === MESSAGES;
  });
  expect(fetched).toBeLessThan(MESSAGES);

  const rows = await sql<{ id: string; fileId: string; upstreamId: string; sha256: string }[]>`
    select m.id, f.id as "fileId", m.upstream_id as "upstreamId", f.sha256 from messages m
    join customer_files f on f.message_id = m.id and f.organization_id = m.organization_id
    where m.kind = 'inbound' and m.type = 'image'`;
  expect(new Map(rows.map(({ upstreamId, sha256: hash }) => [upstreamId, hash]))).toEqual(sent);
  for (const { id, upstreamId } of rows) {
    const url = `${processes.server().baseUrl}/api/public/v1/messages/${id}/media`;
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${secret}` } });
    const hash = sha256(Buffer.from(await answer.arrayBuffer()));
    expect({ status: answer.status, hash }).toEqual({ status: 200, hash: sent.get(upstreamId) });
  }
  const kept = await readdir(join(dataDir, "uploads", "customers"));
  expect(kept.toSorted()).toEqual(rows.map(({ fileId }) => fileId).toSorted());
});
