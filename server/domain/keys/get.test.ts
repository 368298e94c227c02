import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asMember } from "@/server/domain/organizations/testing";
import { createKey } from "./create";
import { getKey } from "./get";
import { revokeKey } from "./revoke";
import { generateSecret } from "./secret";
import { openKeyWorld, errorOf, UNKNOWN_ID } from "./testing";

let world: Awaited<ReturnType<typeof openKeyWorld>>;
beforeAll(async () => void (world = await openKeyWorld()));
afterAll(() => world.close());

test("a key is shown as in the list, with the name of who made it", async () => {
  const admin = await asMember(world.ctx, "admin");
  const byAdmin = await createKey({ ctx: admin, input: { name: "Shop" } });
  expect(await getKey({ ctx: admin, input: { keyId: byAdmin.id } })).toEqual({
    ...(await world.listed(byAdmin.id)),
    createdByName: "admin",
  });
  const byOperator = await world.newKey();
  const { createdBy, createdByName } = await getKey({ ctx: admin, input: { keyId: byOperator.id } });
  expect({ createdBy, createdByName }).toEqual({ createdBy: null, createdByName: null });
});

test("another organization's key is answered like an unknown one, and an agent sees none", async () => {
  const { id } = await world.newKey();
  const get = (ctx: typeof world.ctx, keyId: string) => errorOf(getKey({ ctx, input: { keyId } }));
  const refusals = [
    await get(world.foreignCtx, id),
    await get(world.ctx, UNKNOWN_ID),
    await get(world.ctx, "no-id"),
  ];
  expect(new Set(refusals.map((error) => JSON.stringify(error))).size).toBe(1);
  expect(refusals[0]?.code).toBe("key_not_found");
  const agent = await asMember(world.ctx, "agent");
  expect((await errorOf(getKey({ ctx: agent, input: { keyId: id } })))?.code).toBe("permission_denied");
});

describe("a key is pointed out", () => {
  interface Story {
    readonly ageDays: number;
    readonly lastUsedDays: number | null;
    readonly expiresInDays?: number;
  }
  const stories: readonly (readonly [string, Story, { isUnused: boolean; expiresSoon: boolean }])[] = [
    ["new and never used", { ageDays: 29, lastUsedDays: null }, { isUnused: false, expiresSoon: false }],
    ["never used for 30 days", { ageDays: 31, lastUsedDays: null }, { isUnused: true, expiresSoon: false }],
    ["used lately", { ageDays: 200, lastUsedDays: 89 }, { isUnused: false, expiresSoon: false }],
    ["not used for 90 days", { ageDays: 200, lastUsedDays: 91 }, { isUnused: true, expiresSoon: false }],
    [
      "about to expire",
      { ageDays: 1, lastUsedDays: null, expiresInDays: 13 },
      { isUnused: false, expiresSoon: true },
    ],
    [
      "far from expiry",
      { ageDays: 1, lastUsedDays: null, expiresInDays: 15 },
      { isUnused: false, expiresSoon: false },
    ],
    [
      "expired",
      { ageDays: 200, lastUsedDays: null, expiresInDays: -1 },
      { isUnused: false, expiresSoon: false },
    ],
  ];

  test.each(stories)("or not: %s", async (_, { ageDays, lastUsedDays, expiresInDays }, pointedOut) => {
    const { id } = await world.newKey();
    const { sql } = world.database;
    await sql`
      update api_keys set created_at = now() - make_interval(days => ${ageDays}),
        expires_at = now() + make_interval(days => ${expiresInDays ?? null}::int) where id = ${id}`;
    if (lastUsedDays !== null) {
      await sql`
        insert into api_key_usage (organization_id, key_id, last_used_at)
        values (${world.ctx.actor.organizationId}, ${id}, now() - make_interval(days => ${lastUsedDays}))`;
    }
    expect(await world.listed(id)).toMatchObject(pointedOut);
  });

  test("never, once it is revoked", async () => {
    const { id } = await world.newKey({ expiresInSeconds: 60 });
    await world.database.sql`update api_keys set created_at = now() - interval '1 year' where id = ${id}`;
    expect(await world.listed(id)).toMatchObject({ isUnused: true, expiresSoon: true });
    await revokeKey({ ctx: world.ctx, input: { keyId: id } });
    expect(await world.listed(id)).toMatchObject({ isUnused: false, expiresSoon: false });
  });
});

test("why a key was revoked is in the audit log, without a secret that stands in it", async () => {
  const { id } = await world.newKey();
  const { secret } = generateSecret();
  await revokeKey({ ctx: world.ctx, input: { keyId: id, reason: ` Found ${secret} in a chat ` } });
  const [, row] = await world.auditOf(id);
  expect(row).toMatchObject({
    action: "key.revoked",
    detail: { reason: expect.stringMatching(/^Found .* in a chat$/) },
  });
  expect(JSON.stringify(row)).not.toContain(secret.slice(12, -4));
  const other = await world.newKey();
  const tooLong = revokeKey({ ctx: world.ctx, input: { keyId: other.id, reason: "x".repeat(501) } });
  expect(await errorOf(tooLong)).toMatchObject({ code: "validation_failed", field: "reason" });
  expect(await world.stateOf(other.secret)).toBe("live");
});
