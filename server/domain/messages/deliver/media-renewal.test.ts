import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { registerWithSimulator } from "@/server/ops/demo/register";
import { createUpload } from "@/server/domain/uploads/create";
import { fileOf, SAMPLES } from "@/server/domain/uploads/testing";
import { startSimulator, type Simulator } from "@/server/simulator/start";
import { applyStatuses } from "../status/apply-statuses";
import { drainChannel } from "./drain";
import { sendMessage } from "../send/send";
import {
  messageRow,
  openConversation,
  openSendWorld,
  outcomesOf,
  type SendWorld,
  timelineOf,
} from "../testing";
import { servicesWith } from "@/server/core/testing";

let world: SendWorld;
let simulator: Simulator;
let directory: string;
let threadId: string;
let storageKey: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "waypost-renewal-"));
  simulator = await startSimulator({ directory, port: 0, log: pino({ level: "silent" }) });
  const opened = await openSendWorld({ database: "own" });
  world = { ...opened, services: servicesWith(opened.services, { urls: { upstream: () => simulator.url } }) };
  // Its callbacks go nowhere: only the responses to the calls matter here.
  await registerWithSimulator({
    services: world.services,
    simulatorUrl: simulator.url,
    baseUrl: "http://127.0.0.1:1",
  });
  ({ threadId } = await openConversation(world.ctx, world.channelId));
  ({ storage_key: storageKey } = await createUpload({
    ctx: world.ctx,
    input: { file: fileOf(SAMPLES.png) },
  }));
});
afterAll(async () => {
  await simulator.stop();
  await world.close();
  await rm(directory, { recursive: true });
});

let sends = 0;

async function accept(): Promise<string> {
  const input = {
    client_message_id: `renewal-${(sends += 1)}`,
    type: "image" as const,
    thread_id: threadId,
    media: { storage_key: storageKey },
  };
  return (await sendMessage({ ctx: world.ctx, input })).message_id;
}

/** Hands over due messages, and retries immediately. */
async function drain(): Promise<void> {
  await world.sql`update messages set next_attempt_at = now() where state = 'queued'`;
  await drainChannel(world.services, world.channelId);
  await world.services.concurrency.sends.idle();
}

async function sent(): Promise<string> {
  const id = await accept();
  await drain();
  expect(await messageRow(world, id)).toMatchObject({ state: "sent" });
  return id;
}

async function mediaId(): Promise<string | null> {
  const [row] = await world.sql<{ mediaId: string }[]>`select media_id as "mediaId" from upload_media`;
  return row?.mediaId ?? null;
}

/** The state after 30 days, or when another program on the same number removes it. */
async function forgetUpstream(): Promise<string> {
  const id = await mediaId();
  const { status } = await fetch(`${simulator.url}/simulator/media/${id}`, { method: "DELETE" });
  expect(status).toBe(200);
  return id ?? "";
}

/** Sets the error of every send of the number; null for success. */
async function failSends(error: string | null): Promise<void> {
  const [number] = await world.sql<{ id: string }[]>`
    select phone_number_id as id from channels where id = ${world.channelId}`;
  const { status } = await fetch(`${simulator.url}/simulator/numbers/${number?.id}/failure`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ error }),
  });
  expect(status).toBe(200);
}

describe("an uploaded file whose id the upstream no longer knows", () => {
  test("is handed up again, once, and the message is sent with its new id", async () => {
    await sent();
    const lost = await forgetUpstream();
    const id = await accept();
    await drain();
    expect(await messageRow(world, id)).toMatchObject({ state: "queued", errorCode: null, attempts: 1 });
    expect(await outcomesOf(world, id)).toEqual(["rejected"]);
    await drain();
    expect(await messageRow(world, id)).toMatchObject({ state: "sent" });
    expect(await outcomesOf(world, id)).toEqual(["rejected", "accepted"]);
    const kinds = (await timelineOf(world, id)).map((event) => event.kind);
    expect(kinds.toSorted()).toEqual(["retry", "sent"]);
    expect(await mediaId()).not.toBe(lost);
  });

  test("fails the message when the upstream refuses it with a new id too", async () => {
    await sent();
    const before = await mediaId();
    await failSends("media_upload_failed");
    const id = await accept();
    await drain();
    expect(await messageRow(world, id)).toMatchObject({ state: "queued" });
    await drain();
    expect(await messageRow(world, id)).toMatchObject({ state: "failed", errorCode: "invalid_media" });
    expect(await outcomesOf(world, id)).toEqual(["rejected", "rejected"]);
    expect(await mediaId()).not.toBe(before);
    await failSends(null);
  });

  test("is handed up anew for the next message also when the refusal comes as a failed status", async () => {
    await sent();
    const before = await mediaId();
    const id = await sent();
    expect(await mediaId()).toBe(before);
    const report = {
      upstreamId: `wamid.of.${id}`,
      messageId: id,
      kind: "failed" as const,
      upstreamAt: null,
      recipient: null,
      errorCode: "invalid_media" as const,
      detail: { upstreamCode: 131053 },
    };
    await applyStatuses({ ctx: world.ctx, input: { channelId: world.channelId, reports: [report] } });
    expect(await messageRow(world, id)).toMatchObject({ state: "failed", errorCode: "invalid_media" });
    expect(await mediaId()).toBeNull();
    await sent();
    expect(await mediaId()).not.toBe(before);
  });
});
