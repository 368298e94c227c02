import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Context } from "@/server/core/context";
import { createTestOrganization, openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { findIdentitiesNamed } from "./find-named";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

const NUMBER = "4915112345678";
const WHATSAPP_USER_ID = "DE.1234567890";

/** A contact in its own organization, with a number and WhatsApp's id. */
async function contactOf() {
  const ctx: Context = await createTestOrganization(world.services);
  const contactId = randomUUID();
  const { organizationId } = ctx.actor;
  await world.database
    .sql`insert into contacts (id, organization_id) values (${contactId}, ${organizationId})`;
  for (const [kind, canonical] of [
    ["whatsapp", NUMBER],
    ["bsuid", WHATSAPP_USER_ID],
  ] as const)
    await world.database.sql`
      insert into contact_identities (id, organization_id, contact_id, kind, handle, canonical)
      values (gen_random_uuid(), ${organizationId}, ${contactId}, ${kind}, ${canonical}, ${canonical})`;
  return { ctx, contactId };
}

test.each([
  ["a number", "+49 151 12345678", "number"],
  ["a number's last digits", "345678", "number"],
  ["WhatsApp's id of a person", WHATSAPP_USER_ID, "whatsapp_user_id"],
])("%s names the organization's own contacts, and nobody else's", async (_, text, kind) => {
  const [own, other] = [await contactOf(), await contactOf()];
  expect(await findIdentitiesNamed(own.ctx, text)).toEqual([{ contactId: own.contactId, kind }]);
  expect(await findIdentitiesNamed(other.ctx, text)).toEqual([{ contactId: other.contactId, kind }]);
  const empty = await createTestOrganization(world.services);
  expect(await findIdentitiesNamed(empty, text)).toEqual([]);
});
