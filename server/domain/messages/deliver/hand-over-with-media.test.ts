import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { until } from "@/e2e/support/until";
import type { Services } from "@/server/core/context";
import { servicesWith } from "@/server/core/testing";
import { accepting, givingId, type UploadBehaviour } from "@/server/adapters/whatsapp/testing";
import { drainChannel } from "./drain";
import { RENEW_EVERY_MS } from "./hand-over-with-media";
import {
  messageRow,
  openConversation,
  openSendWorld,
  outcomesOf,
  queueImage,
  type SendWorld,
} from "../testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());
afterEach(async () => {
  vi.useRealTimers();
  world.upstream.takeUploads(givingId);
  world.upstream.behave(accepting);
  await world.sql`update messages set state = 'failed' where state = 'queued'`;
  await world.sql`update channels set paused_at = null, pause_reason = null, next_probe_at = null`;
});

async function queueOne(): Promise<string> {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  return queueImage(world.ctx, threadId);
}

const callsFor = (id: string) => world.upstream.calls.filter((call) => call.messageId === id).length;

/** Returns for how many seconds the message is still claimed. */
async function claimSeconds(id: string): Promise<number> {
  const [row] = await world.sql<{ seconds: number }[]>`
    select extract(epoch from claimed_until - now())::float8 as seconds from messages where id = ${id}`;
  return row?.seconds ?? 0;
}

/** Drains until the file has arrived at the upstream, which responds on demand. */
async function drainUntilUploaded(services: Services = world.services) {
  let res: Parameters<UploadBehaviour>[0] | null = null;
  world.upstream.takeUploads((held) => void (res = held));
  const draining = drainChannel(services, world.channelId);
  await until("the file has arrived", () => res !== null);
  return {
    answer: () => res && givingId(res),
    isBrokenOff: () => res?.destroyed === true,
    ended: async () => {
      await draining;
      await services.concurrency.sends.idle();
    },
  };
}

describe("a message with a file", () => {
  test("keeps its claim for as long as its upload takes, and is then sent", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const id = await queueOne();
    const upload = await drainUntilUploaded();
    // Simulates four times the interval between two renewals.
    for (const [round] of Array.from({ length: 4 }).entries()) {
      await world.sql`update messages set claimed_until = now() + interval '2 seconds' where id = ${id}`;
      vi.advanceTimersByTime(RENEW_EVERY_MS);
      await until(`the claim is renewed, ${round}`, async () => (await claimSeconds(id)) > 30);
    }
    upload.answer();
    await upload.ended();
    expect(await messageRow(world, id)).toMatchObject({ state: "sent" });
    expect(callsFor(id)).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is another process's within a minute when its own died, and never longer", async () => {
    const id = await queueOne();
    const upload = await drainUntilUploaded();
    expect(await claimSeconds(id)).toBeLessThanOrEqual(60);
    expect(await claimSeconds(id)).toBeGreaterThan(3 * (RENEW_EVERY_MS / 1000));
    upload.answer();
    await upload.ended();
  });

  test("is left to whoever claimed it since: neither renewed nor called for", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const id = await queueOne();
    const upload = await drainUntilUploaded();
    await world.sql`
      update messages set claim_token = gen_random_uuid(), claimed_until = now() + interval '2 seconds' where id = ${id}`;
    vi.advanceTimersByTime(RENEW_EVERY_MS);
    upload.answer();
    await upload.ended();
    expect(await claimSeconds(id)).toBeLessThanOrEqual(2);
    expect(callsFor(id)).toBe(0);
  });

  test("is free at once when its channel was paused during the upload", async () => {
    const id = await queueOne();
    const upload = await drainUntilUploaded();
    await world.sql`update channels set paused_at = now(), pause_reason = 'test' where id = ${world.channelId}`;
    upload.answer();
    await upload.ended();
    expect(await messageRow(world, id)).toMatchObject({ state: "queued", isClaimed: false, attempts: 0 });
    expect(callsFor(id)).toBe(0);
  });

  test("fails at once when its window closed during the upload", async () => {
    const id = await queueOne();
    const upload = await drainUntilUploaded();
    await world.sql`update conversations set last_inbound_at = now() - interval '25 hours'`;
    upload.answer();
    await upload.ended();
    expect(await messageRow(world, id)).toMatchObject({ errorCode: "outside_customer_window" });
    expect(callsFor(id)).toBe(0);
  });

  test("is free when the process stops: its upload is broken off, and not counted as a try", async () => {
    const id = await queueOne();
    const stopping = new AbortController();
    const lifecycle = { stopSignal: stopping.signal, isStopping: () => stopping.signal.aborted };
    const upload = await drainUntilUploaded(servicesWith(world.services, { lifecycle }));
    stopping.abort();
    await upload.ended();
    await until("the upload was broken off", upload.isBrokenOff);
    expect(await messageRow(world, id)).toMatchObject({ state: "queued", isClaimed: false, attempts: 0 });
    expect(callsFor(id)).toBe(0);
  });

  test("isn't sent by a process that stops, also when its file has arrived", async () => {
    const id = await queueOne();
    let isStopping = false;
    const upload = await drainUntilUploaded(
      servicesWith(world.services, { lifecycle: { isStopping: () => isStopping } }),
    );
    isStopping = true;
    upload.answer();
    await upload.ended();
    expect(await messageRow(world, id)).toMatchObject({ state: "queued", isClaimed: false });
    expect(await outcomesOf(world, id)).toEqual([]);
  });
});
