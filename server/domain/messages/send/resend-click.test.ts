import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asMember } from "@/server/domain/organizations/testing";
import { eraseMessages } from "@/server/domain/erasure/erase-messages";
import { resendMessage } from "./resend";
import { codeOf, openConversation, openSendWorld, queueText, type SendWorld } from "../testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld()));
afterAll(() => world.close());

test("a click is answered with what it made, also after the old message moved on or was erased", async () => {
  const ctx = await asMember(world.ctx, "agent");
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const messageId = await queueText(world.ctx, threadId);
  const resend = (idempotencyToken: string) =>
    resendMessage({ ctx, input: { messageId, idempotencyToken, acceptRisk: true } });
  await world.sql`
    update messages set state = 'failed', error_code = 'upstream_unconfirmed', failed_at = now(), next_attempt_at = null
    where id = ${messageId}`;
  const idempotencyToken = randomUUID();
  const sent = await resend(idempotencyToken);
  expect(sent).toMatchObject({ threadId, isRepeat: false });
  const repeated = { ...sent, isRepeat: true };
  await world.sql`update messages set state = 'delivered', error_code = null where id = ${messageId}`;
  expect(await resend(idempotencyToken)).toEqual(repeated);
  await world.sql.begin((tx) => eraseMessages(tx, ctx.actor.organizationId, [messageId]));
  expect(await resend(idempotencyToken.toUpperCase())).toEqual(repeated);
  expect(await codeOf(resend(randomUUID()))).toBe("message_not_resendable");
});
