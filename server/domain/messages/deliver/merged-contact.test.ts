import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { learnRecipients } from "@/server/domain/contacts/learn";
import type { Person } from "@/server/adapters/whatsapp/person";
import { applyStatuses } from "../status/apply-statuses";
import { receiveMessage } from "../receive/receive";
import { recordOutcomes } from "./record-outcomes";
import { sendMessage } from "../send/send";
import {
  messageRow,
  newHandle,
  openSendWorld,
  queueText,
  type SendWorld,
  startCall,
  textTo,
} from "../testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld()));
afterAll(() => world.close());

const userId = () => `US.${randomUUID().replaceAll("-", "")}`;

const writes = (from: Person) =>
  receiveMessage({
    ctx: world.ctx,
    input: {
      channelId: world.channelId,
      from,
      profileName: null,
      upstreamId: `wamid.${randomUUID()}`,
      content: { type: "text", text: { body: "Hello" } },
      at: new Date(),
      opensWindow: true,
      becomes: null,
    },
  });

async function sent(threadId: string): Promise<{ messageId: string; upstreamId: string }> {
  const messageId = await queueText(world.ctx, threadId);
  const { attemptId } = await startCall(world, messageId);
  const upstreamId = `wamid.${messageId}`;
  const detail = { httpStatus: 200, upstreamCode: null, reason: "accepted" };
  const outcome = { kind: "accepted", upstreamId, detail } as const;
  await recordOutcomes(world.services, [{ attemptId, messageId, outcome }]);
  return { messageId, upstreamId };
}

describe("of a person who was two contacts", () => {
  const number = () => ({ number: newHandle(), userId: null, parentUserId: null });
  let known: Person;
  /** The remaining contact, and the one that was merged into it, each with a thread on the channel. */
  let living: Awaited<ReturnType<typeof writes>>;
  let merged: Awaited<ReturnType<typeof writes>>;
  let message: Awaited<ReturnType<typeof sent>>;

  beforeEach(async () => {
    const [byNumber, byId] = [number(), { number: null, userId: userId(), parentUserId: null }];
    known = { ...byNumber, userId: byId.userId };
    [living, merged] = [await writes(byNumber), await writes(byId)];
    message = await sent(merged.conversationId);
    await writes(known);
  });

  const fails = (upstreamCode: number) =>
    applyStatuses({
      ctx: world.ctx,
      input: {
        channelId: world.channelId,
        reports: [
          {
            upstreamId: message.upstreamId,
            messageId: null,
            kind: "failed",
            upstreamAt: null,
            recipient: null,
            errorCode: "undeliverable",
            detail: { upstreamCode, reason: "test" },
          },
        ],
      },
    });

  test("a late wish for no marketing is the wish of the contact that is left", async () => {
    await fails(131050);
    expect(await messageRow(world, message.messageId)).toMatchObject({ state: "failed" });
    const rows = await world.sql`
      select id from contacts where id in (${living.contactId}, ${merged.contactId})
        and marketing_opted_out_at is not null`;
    expect(rows).toEqual([{ id: living.contactId }]);
  });

  test("a late refusal of the id is known of the contact that is left", async () => {
    await fails(131026);
    const rows = await world.sql`
      select contact_id as "contactId", handle from contact_identities
      where organization_id = ${world.ctx.actor.organizationId} and refused_at is not null
        and contact_id in (${living.contactId}, ${merged.contactId})`;
    expect(rows).toEqual([{ contactId: living.contactId, handle: known.userId }]);
  });

  test("a name that a late status tells belongs to the contact that is left", async () => {
    const parentUserId = userId().replace("US.", "US.ENT.");
    const recipient = { ...message, messageId: null, person: { ...known, parentUserId } };
    await learnRecipients({
      ctx: world.ctx,
      input: { channelId: world.channelId, recipients: [recipient] },
    });
    const [row] = await world.sql`
      select contact_id as "contactId" from contact_identities where handle = ${parentUserId}`;
    expect(row).toEqual({ contactId: living.contactId });
  });

  test("the thread that stayed behind leads to the one that the person has", async () => {
    const answer = await sendMessage({ ctx: world.ctx, input: textTo(merged.conversationId) });
    expect(answer).toMatchObject({ thread_id: living.conversationId, contact_id: living.contactId });
    const [row] = await world.sql`select recipient from messages where id = ${answer.message_id}`;
    expect(row).toEqual({ recipient: known.number });
  });

  test("who is merged once more, all of that holds still", async () => {
    // The third contact is only known by its id, and the second has no number either.
    const [second, third] = [userId(), userId()];
    const [a, b] = [
      await writes({ number: null, userId: second, parentUserId: null }),
      await writes({ number: null, userId: third, parentUserId: null }),
    ];
    const last = await writes(number());
    await world.sql`update contacts set merged_into = ${b.contactId} where id = ${a.contactId}`;
    const [handle] = await world.sql<{ handle: string }[]>`
      select handle from contact_identities where contact_id = ${last.contactId}`;
    await writes({ number: handle?.handle ?? null, userId: third, parentUserId: null });
    const rows = await world.sql<{ mergedInto: string }[]>`
      select merged_into as "mergedInto" from contacts where id in (${a.contactId}, ${b.contactId})`;
    expect(rows.map(({ mergedInto }) => mergedInto)).toEqual([last.contactId, last.contactId]);
  });
});
