import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import { removeMember } from "@/server/domain/members/remove";
import { listMessages } from "@/server/domain/messages/read/list";
import {
  asKey,
  type Conversation,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
} from "@/server/domain/messages/testing";
import { createOrganization } from "@/server/domain/organizations/create";
import { asMember } from "@/server/domain/organizations/testing";
import { assignConversation } from "./assign";
import { closeConversation, reopenConversation } from "./set-status";
import { readInPages, said, write } from "./testing";
import { readConversationTimeline, type TimelineEntry, timelineInput } from "./timeline";

let world: SendWorld;
let ctx: Context<SystemActor>;
let member: Context<MemberActor>;
let owner: Context<MemberActor>;
let conversation: Conversation;
let threadId: string;

beforeAll(async () => {
  world = await openSendWorld();
  ({ ctx } = world);
  [member, owner] = [await asMember(ctx, "agent"), await asMember(ctx, "owner")];
});
beforeEach(async () => {
  conversation = await openConversation(ctx, world.channelId);
  ({ threadId } = conversation);
});
afterAll(() => world.close());

const read = (input: { limit?: string; cursor?: string } = {}) =>
  readConversationTimeline({ ctx: member, input: parseInput(timelineInput, { threadId, ...input }) });
const close = (as: Context = member) => closeConversation({ ctx: as, input: { threadId } });
const reopen = (as: Context = member) => reopenConversation({ ctx: as, input: { threadId } });
const assign = (memberId: string | null) =>
  assignConversation({ ctx: member, input: { threadId, memberId } });

/** One line for each entry, oldest first. */
const lines = (entries: readonly TimelineEntry[]) =>
  entries
    .toReversed()
    .map((entry) =>
      entry.kind === "act"
        ? [entry.by?.name ?? "Waypost", entry.act, ...(entry.assignee ? [entry.assignee.name] : [])].join(" ")
        : entry.kind,
    );

test("changes of state and assignee stand between the messages, at their time, on every page once", async () => {
  await assign(owner.actor.memberId);
  await queueText(ctx, threadId);
  await close();
  await close();
  await write(ctx, world.channelId, conversation.handle, said("One more thing"));
  await reopen(owner);
  await assign(null);
  await close(ctx);
  const all = [
    "message",
    "agent assigned owner",
    "message",
    "agent closed",
    "message",
    "owner reopened",
    "agent unassigned",
    "Waypost closed",
  ];
  const whole = await read();
  expect(lines(whole.data)).toEqual(all);
  expect(whole).toMatchObject({ next_cursor: null, isActsCut: false });

  expect(lines(await readInPages(member, threadId))).toEqual(all);
});

test("a removed member keeps their name, and an assignment whose detail was erased says only that it changed", async () => {
  const leaver = await asMember(ctx, "admin");
  await assign(leaver.actor.memberId);
  await close(leaver);
  await removeMember({ ctx: owner, input: { memberId: leaver.actor.memberId } });
  expect(lines((await read()).data)).toEqual(["message", "agent assigned admin", "admin closed"]);
  await world.sql`update audit_log set detail = '{}' where subject_id = ${threadId}`;
  expect(lines((await read()).data)).toEqual(["message", "agent reassigned", "admin closed"]);
});

test("of very many changes between two messages, the newest are shown, and that there are more", async () => {
  await queueText(ctx, threadId);
  await world.sql`
    insert into audit_log (id, organization_id, actor_kind, actor_id, action, subject_kind, subject_id, created_at)
    select gen_random_uuid(), ${ctx.actor.organizationId}, 'member', ${member.actor.memberId}, 'conversation.closed',
      'conversation', ${threadId}, now() + i * interval '1 ms' from generate_series(1, 150) i`;
  const { data, isActsCut } = await read();
  expect(isActsCut).toBe(true);
  expect(data.filter(({ kind }) => kind === "act")).toHaveLength(100);
  expect(data[0]?.at.getTime()).toBeGreaterThan(Date.now() - 60_000);
  const { next_cursor: cursor } = await read({ limit: "1" });
  const older = await read({ limit: "1", cursor: cursor ?? "" });
  expect(older.isActsCut).toBe(false);
});

test("an erased customer's conversation keeps them, without a word of the customer", async () => {
  await close();
  await eraseContact({ ctx: owner, input: { contactId: conversation.contactId } });
  const { data } = await read();
  expect(lines(data)).toEqual(["message", "agent closed"]);
  expect(JSON.stringify(data)).not.toContain(conversation.handle);
});

test("no other organization's log adds to it, and no key sees any of it", async () => {
  const other = await createOrganization({ services: ctx.services, job: "test", input: { name: "Other" } });
  await world.sql`
    insert into audit_log (id, organization_id, actor_kind, actor_id, action, subject_kind, subject_id)
    values (gen_random_uuid(), ${other.ctx.actor.organizationId}, 'system', 'test', 'conversation.closed', 'conversation', ${threadId})`;
  await close();
  expect(lines((await read()).data)).toEqual(["message", "agent closed"]);
  const key = await asKey(ctx, { scopes: ["messages:read"] });
  const { data } = await listMessages({
    ctx: key,
    input: { limit: 50, direction: "any", thread_id: threadId },
  });
  expect(data).toHaveLength(1);
});
