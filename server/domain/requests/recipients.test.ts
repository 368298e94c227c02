import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { MemberActor } from "@/server/core/actor";
import { newId } from "@/db/schema";
import { eventually } from "@/e2e/support/eventually";
import { ensureContact } from "@/server/domain/contacts/ensure";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import type { Context } from "@/server/core/context";
import { createKey } from "@/server/domain/keys/create";
import {
  newHandle,
  openConversation,
  openSendWorld,
  type SendWorld,
  textTo,
} from "@/server/domain/messages/testing";
import { asMember, createTestOrganization } from "@/server/domain/organizations/testing";
import { parseInput } from "@/server/core/input/parse-input";
import { listRequests } from "./list";
import { listRequestsSchema } from "./schemas";
import { addRefusal, servePublicApi } from "./testing";

let world: SendWorld;
let member: Context<MemberActor>;
let api: Awaited<ReturnType<typeof servePublicApi>>;
let key: { id: string; secret: string };

beforeAll(async () => {
  world = await openSendWorld({ database: "own" });
  member = await asMember(world.ctx, "agent");
  api = await servePublicApi(world.services);
});
afterAll(async () => {
  await api.close();
  await world.close();
});
beforeEach(async () => void (key = await createKey({ ctx: world.ctx, input: { name: "Shop" } })));

async function found(recipient: string, as: Context = member): Promise<string[]> {
  const { data } = await listRequests({ ctx: as, input: parseInput(listRequestsSchema, { recipient }) });
  return data.map(({ requestId }) => requestId);
}

/** Posts a message that is refused, and kept only in memory. @returns its request's id. */
async function refuseUnwritten(body: object, at = api): Promise<string> {
  const headers = { "x-api-key": key.secret, "content-type": "application/json" };
  const { status, requestId } = await at.ask("/messages", {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  expect(status).toBeGreaterThanOrEqual(400);
  return requestId;
}

/** Posts a message that is refused. @returns its request's id. */
async function refuse(body: object): Promise<string> {
  const requestId = await refuseUnwritten(body);
  await api.written();
  return requestId;
}

const textToNumber = (handle: string) => {
  const { thread_id: _, ...rest } = textTo("");
  return { ...rest, to: { kind: "whatsapp", handle } };
};
const closeWindow = (threadId: string) =>
  world.sql`update conversations set window_closed_at = now() where id = ${threadId}`;

describe("a refused request is found", () => {
  test("by a number that no contact has, in any spelling and any written form of it", async () => {
    const id = await refuse(textToNumber("5511987654321"));
    for (const spelled of ["5511987654321", "+55 11 98765-4321", "0055 11 98765 4321", "551187654321"])
      expect([spelled, await found(spelled)]).toEqual([spelled, [id]]);
    for (const other of ["5511987654322", "87654321", "", "Shop"]) expect(await found(other)).toEqual([]);
  });

  test("by the last digits, the contact and the conversation, whether it named the number or the conversation", async () => {
    const { threadId, contactId, handle } = await openConversation(world.ctx, world.channelId);
    await closeWindow(threadId);
    const byNumber = await refuse(textToNumber(handle));
    const byThread = await refuse(textTo(threadId));
    for (const text of [handle, `+${handle}`, handle.slice(-8), contactId, threadId.toUpperCase()])
      expect([text, await found(text)]).toEqual([text, [byThread, byNumber]]);
  });

  test("under all numbers of one person", async () => {
    const [one, other] = [newHandle(), newHandle()];
    const { contactId } = await ensureContact({ ctx: world.ctx, input: { handle: one, name: null } });
    const merged = await ensureContact({ ctx: world.ctx, input: { handle: other, name: null } });
    await world.sql`update contacts set merged_into = ${contactId} where id = ${merged.contactId}`;
    const id = await addRefusal(world.ctx, { keyId: key.id, number: one });
    expect(await found(other)).toEqual([id]);
    expect(await found(merged.contactId)).toEqual([id]);
  });

  test("by nobody of another organization, not even where its conversation was named there", async () => {
    const { threadId, contactId, handle } = await openConversation(world.ctx, world.channelId);
    const own = [
      await addRefusal(world.ctx, { keyId: key.id, number: handle }),
      await addRefusal(world.ctx, { keyId: key.id, conversationId: threadId }),
    ];
    const stranger = await createTestOrganization(world.services);
    const asStranger = await asMember(stranger, "owner");
    key = await createKey({ ctx: stranger, input: { name: "Stranger" } });
    const named = await refuse(textTo(threadId));
    for (const text of [handle, handle.slice(-8), contactId, threadId]) {
      expect(await found(text, asStranger)).toEqual([]);
      expect((await found(text)).toSorted()).toEqual(own.toSorted());
    }
    const [row] =
      await world.sql`select conversation_id as "conversationId" from api_requests where id = ${named}`;
    expect(row).toEqual({ conversationId: null });
  });
});

const stored = (ids: readonly string[]) =>
  world.sql<{ names: boolean; row: string }[]>`
    select recipient_hash is not null or conversation_id is not null as names, r::text as row
    from unnest(${[...ids]}::uuid[]) with ordinality n (id, nth) join api_requests r on r.id = n.id order by nth`;
const namings = async (ids: readonly string[]) => (await stored(ids)).map(({ names }) => names);

test("who looks by a recipient is told how many weren't kept one by one, where that names somebody", async () => {
  const handle = newHandle();
  const id = await addRefusal(world.ctx, { keyId: key.id, number: handle });
  await world.sql`update refusal_hours set refused = refused + 7 where key_id = ${key.id}`;
  const pageOf = (recipient: string) =>
    listRequests({
      ctx: member,
      input: parseInput(listRequestsSchema, { recipient, keyId: key.id }),
    });
  expect(await pageOf(handle)).toMatchObject({ data: [{ requestId: id }], omitted: [{ count: 7 }] });
  expect(await pageOf(newHandle())).toMatchObject({ data: [], omitted: [{ count: 7 }] });
  for (const nobody of ["Shop", newId()])
    expect(await pageOf(nobody)).toMatchObject({ data: [], omitted: [] });
});

test("no number is kept, and an erased contact's refusals lead to nobody any more", async () => {
  const { threadId, contactId, handle } = await openConversation(world.ctx, world.channelId);
  await closeWindow(threadId);
  const ids = [await refuse(textToNumber(handle)), await refuse(textTo(threadId))];
  for (const { names, row } of await stored(ids)) {
    expect(names).toBe(true);
    expect(row).not.toContain(handle);
  }
  await eraseContact({ ctx: world.ctx, input: { contactId } });
  expect(await namings(ids)).toEqual([false, false]);
  for (const text of [handle, contactId, threadId]) expect(await found(text)).toEqual([]);
});

test("a number without a contact is erased from refusals, too", async () => {
  const handle = newHandle();
  const id = await refuse(textToNumber(handle));
  expect(await found(handle)).toEqual([id]);
  await eraseContact({ ctx: world.ctx, input: { number: handle } });
  expect(await found(handle)).toEqual([]);
});

describe("what is still in memory when a person is erased", () => {
  const HOUR_MS = 3_600_000;
  test.each([
    { clock: "right", now: Date.now },
    { clock: "an hour fast", now: () => Date.now() + HOUR_MS },
  ])("is stored without a name, where the process's clock is $clock", async ({ now }) => {
    const other = await servePublicApi(world.services, { now });
    const { threadId, contactId, handle } = await openConversation(world.ctx, world.channelId);
    await closeWindow(threadId);
    const unknown = newHandle();
    const ids = [
      await refuseUnwritten(textToNumber(handle), other),
      await refuseUnwritten(textTo(threadId), other),
    ];
    await eraseContact({ ctx: world.ctx, input: { contactId } });
    await other.written();
    expect(await namings(ids)).toEqual([false, false]);
    const toUnknown = await refuseUnwritten(textToNumber(unknown), other);
    await eraseContact({ ctx: world.ctx, input: { number: unknown } });
    await other.written();
    expect(await namings([toUnknown])).toEqual([false]);
    const afterwards = [
      await refuseUnwritten(textToNumber(unknown), other),
      await refuseUnwritten(textTo(threadId), other),
    ];
    await other.close();
    expect(await namings(afterwards)).toEqual([true, false]);
  });

  test("names nobody where it was being stored, either: the erasure waits for that", async () => {
    const handle = newHandle();
    const id = await refuseUnwritten(textToNumber(handle));
    const doings: Promise<unknown>[] = [];
    await world.sql.begin(async (tx) => {
      await tx`lock table refusal_hours in share mode`;
      doings.push(api.written());
      await eventually(() => waitsForLock("with noted as"));
      const erasure = eraseContact({ ctx: world.ctx, input: { number: handle } });
      doings.push(erasure);
      await Promise.race([erasure, eventually(() => waitsForLock("recipients_forgotten_at"))]);
    });
    await Promise.all(doings);
    expect(await namings([id])).toEqual([false]);
  });

  async function waitsForLock(words: string): Promise<void> {
    const waiting = await world.sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and strpos(query, ${words}) > 0`;
    expect(waiting).toHaveLength(1);
  }
});
