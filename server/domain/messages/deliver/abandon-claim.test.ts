import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import type { Services } from "@/server/core/context";
import { drainChannel } from "./drain";
import { probePausedChannels } from "./probe-channels";
import {
  breakingAfter,
  messageRow,
  openConversation,
  openSendWorld,
  outcomesOf,
  queueImage,
  queueText,
  type SendWorld,
} from "../testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());
afterEach(async () => {
  await world.sql`update messages set state = 'failed' where state = 'queued'`;
  await world.sql`update channels set paused_at = null, pause_reason = null, next_probe_at = null`;
});

const drain = async (services: Services) => {
  await drainChannel(services, world.channelId).catch(() => undefined);
  await services.concurrency.sends.idle();
};
const probe = async (services: Services) => {
  await world.sql`update channels set paused_at = now(), pause_reason = 'spam_limited', next_probe_at = now()
    where id = ${world.channelId}`;
  await probePausedChannels(services);
};
/** Claims, and opens the attempts of texts. */
const CLAIM = "mine as (select * from claimed)";
const LONGER_CLAIM = "set claimed_until";
const PERMISSION_FOR_FILE = "from input i join messages m";

describe("when the connection breaks on the way to a call", () => {
  test.each([
    { path: "a text, after the permission", queue: queueText, run: drain, words: CLAIM, outcomes: ["retry"] },
    { path: "a file, after the claim", queue: queueImage, run: drain, words: CLAIM, outcomes: [] },
    { path: "a file, before the upload", queue: queueImage, run: drain, words: LONGER_CLAIM, outcomes: [] },
    {
      path: "a file, after the permission",
      queue: queueImage,
      run: drain,
      words: PERMISSION_FOR_FILE,
      outcomes: ["retry"],
    },
    {
      path: "a probe, after the permission",
      queue: queueText,
      run: probe,
      words: CLAIM,
      outcomes: ["retry"],
    },
    {
      path: "a probe with a file, after the claim",
      queue: queueImage,
      run: probe,
      words: CLAIM,
      outcomes: [],
    },
    {
      path: "a probe with a file, after the permission",
      queue: queueImage,
      run: probe,
      words: PERMISSION_FOR_FILE,
      outcomes: ["retry"],
    },
  ])(
    "$path: the message is queued and free, since nobody called",
    async ({ queue, run, words, outcomes }) => {
      const { threadId } = await openConversation(world.ctx, world.channelId);
      const id = await queue(world.ctx, threadId);
      await run(breakingAfter(world.services, words, { isLast: true }));
      await until("the claim was given up", async () => !(await messageRow(world, id)).isClaimed);
      expect(await messageRow(world, id)).toMatchObject({ state: "queued", isInDoubt: false });
      expect(await outcomesOf(world, id)).toEqual(outcomes);
      expect(world.upstream.calls.filter((call) => call.messageId === id)).toEqual([]);
    },
  );
});
