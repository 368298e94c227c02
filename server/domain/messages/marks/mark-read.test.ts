import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { answerJson, graphError, marking, silent } from "@/server/adapters/whatsapp/testing";
import type { Context } from "@/server/core/context";
import { NO_JOBS } from "@/server/core/jobs";
import { connectTestChannel } from "@/server/domain/organizations/testing";
import { receiveText } from "../receive/receive";
import { newHandle, openSendWorld, queueText, type SendWorld } from "../testing";
import { notifyDueMarks } from "./due";
import { handOverMarks } from "./hand-over-marks";
import { markRead } from "./mark-read";

let world: SendWorld;
let channelId: string;
let from: string;
/** The channels whose marks were announced, in order, with their times. */
let notified: { channelId: string; at: Date | undefined }[];

beforeAll(async () => {
  const opened = await openSendWorld({ database: "own" });
  const jobs = {
    ...NO_JOBS,
    notifyMarks: (id: string, at?: Date) => void notified.push({ channelId: id, at }),
  };
  const services = { ...opened.services, jobs };
  world = { ...opened, services, ctx: { ...opened.ctx, services } };
});
beforeEach(async () => {
  notified = [];
  channelId = await connectTestChannel(world.ctx);
  from = newHandle();
  world.upstream.takeMarks(marking);
});
afterAll(() => world.close());

interface Written {
  readonly id: string;
  readonly upstreamId: string;
}

async function write(): Promise<Written> {
  const upstreamId = `wamid.${randomUUID()}`;
  const input = { channelId, from, profileName: null, upstreamId, body: "Hello", at: new Date() };
  const { messageId } = await receiveText({ ctx: world.ctx, input });
  return { id: messageId, upstreamId };
}

const mark = (id: string, typing?: boolean, ctx: Context = world.ctx) =>
  markRead({ ctx, input: { id, typing } });
const handOver = () => handOverMarks(world.services, channelId);

/** The marks of these messages that the upstream got, in order, with `+` for the typing indicator. */
const toldOf = (...messages: Written[]) =>
  world.upstream.marks.flatMap(({ upstreamId, isTyping }) => {
    const index = messages.findIndex((message) => message.upstreamId === upstreamId);
    return index < 0 ? [] : [`${index}${isTyping ? "+" : ""}`];
  });

async function stored() {
  const rows = await world.sql<
    { isPending: boolean; attempts: number; failure: string | null; waitMs: number }[]
  >`
    select is_pending as "isPending", attempts, failure,
      (extract(epoch from next_attempt_at - clock_timestamp()) * 1000)::float8 as "waitMs"
    from read_marks where channel_id = ${channelId}`;
  return [...rows];
}

const age = (seconds: number) => world.sql`
  update read_marks set requested_at = requested_at - make_interval(secs => ${seconds}::float8),
    typing_at = typing_at - make_interval(secs => ${seconds}::float8), next_attempt_at = clock_timestamp()
  where channel_id = ${channelId}`;

describe("a mark", () => {
  test("is stored, announced, and handed to WhatsApp once", async () => {
    const message = await write();
    const answer = await mark(message.id.toUpperCase());
    expect(answer).toMatchObject({ message_id: message.id, typing: false });
    expect(notified).toEqual([{ channelId, at: undefined }]);
    expect(toldOf(message)).toEqual([]);
    await handOver();
    await handOver();
    expect(toldOf(message)).toEqual(["0"]);
    expect(await stored()).toMatchObject([{ isPending: false, failure: null }]);
  });

  test("of a later message replaces an earlier one, and never goes back", async () => {
    const [first, second] = [await write(), await write()];
    await mark(first.id);
    await mark(second.id);
    await handOver();
    expect(toldOf(first, second)).toEqual(["1"]);
    notified = [];
    await mark(first.id);
    await mark(second.id);
    expect(notified).toEqual([]);
    await handOver();
    expect(toldOf(first, second)).toEqual(["1"]);
  });

  test("with typing tells both, again at each request, and for the last marked message", async () => {
    const [first, second] = [await write(), await write()];
    await mark(second.id, true);
    await handOver();
    await mark(first.id, true);
    await handOver();
    expect(toldOf(first, second)).toEqual(["1+", "1+"]);
  });

  test("stays at the last marked message after typing for an earlier one", async () => {
    const [first, second, third] = [await write(), await write(), await write()];
    await mark(third.id);
    await mark(first.id, true);
    await mark(second.id);
    await handOver();
    expect(toldOf(first, second, third)).toEqual(["2+"]);
  });

  test("is told without the typing indicator when that is of no use any more", async () => {
    const message = await write();
    await mark(message.id, true);
    await age(26);
    await handOver();
    expect(toldOf(message)).toEqual(["0"]);
  });

  test("that is requested while the call for an earlier one runs is told after it", async () => {
    const [first, second] = [await write(), await write()];
    await mark(first.id);
    let isMarked = false;
    world.upstream.takeMarks((res) => {
      if (isMarked) return marking(res);
      isMarked = true;
      void mark(second.id).then(() => marking(res));
    });
    await handOver();
    expect(toldOf(first, second)).toEqual(["0", "1"]);
    expect(await stored()).toMatchObject([{ isPending: false }]);
  });

  test("is told once, though two processes hand over at the same time", async () => {
    const message = await write();
    await mark(message.id);
    await Promise.all([handOver(), handOver(), handOver()]);
    expect(toldOf(message)).toEqual(["0"]);
  });

  test("doesn't wait for the messages of its conversation", async () => {
    const message = await write();
    const { thread_id: threadId } = await mark(message.id);
    const queued = await queueText(world.ctx, threadId);
    await handOver();
    expect(toldOf(message)).toEqual(["0"]);
    const [row] = await world.sql`select state from messages where id = ${queued}`;
    expect(row?.state).toBe("queued");
  });
});

describe("a mark that WhatsApp doesn't take", () => {
  test.each([
    ["an error of its own", (res: Parameters<typeof marking>[0]) => answerJson(res, 500, {})],
    ["too many calls", (res: Parameters<typeof marking>[0]) => graphError(130429, 400)(res, NO_CALL)],
    [
      "an answer that nobody understands",
      (res: Parameters<typeof marking>[0]) => answerJson(res, 200, { ok: 1 }),
    ],
    ["a broken connection", (res: Parameters<typeof marking>[0]) => res.socket?.resetAndDestroy()],
    ["an endless answer", endless],
  ])("because of %s is tried again later, with growing waits", async (_, behaviour) => {
    const message = await write();
    await mark(message.id);
    world.upstream.takeMarks(behaviour);
    await handOver();
    const [once] = await stored();
    expect(once).toMatchObject({ isPending: true, attempts: 1, failure: null });
    expect(once?.waitMs).toBeGreaterThan(0);
    expect(notified.at(-1)?.at?.getTime()).toBeGreaterThan(Date.now());
    await age(0);
    await handOver();
    const [twice] = await stored();
    expect(twice?.waitMs).toBeGreaterThan(1_000);
    world.upstream.takeMarks(marking);
    await age(0);
    await handOver();
    expect(toldOf(message)).toEqual(["0", "0", "0"]);
    expect(await stored()).toMatchObject([{ isPending: false, failure: null }]);
  });

  test("because it refuses it is given up, and can be requested again", async () => {
    const message = await write();
    await mark(message.id);
    world.upstream.takeMarks((res) => graphError(131009, 400)(res, NO_CALL));
    await handOver();
    expect(await stored()).toMatchObject([{ isPending: false, failure: "rejected" }]);
    world.upstream.takeMarks(marking);
    await mark(message.id);
    await handOver();
    expect(toldOf(message)).toEqual(["0", "0"]);
    expect(await stored()).toMatchObject([{ isPending: false, failure: null }]);
  });

  test("for a day is given up without a further call", async () => {
    const message = await write();
    await mark(message.id);
    await age(24 * 3_600 + 1);
    await handOver();
    expect(toldOf(message)).toEqual([]);
    expect(await stored()).toMatchObject([{ isPending: false, failure: "expired" }]);
  });

  test("because the process died in the call is told again by another one", async () => {
    const message = await write();
    await mark(message.id);
    await world.sql`
      update read_marks set claim_token = gen_random_uuid(), attempts = 1,
        claimed_until = clock_timestamp() + interval '1 minute' where channel_id = ${channelId}`;
    await handOver();
    expect(toldOf(message)).toEqual([]);
    await world.sql`
      update read_marks set claimed_until = clock_timestamp() - interval '1 second' where channel_id = ${channelId}`;
    await handOver();
    expect(toldOf(message)).toEqual(["0"]);
  });

  test("because its message was erased in the meantime is given up", async () => {
    const message = await write();
    await mark(message.id);
    await world.sql`update messages set erased_at = now(), content = '{}' where id = ${message.id}`;
    await handOver();
    expect(toldOf(message)).toEqual([]);
    expect(await stored()).toMatchObject([{ isPending: false, failure: "not_markable" }]);
  });
});

test("marks of a paused channel wait, are announced by the sweep once it works again, and are told then", async () => {
  const message = await write();
  await mark(message.id);
  notified = [];
  await world.sql`update channels set paused_at = now(), pause_reason = 'credentials_invalid' where id = ${channelId}`;
  await handOver();
  await notifyDueMarks(world.services);
  expect(notified.filter((one) => one.channelId === channelId)).toEqual([]);
  expect(toldOf(message)).toEqual([]);
  await world.sql`update channels set paused_at = null, pause_reason = null where id = ${channelId}`;
  await notifyDueMarks(world.services);
  expect(notified.filter((one) => one.channelId === channelId)).toHaveLength(1);
  await handOver();
  expect(toldOf(message)).toEqual(["0"]);
  notified = [];
  await notifyDueMarks(world.services);
  expect(notified.filter((one) => one.channelId === channelId)).toEqual([]);
});

/** The behaviours of the test upstream don't look at it here. */
const NO_CALL = { path: "", authorization: undefined, to: "", text: null, messageId: "", body: {} };

function endless(res: Parameters<typeof marking>[0]): void {
  res.writeHead(200, { "content-type": "application/json" });
  const more = () => {
    while (!res.destroyed && res.write(" ".repeat(65_536))) continue;
  };
  res.on("drain", more);
  more();
}

test("an upstream that never answers costs a call its time limit, and not more", async () => {
  const message = await write();
  await mark(message.id);
  world.upstream.takeMarks((res) => silent(res, NO_CALL));
  const startedAt = performance.now();
  await handOver();
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  expect(await stored()).toMatchObject([{ isPending: true, attempts: 1 }]);
}, 30_000);
