import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import { accepting, resetting } from "@/server/adapters/whatsapp/testing";
import { applyStatuses } from "./apply-statuses";
import { handOver } from "../deliver/hand-over";
import { joinFailures } from "./join-kept";
import { recordOutcomes } from "../deliver/record-outcomes";
import { sweepDueWork } from "@/server/domain/sweep";
import {
  messageRow,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
  startCall,
} from "../testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterEach(async () => {
  world.upstream.behave(accepting);
  await world.sql`delete from unmatched_statuses`;
});
afterAll(() => world.close());

const detail = { httpStatus: null, upstreamCode: null, reason: "test" };

/** A message whose call has started. */
async function calling(handle?: string) {
  const conversation = await openConversation(world.ctx, world.channelId, handle);
  const messageId = await queueText(world.ctx, conversation.threadId);
  const attempt = await startCall(world, messageId);
  const settle = (outcome: "uncertain" | "retry") =>
    recordOutcomes(world.services, [
      { attemptId: attempt.attemptId, messageId, outcome: { kind: outcome, detail } },
    ]);
  return { ...conversation, messageId, attempt, settle };
}

/** The upstream reports that a message to the number failed, without our id. */
async function failedTo(recipient: string): Promise<void> {
  const report = {
    upstreamId: `wamid.${randomUUID()}`,
    messageId: null,
    kind: "failed",
    upstreamAt: null,
    recipient,
    errorCode: "undeliverable",
    detail: null,
  } as const;
  await applyStatuses({ ctx: world.ctx, input: { channelId: world.channelId, reports: [report] } });
}

const keptNumbers = async () =>
  (await world.sql<{ recipient: string | null }[]>`select recipient from unmatched_statuses`).map(
    (row) => row.recipient,
  );

const failed = { state: "failed", errorCode: "undeliverable", isInDoubt: false };

test("a failure that came during the call is joined as soon as the call is in doubt", async () => {
  const { messageId, attempt, handle } = await calling();
  await failedTo(handle);
  world.upstream.behave(resetting);
  await handOver(world.services, attempt, performance.now());
  expect(await messageRow(world, messageId)).toMatchObject(failed);
  expect(await keptNumbers()).toEqual([]);
});

test("one that names the number in its other written form is joined too", async () => {
  const { messageId, settle } = await calling("5511987650002");
  await failedTo("551187650002");
  await settle("uncertain");
  expect(await joinFailures(world.services)).toBe(1);
  expect(await messageRow(world, messageId)).toMatchObject(failed);
});

test("the sweep joins what came in the moment of doubt", async () => {
  const { messageId, handle, settle } = await calling();
  await failedTo(handle);
  await settle("uncertain");
  expect(await messageRow(world, messageId)).toMatchObject({ state: "queued" });
  await sweepDueWork(world.services);
  expect(await messageRow(world, messageId)).toMatchObject(failed);
});

test("while a call to the number is under way, none is guessed, and the one that is left over is found", async () => {
  const first = await calling();
  await first.settle("uncertain");
  const second = await calling(first.handle);
  await failedTo(first.handle);
  expect(await joinFailures(world.services)).toBe(0);
  await second.settle("retry");
  expect(await joinFailures(world.services)).toBe(1);
  expect(await messageRow(world, first.messageId)).toMatchObject(failed);
  expect(await messageRow(world, second.messageId)).toMatchObject({ state: "queued" });
});

test("an attempt that began after the failure came isn't what it is about", async () => {
  const first = await calling();
  await failedTo(first.handle);
  await first.settle("retry");
  await world.sql`update messages set state = 'failed', error_code = 'expired' where id = ${first.messageId}`;
  const later = await calling(first.handle);
  await later.settle("uncertain");
  expect(await joinFailures(world.services)).toBe(0);
  expect(await messageRow(world, later.messageId)).toMatchObject({ state: "queued", isInDoubt: true });
});

test("the number is kept only while an attempt to it is under way or in doubt, and until its person is erased", async () => {
  const { handle, contactId, settle } = await calling();
  await failedTo("4915100000001");
  expect(await keptNumbers()).toEqual([null]);
  await failedTo(handle);
  expect(await keptNumbers()).toContain(handle);
  await settle("uncertain");
  await eraseContact({ ctx: world.ctx, input: { contactId } });
  expect(await keptNumbers()).toEqual([null, null]);
});
