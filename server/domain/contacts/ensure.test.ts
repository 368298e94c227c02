import { randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import {
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { attachPersonIn } from "./attach";
import { ensureContact, ensureConversationIn, ensurePersonIn } from "./ensure";
import { type Person, personNamed } from "@/server/adapters/whatsapp/person";

let world: TestWorld;
let ctx: Context<SystemActor>;

beforeAll(async () => {
  world = await openTestWorld();
  ctx = await createTestOrganization(world.services);
});
afterAll(() => world.close());

const newNumber = () => `49151${randomInt(10 ** 8, 10 ** 9)}`;
const newUserId = () => `DE.${randomInt(2 ** 47)}`;
const newParentUserId = () => `DE.ENT.${randomInt(2 ** 47)}`;

const ensure = (...names: string[]) =>
  world.services.sql.begin((tx) =>
    ensurePersonIn(tx, ctx.actor.organizationId, {
      person: personNamed(...names),
      name: null,
      at: new Date(),
    }),
  );

async function ownerOf(name: string): Promise<string | null> {
  const [row] = await world.services.sql<{ contactId: string }[]>`
    select contact_id as "contactId" from contact_identities
    where organization_id = ${ctx.actor.organizationId} and handle = ${name}`;
  return row?.contactId ?? null;
}

describe("a person who writes", () => {
  test("is one contact under all names that came together, whichever comes alone later", async () => {
    const names = [newNumber(), newUserId(), newParentUserId()];
    const { contactId, conflicts } = await ensure(...names);
    expect(conflicts).toEqual([]);
    for (const name of names) expect((await ensure(name)).contactId).toBe(contactId);
  });

  test("without a number is a contact by the id alone; the number that comes later joins it", async () => {
    const [number, userId] = [newNumber(), newUserId()];
    const { contactId } = await ensure(userId);
    expect((await ensure(number, userId)).contactId).toBe(contactId);
    expect((await ensureContact({ ctx, input: { handle: number } })).contactId).toBe(contactId);
  });

  test("known by a number here and by an id there becomes one contact: the number's", async () => {
    const [number, userId, parentUserId] = [newNumber(), newUserId(), newParentUserId()];
    const ofNumber = (await ensureContact({ ctx, input: { handle: number } })).contactId;
    const ofId = (await ensure(userId, parentUserId)).contactId;
    expect(ofId).not.toBe(ofNumber);
    expect(await ensure(number, userId)).toMatchObject({ contactId: ofNumber, conflicts: [] });
    expect(await ownerOf(userId)).toBe(ofNumber);
    expect(await ownerOf(parentUserId)).toBe(ofNumber);
  });

  test("keeps the conversation and the wish of the contact that it was by its id", async () => {
    const [number, userId] = [newNumber(), newUserId()];
    const { organizationId } = ctx.actor;
    const { sql } = world.services;
    const [first, second] = [await connectTestChannel(ctx), await connectTestChannel(ctx)];
    const ofNumber = (await ensureContact({ ctx, input: { handle: number } })).contactId;
    const ofId = (await ensure(userId)).contactId;
    const open = (contactId: string, channelId: string) =>
      sql.begin((tx) => ensureConversationIn(tx, organizationId, contactId, channelId));
    const own = await open(ofNumber, first);
    const [covered, free] = [await open(ofId, first), await open(ofId, second)];
    await sql`update contacts set marketing_opted_out_at = now() where id = ${ofId}`;
    await ensure(number, userId);
    const contactOf = async ({ conversationId }: { conversationId: string }) =>
      (
        await sql<{ contactId: string }[]>`
        select contact_id as "contactId" from conversations where id = ${conversationId}`
      )[0]?.contactId;
    expect([await contactOf(own), await contactOf(free), await contactOf(covered)]).toEqual([
      ofNumber,
      ofNumber,
      ofId,
    ]);
    const [contact] =
      await sql`select marketing_opted_out_at is not null as "isOut" from contacts where id = ${ofNumber}`;
    expect(contact).toEqual({ isOut: true });
  });

  test("whose id belongs to a contact with another number stays the number's; both are kept, and it is noted", async () => {
    const [number, otherNumber, userId] = [newNumber(), newNumber(), newUserId()];
    const other = (await ensure(otherNumber, userId)).contactId;
    const own = (await ensureContact({ ctx, input: { handle: number } })).contactId;
    expect(await ensure(number, userId)).toMatchObject({ contactId: own, conflicts: ["bsuid"] });
    expect(await ownerOf(userId)).toBe(other);
    expect(await ownerOf(otherNumber)).toBe(other);
  });

  test("is no contact of another organization", async () => {
    const [number, userId] = [newNumber(), newUserId()];
    const { contactId } = await ensure(number, userId);
    const foreign = await createTestOrganization(world.services);
    const theirs = await world.services.sql.begin((tx) =>
      ensurePersonIn(tx, foreign.actor.organizationId, {
        person: personNamed(number, userId),
        name: null,
        at: new Date(),
      }),
    );
    expect(theirs.contactId).not.toBe(contactId);
  });

  test("many times at once, under names in any order and number, is one contact without a deadlock", async () => {
    const PICKS = [[0, 1, 2], [2, 1], [1, 0], [0, 2], [1]];
    // Several rounds: in the first ones connections are still being opened.
    for (let round = 0; round < 10; round++) {
      const names = [newNumber(), newUserId(), newParentUserId()];
      const subsets = PICKS.map((picks) => picks.map((pick) => names[pick] ?? ""));
      await Promise.all(Array.from({ length: 10 }, (_, index) => ensure(...(subsets[index % 5] ?? []))));
      const owners = await Promise.all(names.map(ownerOf));
      expect(new Set(owners).size).toBe(1);
      expect(owners[0]).not.toBeNull();
    }
  });
});

describe("new names of a contact", () => {
  const attach = (contactId: string, person: Person) =>
    world.services.sql.begin((tx) => attachPersonIn(tx, ctx.actor.organizationId, contactId, person));

  test("are added beside the old ones", async () => {
    const [old, number, userId] = [newNumber(), newNumber(), newUserId()];
    const { contactId } = await ensure(old);
    expect((await attach(contactId, personNamed(number, userId))).conflicts).toEqual([]);
    expect([await ownerOf(old), await ownerOf(number), await ownerOf(userId)]).toEqual([
      contactId,
      contactId,
      contactId,
    ]);
  });

  test("that another contact has for its number stay there", async () => {
    const [old, taken] = [newNumber(), newNumber()];
    const { contactId } = await ensure(old);
    const other = (await ensure(taken)).contactId;
    expect((await attach(contactId, personNamed(taken))).conflicts).toEqual(["whatsapp"]);
    expect(await ownerOf(taken)).toBe(other);
  });

  test("that another contact has in another spelling stay there, in that one spelling", async () => {
    const [old, subscriber] = [newNumber(), `6${randomInt(10 ** 6, 10 ** 7)}`];
    const [long, short] = [`55119${subscriber}`, `5511${subscriber}`];
    const { contactId } = await ensure(old);
    await ensure(long);
    expect((await attach(contactId, personNamed(short))).conflicts).toEqual(["whatsapp"]);
    expect(await ownerOf(short)).toBeNull();
  });
});
