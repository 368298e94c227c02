import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { MemberActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import {
  codeOf,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
} from "@/server/domain/messages/testing";
import { asMember, connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import { inspectContact } from "./inspect";
import { searchContacts, searchContactsInput } from "./search";
import { previewErasure } from "@/server/domain/erasure/preview-erasure";
import { newPerson, type TestPerson, writeUnderTwoNames } from "./testing";

let world: SendWorld;
let agent: Context<MemberActor>;
let owner: Context<MemberActor>;
let ana: TestPerson;

beforeAll(async () => {
  world = await openSendWorld();
  agent = await asMember(world.ctx, "agent");
  owner = await asMember(world.ctx, "owner");
});
beforeEach(async () => void (ana = await newPerson(world)));
afterAll(() => world.close());

const get = (contactId: string, ctx: Context = agent) => inspectContact({ ctx, input: { contactId } });
const preview = (contactId: string, ctx: Context = owner) => previewErasure({ ctx, input: { contactId } });
const erase = (contactId: string, ctx: Context = owner) => eraseContact({ ctx, input: { contactId } });

describe("a contact", () => {
  test("is shown with every name, and its conversation on each channel with the window", async () => {
    const { contactId, threadId, handle } = await openConversation(world.ctx, world.channelId);
    const other = await connectTestChannel(world.ctx);
    await world.sql`
      insert into conversations (id, organization_id, contact_id, channel_id)
      values (${randomUUID()}, ${world.ctx.actor.organizationId}, ${contactId}, ${other})`;
    const contact = await get(contactId);
    expect(contact).toMatchObject({
      id: contactId,
      name: "Customer",
      identities: [{ kind: "whatsapp", handle, refusedAt: null }],
      conversations: [
        {
          id: threadId,
          channel: { id: world.channelId, name: "Test channel", isPaused: false, isDisabled: false },
          isWindowAssumed: false,
        },
        { channel: { id: other }, lastWroteAt: null, windowOpenUntil: null, isWindowAssumed: false },
      ],
      marketingOptedOutAt: null,
      mergedInto: null,
      mergedIds: [],
      erasedAt: null,
    });
    const [first] = contact.conversations;
    const openForMs = (first?.windowOpenUntil?.getTime() ?? 0) - (first?.lastWroteAt?.getTime() ?? 0);
    expect(openForMs).toBe(86_400_000);
  });

  test("who never wrote to a number that was in use before has an assumed window, until the upstream denies it", async () => {
    const { contactId, threadId } = await openConversation(world.ctx, world.channelId);
    await world.sql`update conversations set last_inbound_at = null where id = ${threadId}`;
    await world.sql`
      update channels set unknown_window_open_until = now() + interval '3 hours' where id = ${world.channelId}`;
    const window = async () => {
      const [{ windowOpenUntil, isWindowAssumed } = { windowOpenUntil: null, isWindowAssumed: false }] = (
        await get(contactId)
      ).conversations;
      return [windowOpenUntil !== null, isWindowAssumed];
    };
    expect(await window()).toEqual([true, true]);
    await world.sql`update conversations set window_closed_at = now() where id = ${threadId}`;
    expect(await window()).toEqual([false, false]);
    await world.sql`update channels set unknown_window_open_until = null where id = ${world.channelId}`;
  });

  test("that turned out to be another one leads there, and that one says which it was", async () => {
    const { contactId, mergedId } = await writeUnderTwoNames(ana);
    expect(await get(mergedId)).toMatchObject({
      identities: [],
      mergedInto: { id: contactId, name: "Customer" },
    });
    const living = await get(contactId);
    expect(living).toMatchObject({ mergedIds: [mergedId], mergedInto: null });
    expect(living.identities.map(({ kind, handle }) => [kind, handle])).toEqual([
      ["whatsapp", ana.number],
      ["whatsapp", ana.otherForm],
      ["bsuid", ana.userId],
    ]);
    const found = await searchContacts({ ctx: agent, input: searchContactsInput.parse({ q: ana.userId }) });
    expect(found.data.map(({ id }) => id)).toEqual([contactId]);
  });

  test.each(["01900000-0000-7000-8000-000000000000", "no-id", "", "%"])(
    "that isn’t there is refused the same way, whatever the id: %j",
    async (contactId) => {
      for (const work of [() => get(contactId), () => preview(contactId), () => erase(contactId)]) {
        expect(await codeOf(work())).toBe("contact_not_found");
      }
    },
  );

  test("of another organization isn’t there", async () => {
    const { contactId } = await openConversation(world.ctx, world.channelId);
    const foreign = await asMember(await createTestOrganization(world.services), "owner");
    for (const work of [
      () => get(contactId, foreign),
      () => preview(contactId, foreign),
      () => erase(contactId, foreign),
    ]) {
      expect(await codeOf(work())).toBe("contact_not_found");
    }
    expect((await get(contactId)).erasedAt).toBeNull();
  });
});

describe("an erasure by a member", () => {
  test("takes what its preview counted, of all contacts that are one person", async () => {
    const { contactId, mergedId, threadId } = await writeUnderTwoNames(ana);
    await queueText(world.ctx, threadId);
    const expected = { contacts: 2, names: 3, messages: 4, isMore: false, queued: 1 };
    expect(await preview(contactId)).toEqual(expected);
    expect(await preview(mergedId)).toEqual(expected);
    expect(await erase(contactId)).toMatchObject({ messages: 4, failed: 1 });
    expect(await preview(contactId)).toEqual({ ...expected, names: 0, messages: 0, queued: 0 });
    const erased = await get(contactId);
    expect(erased).toMatchObject({ name: null, identities: [], mergedIds: [mergedId] });
    expect(erased.erasedAt).toBeInstanceOf(Date);
    expect(erased.conversations).toHaveLength(2);
  });

  test("stands in the audit log once, with who did it and from where", async () => {
    const { contactId } = await openConversation(world.ctx, world.channelId);
    const ctx = { ...owner, actor: { ...owner.actor, address: "192.0.2.7" } };
    await erase(contactId, ctx);
    await erase(contactId, ctx);
    const acts = await world.sql`
      select actor_kind, actor_id, address, request_id, detail from audit_log
      where action = 'contact.erased' and subject_id = ${contactId}`;
    expect([...acts]).toEqual([
      {
        actor_kind: "member",
        actor_id: owner.actor.memberId,
        address: "192.0.2.7",
        request_id: owner.requestId,
        detail: { contactIds: [contactId] },
      },
    ]);
  });

  test("needs contacts.erase, which an agent can be given; looking doesn’t", async () => {
    const { contactId } = await openConversation(world.ctx, world.channelId);
    for (const work of [() => preview(contactId, agent), () => erase(contactId, agent)]) {
      expect(await codeOf(work())).toBe("permission_denied");
    }
    expect(await get(contactId, agent)).toMatchObject({ erasedAt: null });
    const granted = await asMember(world.ctx, "agent", ["contacts.erase"]);
    expect(await erase(contactId, granted)).toMatchObject({ contactIds: [contactId] });
  });
});
