import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { MemberActor } from "@/server/core/actor";
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
  world = await openSendWorld();
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

/** Posts a message that is refused. @returns its request's id. */
async function refuse(body: object): Promise<string> {
  const headers = { "x-api-key": key.secret, "content-type": "application/json" };
  const { status, requestId } = await api.ask("/messages", {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  expect(status).toBeGreaterThanOrEqual(400);
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

test("no number is kept, and an erased contact's refusals lead to nobody any more", async () => {
  const { threadId, contactId, handle } = await openConversation(world.ctx, world.channelId);
  await closeWindow(threadId);
  const ids = [await refuse(textToNumber(handle)), await refuse(textTo(threadId))];
  const kept = () =>
    world.sql<{ names: boolean; row: string }[]>`
      select recipient_hash is not null or conversation_id is not null as names, r::text as row
      from api_requests r where id = any(${ids}::uuid[])`;
  for (const { names, row } of await kept()) {
    expect(names).toBe(true);
    expect(row).not.toContain(handle);
  }
  await eraseContact({ ctx: world.ctx, input: { contactId } });
  expect((await kept()).map(({ names }) => names)).toEqual([false, false]);
  for (const text of [handle, contactId, threadId]) expect(await found(text)).toEqual([]);
});

test("a number without a contact is erased from refusals, too", async () => {
  const handle = newHandle();
  const id = await refuse(textToNumber(handle));
  expect(await found(handle)).toEqual([id]);
  await eraseContact({ ctx: world.ctx, input: { number: handle } });
  expect(await found(handle)).toEqual([]);
});
