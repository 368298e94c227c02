import { randomInt } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { createTestOrganization, openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { ensurePersonIn } from "./ensure";
import { setMarketingPreference } from "./marketing";
import { recordPreferenceIn } from "./record-preference";
import { type Preference } from "@/server/adapters/whatsapp/reports";
import { personNamed } from "@/server/adapters/whatsapp/person";

let world: TestWorld;
let ctx: Context<SystemActor>;

beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
  ctx = await createTestOrganization(world.services);
});
afterAll(() => world.close());

const newNumber = () => `49151${randomInt(10 ** 8, 10 ** 9)}`;
const newUserId = () => `DE.${randomInt(2 ** 47)}`;

const SECOND_ZERO = 1_750_000_000;
const at = (second: number, ms = 0) => new Date((SECOND_ZERO + second) * 1000 + ms);

async function say(number: string, { isWanted, at: saidAt }: Preference): Promise<void> {
  const person = personNamed(number);
  await setMarketingPreference({ ctx, input: { person, profileName: null, isWanted, at: saidAt } });
}

async function optedOutAt(name: string): Promise<Date | null> {
  const [row] = await world.services.sql<{ at: Date | null }[]>`
    select c.marketing_opted_out_at as at from contacts c
    join contact_identities i on i.contact_id = c.id where i.handle = ${name}`;
  return row?.at ?? null;
}

/** Returns the resulting preference: the newest second counts, and within it a refusal. */
function expected(preferences: readonly Preference[]): Date | null {
  const second = (preference: Preference) => Math.floor(preference.at.getTime() / 1000);
  const newest = Math.max(...preferences.map(second));
  const isOut = preferences.some((preference) => second(preference) === newest && !preference.isWanted);
  return isOut ? new Date(newest * 1000) : null;
}

const preference = fc.record({
  isWanted: fc.boolean(),
  at: fc.tuple(fc.nat(4), fc.constantFrom(0, 300, 900)).map(([second, ms]) => at(second, ms)),
});
const preferences = fc.array(preference, { minLength: 1, maxLength: 6 });

test("in whatever order a customer's wishes come, and however often, the newest holds", async () => {
  await fc.assert(
    fc.asyncProperty(preferences, async (said) => {
      const number = newNumber();
      for (const one of said) await say(number, one);
      expect(await optedOutAt(number)).toEqual(expected(said));
    }),
    { numRuns: 80 },
  );
});

test("wishes of two contacts that turn out to be one person come to the newest of all", async () => {
  await fc.assert(
    fc.asyncProperty(preferences, preferences, async (ofNumber, ofId) => {
      const [number, userId] = [newNumber(), newUserId()];
      for (const one of ofNumber) await say(number, one);
      for (const one of ofId) await say(userId, one);
      const { organizationId } = ctx.actor;
      await world.services.sql.begin((tx) =>
        ensurePersonIn(tx, organizationId, {
          person: personNamed(number, userId),
          name: null,
          at: new Date(),
        }),
      );
      expect(await optedOutAt(number)).toEqual(expected([...ofNumber, ...ofId]));
    }),
    { numRuns: 40 },
  );
});

test("a time to come counts as now, so that a later wish still holds", async () => {
  const number = newNumber();
  await say(number, { isWanted: false, at: new Date("9999-01-01") });
  expect((await optedOutAt(number))?.getTime()).toBeLessThanOrEqual(Date.now());
  await world.services.sql`
    update contacts set marketing_wished_at = marketing_wished_at - interval '1 minute'
    where marketing_wished_at > now() - interval '1 minute'`;
  await say(number, { isWanted: true, at: new Date("9999-01-01") });
  expect(await optedOutAt(number)).toBeNull();
});

test("a refusal from before wishes had times is ended by a newer consent only", async () => {
  const { organizationId } = ctx.actor;
  const consentAt = async (second: number) => {
    const number = newNumber();
    const contactId = await world.services.sql.begin(async (tx) => {
      const made = await ensurePersonIn(tx, organizationId, {
        person: personNamed(number),
        name: null,
        at: new Date(),
      });
      await tx`update contacts set marketing_opted_out_at = ${at(5).toISOString()} where id = ${made.contactId}`;
      await recordPreferenceIn(tx, organizationId, made.contactId, {
        isWanted: true,
        at: at(second),
        source: "whatsapp",
      });
      return made.contactId;
    });
    expect(contactId).toEqual(expect.any(String));
    return optedOutAt(number);
  };
  expect(await consentAt(4)).toEqual(at(5));
  expect(await consentAt(6)).toBeNull();
});

test("a refusal in the second of a consent without a time ends it", async () => {
  const number = newNumber();
  const { organizationId } = ctx.actor;
  await say(number, { isWanted: false, at: at(1) });
  const consentedAt = await world.services.sql.begin(async (tx) => {
    const { contactId } = await ensurePersonIn(tx, organizationId, {
      person: personNamed(number),
      name: null,
      at: new Date(),
    });
    await recordPreferenceIn(tx, organizationId, contactId, { isWanted: true, at: null, source: "api" });
    const [row] = await tx<{ at: Date }[]>`
      select date_trunc('second', marketing_wished_at) as at from contacts where id = ${contactId}`;
    return row?.at ?? new Date(0);
  });
  expect(await optedOutAt(number)).toBeNull();
  await say(number, { isWanted: false, at: consentedAt });
  expect(await optedOutAt(number)).toEqual(consentedAt);
});
