import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asMember, connectTestChannel } from "@/server/domain/organizations/testing";
import { revokeKey } from "./revoke";
import { rotateKey } from "./rotate";
import type { SetKeyInput } from "./schemas";
import { setKey } from "./set";
import { openKeyWorld, errorOf, UNKNOWN_ID } from "./testing";

let world: Awaited<ReturnType<typeof openKeyWorld>>;
beforeAll(async () => void (world = await openKeyWorld()));
afterAll(() => world.close());

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);

const set = (keyId: string, settings: Omit<SetKeyInput, "keyId">, ctx = world.ctx) =>
  setKey({ ctx, input: { keyId, ...settings } });

/** As seen by the key's next request. */
async function limitsOf(secret: string) {
  const { sendLimit, readLimit } = await world.authenticate(secret);
  return { sendLimit, readLimit };
}

describe("a setting", () => {
  test("counts from the next request on, what isn't given stays, and who set it is written down", async () => {
    const { id: keyId, secret } = await world.newKey();
    expect(await limitsOf(secret)).toEqual({ sendLimit: 60, readLimit: 600 });
    await set(keyId, { sendLimit: 600 });
    expect(await limitsOf(secret)).toEqual({ sendLimit: 600, readLimit: 600 });
    await set(keyId, { readLimit: 1, name: "Shop" });
    expect(await limitsOf(secret)).toEqual({ sendLimit: 600, readLimit: 1 });
    expect((await world.auditOf(keyId)).slice(1)).toMatchObject([
      { action: "key.set", detail: { from: { sendLimit: 60 }, to: { sendLimit: 600 } } },
      {
        action: "key.set",
        detail: { from: { name: "Test key", readLimit: 600 }, to: { name: "Shop", readLimit: 1 } },
      },
    ]);
    expect((await world.listed(keyId))?.name).toBe("Shop");
  });

  test("that a key has already changes nothing, and is written down nowhere", async () => {
    const expiresAt = inHours(2);
    const channelIds = [await connectTestChannel(world.ctx)];
    const { id: keyId } = await world.newKey({ channelIds });
    await set(keyId, { expiresAt: expiresAt.toISOString() });
    const same = { expiresAt: expiresAt.toISOString(), channelIds, name: "Test key", sendLimit: 60 };
    expect(await set(keyId, same)).toEqual({ ...same, expiresAt, readLimit: 600 });
    expect((await world.auditOf(keyId)).map(({ action }) => action)).toEqual(["key.created", "key.set"]);
  });

  test.each([
    {},
    { sendLimit: 0 },
    { readLimit: 1_000_001 },
    { sendLimit: 1.5 },
    { name: " " },
    { channelIds: [] },
    { channelIds: [UNKNOWN_ID] },
    { expiresAt: "tomorrow" },
    { expiresAt: "2020-01-01T00:00:00Z" },
  ])("can't be %o, and then none is set", async (settings) => {
    const { id: keyId } = await world.newKey();
    const before = await world.listed(keyId);
    const valid = Object.keys(settings).length === 0 ? {} : { readLimit: 7 };
    const error = await errorOf(set(keyId, { ...valid, ...settings }));
    expect(error?.code).toBe("validation_failed");
    expect(await world.listed(keyId)).toEqual(before);
  });
});

describe("the expiry", () => {
  test("is moved and taken away, and no overlap outlives it", async () => {
    const { id: keyId, secret } = await world.newKey({ expiresInSeconds: 10 });
    await rotateKey({ ctx: world.ctx, input: { keyId, overlapSeconds: 0 } });
    await set(keyId, { expiresAt: null });
    await rotateKey({ ctx: world.ctx, input: { keyId, overlapSeconds: 86_400 } });
    const expiresAt = inHours(1);
    expect((await set(keyId, { expiresAt: expiresAt.toISOString() })).expiresAt).toEqual(expiresAt);
    expect((await world.listed(keyId))?.secrets.map(({ endsAt }) => endsAt)).toEqual([null, expiresAt]);
    expect(await world.stateOf(secret)).toBe("api_key_revoked");
  });

  test("of a key that has expired or was revoked stays as it is: neither works again", async () => {
    const expired = await world.newKey({ expiresInSeconds: 60 });
    await world.database.sql`update api_keys set expires_at = now() where id = ${expired.id}`;
    const revoked = await world.newKey();
    await revokeKey({ ctx: world.ctx, input: { keyId: revoked.id } });
    for (const { id, secret } of [expired, revoked]) {
      const before = await world.stateOf(secret);
      const error = await errorOf(set(id, { expiresAt: inHours(5).toISOString() }));
      expect(error?.code).toBe("key_not_extendable");
      await set(id, { name: "Was in the shop" });
      expect(await world.stateOf(secret)).toBe(before);
    }
    expect(await world.stateOf(expired.secret)).toBe("api_key_expired");
  });
});

test("the allowed channels count from the next request on, and another organization's is none", async () => {
  const { id: keyId, secret } = await world.newKey();
  const channelId = await connectTestChannel(world.ctx);
  await set(keyId, { channelIds: [channelId] });
  expect((await world.authenticate(secret)).channelIds).toEqual([channelId]);
  const foreign = await connectTestChannel(world.foreignCtx);
  expect(await errorOf(set(keyId, { channelIds: [foreign] }))).toMatchObject({
    code: "validation_failed",
    field: "channelIds",
  });
  await set(keyId, { channelIds: null });
  expect((await world.authenticate(secret)).channelIds).toBeNull();
});

test("another organization's key is answered like an unknown one, and an agent may set none", async () => {
  const { id: keyId, secret } = await world.newKey();
  const refusals = [
    await errorOf(set(keyId, { sendLimit: 1 }, world.foreignCtx)),
    await errorOf(set(UNKNOWN_ID, { sendLimit: 1 })),
  ];
  expect(refusals.map((error) => error?.code)).toEqual(["key_not_found", "key_not_found"]);
  const agent = await asMember(world.ctx, "agent");
  const error = await errorOf(setKey({ ctx: agent, input: { keyId, sendLimit: 1 } }));
  expect(error?.code).toBe("permission_denied");
  expect(await limitsOf(secret)).toEqual({ sendLimit: 60, readLimit: 600 });
});
