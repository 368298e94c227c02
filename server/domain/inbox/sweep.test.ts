import { afterAll, beforeAll, expect, test } from "vitest";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import { ensureContact } from "@/server/domain/contacts/ensure";
import { sweepInboxes } from "./sweep";
import { type InboxWorld, newDemo, openInboxWorld, storedIn } from "./testing";

let world: InboxWorld;
beforeAll(async () => void (world = await openInboxWorld({ database: "own" })));
afterAll(() => world.close());

test("what came about a day ago goes, so that with an hour between sweeps nothing is kept for longer", async () => {
  const { ctx, url } = await newDemo(world);
  for (const body of ["old", "young"]) await fetch(url, { method: "POST", body });
  await world.sql`
    update demo_inbox set received_at = now() - case body when 'old' then interval '23 hours 1 second' else interval '22 hours' end
    where organization_id = ${ctx.actor.organizationId}`;
  await sweepInboxes(world.services);
  expect(await storedIn(world, ctx)).toMatchObject([{ body: "young" }]);
});

test("what names a contact goes when that is erased, and nothing else does", async () => {
  const [{ ctx, url }, other] = [await newDemo(world), await newDemo(world)];
  const handle = "4915112345678";
  const { contactId } = await ensureContact({ ctx, input: { handle, name: "Ana" } });
  const bodies = [`{"contact_id":"${contactId}"}`, `{"handle":"${handle}"}`, `{"handle":"${handle}9"}`];
  for (const body of bodies) {
    await fetch(url, { method: "POST", body });
    await fetch(other.url, { method: "POST", body });
  }
  await eraseContact({ ctx, input: { contactId } });
  expect(await storedIn(world, ctx)).toMatchObject([{ body: bodies[2] }]);
  expect(await storedIn(world, other.ctx)).toHaveLength(3);
});
