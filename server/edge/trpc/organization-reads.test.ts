import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { MemberActor } from "@/server/core/actor";
import { appRouter } from "./router";
import { t } from "@/server/core/trpc";
import type { Context } from "@/server/core/context";
import { createKey } from "@/server/domain/keys/create";
import { addReceived } from "@/server/domain/inbox/testing";
import { inviteMember } from "@/server/domain/members/invite";
import {
  addTemplate,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
} from "@/server/domain/messages/testing";
import { asMember, connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { addRefusal } from "@/server/domain/requests/testing";
import { settledUntil } from "@/server/domain/webhooks/outbox/settled-until";
import { addEndpoint, PUBLIC_URL } from "@/server/domain/webhooks/testing";
import { missingStep } from "@/server/testing";

const NUMBER = "4915112345678";

/** Every query of an organization that needs no id, with its inputs. */
const READS: Readonly<Record<string, readonly (object | undefined)[]>> = {
  "audit.count": [{}, { q: "Shop" }],
  "audit.list": [{}, { q: "Shop" }],
  "audit.options": [undefined],
  "channels.awaitingStatus": [{}],
  "channels.list": [{}],
  "channels.paused": [{}],
  "channels.survey": [{}],
  "contacts.count": [{}, { q: NUMBER }, { q: "Customer" }],
  "contacts.list": [{}, { to: NUMBER }],
  "contacts.search": [{}, { q: NUMBER }, { q: "Customer" }],
  "conversations.assignees": [{}],
  "conversations.list": [{}, { q: NUMBER }],
  "inbox.list": [undefined],
  "keys.list": [{}],
  "members.invitations": [{}],
  "members.list": [{}],
  "messages.count": [{}, { q: NUMBER }],
  "messages.list": [{}, { direction: "any" }, { to: NUMBER }, { updated_since: "2026-01-01T00:00:00Z" }],
  "messages.search": [{}, { q: NUMBER }],
  "organization.current": [undefined],
  "phone.choices": [undefined],
  "requests.count": [{}, { recipient: NUMBER }],
  "requests.list": [{}, { recipient: NUMBER }],
  "requests.summary": [{}],
  "templates.list": [{}],
  "templates.search": [{}],
  "threads.list": [{}, { to: NUMBER }],
  "usage.summary": [{ range: "90d" }],
  "usage.webhooks": [{ range: "90d" }],
  "webhooks.list": [{}],
};

/**
 * Queries whose result is the same for every organization, or that are about one object by its id, a person or a key.
 */
const OTHERS: readonly string[] = [
  "account.me",
  "account.sessions",
  "channels.get",
  "contacts.get",
  "contacts.inspect",
  "contacts.previewErasure",
  "conversations.get",
  "conversations.timeline",
  "inbox.get",
  "keys.get",
  "keys.options",
  "messages.failures",
  "messages.get",
  "messages.inspect",
  "messages.media",
  "phone.file",
  "phone.get",
  "ping",
  "requests.get",
  "requests.refusals",
  "templates.get",
  "threads.get",
  "webhooks.deliveries",
  "webhooks.deliveriesOfMessage",
  "webhooks.get",
  "webhooks.inspect",
  "webhooks.inspectDelivery",
];

const asked = Object.entries(READS).flatMap(([procedure, inputs]) =>
  inputs.map((input) => ({ procedure, input })),
);
type Asked = (typeof asked)[number];
type Answers = ReadonlyMap<string, string>;

const nameOf = ({ procedure, input }: Asked) => `${procedure} ${JSON.stringify(input)}`;

let world: SendWorld;
let before: Answers;
let after: Answers;
let ofNobody: Answers;
let ofOthers: Answers;

beforeAll(async () => {
  // In a database of its own, no other test's transaction delays the list of changes.
  world = await openSendWorld({ database: "own" });
  const [own, others, nobody] = [await newOwner(), await newOwner(), await newOwner()];
  await fill(own);
  await settled();
  before = await answersTo(own.member);
  await fill(others);
  await settled();
  after = await answersTo(own.member);
  [ofOthers, ofNobody] = [await answersTo(others.member), await answersTo(nobody.member)];
});
afterAll(() => world.close());

/**
 * Waits until everything that is written so far is settled: until then `updated_since` leaves it out, and a later
 * answer has more of the organization's own messages than an earlier one.
 */
async function settled(): Promise<void> {
  const [now] = await world.sql<{ time: string }[]>`select clock_timestamp()::text as time`;
  await vi.waitFor(
    async () => {
      const [row] = await world.sql<{ isSettled: boolean }[]>`
        select ${settledUntil(world.sql)} > ${now?.time ?? ""}::text::timestamptz as "isSettled"`;
      expect(row?.isSettled).toBe(true);
    },
    { timeout: 30_000, interval: 100 },
  );
}

async function newOwner() {
  const ctx = await createTestOrganization(world.services);
  return { ctx, member: await asMember(ctx, "owner") };
}

/** Creates something for every query to show. */
async function fill({ ctx }: Awaited<ReturnType<typeof newOwner>>): Promise<void> {
  const channelId = await connectTestChannel(ctx, true);
  const { threadId } = await openConversation(ctx, channelId, NUMBER);
  const handedOver = await queueText(ctx, threadId);
  await world.sql`
    update messages set state = 'sent', sent_at = now() - interval '20 minutes', created_at = now() - interval '21 minutes'
    where id = ${handedOver}`;
  await world.sql`
    insert into message_attempts (id, organization_id, message_id, channel_id, started_at, deadline, finished_at, outcome)
    values (gen_random_uuid(), ${ctx.actor.organizationId}, ${handedOver}, ${channelId}, now() - interval '20 minutes',
      now() - interval '19 minutes', now() - interval '20 minutes', 'accepted')`;
  await queueText(ctx, threadId);
  const paused = await connectTestChannel(ctx);
  await world.sql`
    update channels set paused_at = '2026-01-02', pause_reason = 'payment_required' where id = ${paused}`;
  await addTemplate(ctx, channelId);
  const { id: keyId } = await createKey({ ctx, input: { name: "Shop" } });
  await addRefusal(ctx, { keyId, number: NUMBER });
  await world.sql`update refusal_hours set refused = refused + 5 where key_id = ${keyId}`;
  await inviteMember({ ctx, input: { email: "grace@example.com", role: "agent" } });
  await addEndpoint(ctx, { url: PUBLIC_URL });
  await addReceived(ctx);
}

const createCaller = t.createCallerFactory(appRouter);

async function answersTo(member: Context<MemberActor>): Promise<Answers> {
  const answers = new Map<string, string>();
  for (const one of asked) {
    const [group = "", name = ""] = one.procedure.split(".");
    const found: unknown = Reflect.get(Object(Reflect.get(Object(createCaller(member)), group)), name);
    if (typeof found !== "function") throw new Error(`There is no procedure ${one.procedure}`);
    // The time until which data was counted differs at each query.
    const text = JSON.stringify(await found(one.input)).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>");
    answers.set(nameOf(one), text);
  }
  return answers;
}

test("every query is named here", () => {
  // Guarantee: tRPC keeps a router's procedures flat, by dotted name, with their kind.
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
  const queries = Object.keys(procedures).filter((name) => procedures[name]?._def.type === "query");
  expect(queries.toSorted(), missingStep("Isolation")).toEqual([...Object.keys(READS), ...OTHERS].toSorted());
});

describe.each(asked.map((one) => ({ name: nameOf(one) })))("$name", ({ name }) => {
  test("is answered alike, whatever another organization has", () => {
    expect(after.get(name)).toBe(before.get(name));
    // The organization has data that this query would show.
    expect(ofOthers.get(name)).not.toBe(ofNobody.get(name));
  });
});
