import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { revokeKey } from "@/server/domain/keys/revoke";
import { rotateKey } from "@/server/domain/keys/rotate";
import { openKeyWorld, errorOf } from "@/server/domain/keys/testing";

let world: Awaited<ReturnType<typeof openKeyWorld>>;
beforeAll(async () => {
  world = await openKeyWorld();
});
afterAll(() => world.close());

async function secondsUntilEnd(secret: string): Promise<number | null> {
  const [row] = await world.database.sql<{ seconds: number | null }[]>`
    select extract(epoch from ends_at - clock_timestamp())::float8 as seconds from api_key_secrets
    where last_four = ${secret.slice(-4)} and display_prefix = ${secret.slice(0, 12)}`;
  return row?.seconds ?? null;
}

describe("rotateKey", () => {
  test("keeps the key's id and all it is, and without an overlap ends the old secret at once", async () => {
    const key = await world.newKey({
      name: "Shop",
      scopes: ["messages:send"],
      sendLimit: 9,
      expiresInSeconds: 3600,
    });
    const rotated = await rotateKey({ ctx: world.ctx, input: { keyId: key.id, overlapSeconds: 0 } });
    expect({ ...rotated, secret: null }).toEqual({ ...key, secret: null });
    expect(rotated.secret).not.toBe(key.secret);
    expect(await world.stateOf(key.secret)).toBe("api_key_revoked");
    expect((await world.authenticate(rotated.secret)).keyId).toBe(key.id);
  });

  test("an overlap leaves the old secret working until it ends", async () => {
    const key = await world.newKey();
    const rotated = await rotateKey({ ctx: world.ctx, input: { keyId: key.id, overlapSeconds: 100 } });
    expect(await world.stateOf(key.secret)).toBe("live");
    expect(await world.stateOf(rotated.secret)).toBe("live");
    expect(await secondsUntilEnd(key.secret)).toBeGreaterThan(90);
    expect(await secondsUntilEnd(key.secret)).toBeLessThanOrEqual(100);
    await world.database.sql`update api_key_secrets set ends_at = clock_timestamp()
      where key_id = ${key.id} and ends_at is not null`;
    expect(await world.stateOf(key.secret)).toBe("api_key_revoked");
    expect(await world.stateOf(rotated.secret)).toBe("live");
  });

  test("an overlap never reaches past the key's expiry, however long it is", async () => {
    const key = await world.newKey({ expiresInSeconds: 50 });
    await rotateKey({ ctx: world.ctx, input: { keyId: key.id, overlapSeconds: Number.MAX_SAFE_INTEGER } });
    const seconds = await secondsUntilEnd(key.secret);
    expect(seconds).toBeGreaterThan(40);
    expect(seconds).toBeLessThanOrEqual(50);
  });

  test("at most two secrets work: rotating during an overlap ends the oldest", async () => {
    const key = await world.newKey();
    const second = await rotateKey({ ctx: world.ctx, input: { keyId: key.id, overlapSeconds: 1000 } });
    const third = await rotateKey({ ctx: world.ctx, input: { keyId: key.id, overlapSeconds: 1000 } });
    expect(await world.stateOf(key.secret)).toBe("api_key_revoked");
    expect(await world.stateOf(second.secret)).toBe("live");
    expect(await world.stateOf(third.secret)).toBe("live");
    expect((await world.listed(key.id))?.secrets.map((secret) => secret.lastFour)).toEqual([
      third.secret.slice(-4),
      second.secret.slice(-4),
    ]);
  });

  test("scopes change for both secrets at once, and stay when not given", async () => {
    const key = await world.newKey({ scopes: ["messages:send"] });
    const second = await rotateKey({ ctx: world.ctx, input: { keyId: key.id, overlapSeconds: 1000 } });
    expect(second.scopes).toEqual(["messages:send"]);
    const scopes = ["messages:read", "webhooks:manage"] as const;
    const third = await rotateKey({
      ctx: world.ctx,
      input: { keyId: key.id, overlapSeconds: 1000, scopes: [...scopes] },
    });
    expect(third.scopes).toEqual(scopes);
    expect((await world.authenticate(second.secret)).scopes).toEqual(scopes);
    expect((await world.authenticate(third.secret)).scopes).toEqual(scopes);
  });

  test("rotations at once follow one another: one secret is left", async () => {
    const key = await world.newKey();
    const rotations = Array.from({ length: 8 }, () =>
      rotateKey({ ctx: world.ctx, input: { keyId: key.id, overlapSeconds: 0 } }),
    );
    const secrets = (await Promise.all(rotations)).map((rotated) => rotated.secret);
    const states = await Promise.all(secrets.map(world.stateOf));
    expect(states.filter((state) => state === "live")).toHaveLength(1);
    expect(await world.stateOf(key.secret)).toBe("api_key_revoked");
    const current = await world.database
      .sql`select 1 from api_key_secrets where key_id = ${key.id} and ends_at is null`;
    expect(current).toHaveLength(1);
  });

  test("a rotation and a revocation at once leave no secret that works", async () => {
    for (let i = 0; i < 5; i += 1) {
      const key = await world.newKey();
      const rotation = rotateKey({ ctx: world.ctx, input: { keyId: key.id, overlapSeconds: 60 } });
      const [rotated] = await Promise.allSettled([
        rotation,
        revokeKey({ ctx: world.ctx, input: { keyId: key.id } }),
      ]);
      const secrets = [key.secret, ...(rotated.status === "fulfilled" ? [rotated.value.secret] : [])];
      expect(new Set(await Promise.all(secrets.map(world.stateOf)))).toEqual(new Set(["api_key_revoked"]));
    }
  });

  test("a revoked or expired key is not rotatable", async () => {
    const revoked = await world.newKey();
    await revokeKey({ ctx: world.ctx, input: { keyId: revoked.id } });
    const expired = await world.newKey({ expiresInSeconds: 3600 });
    await world.database.sql`update api_keys set expires_at = now() where id = ${expired.id}`;
    for (const { id } of [revoked, expired]) {
      const error = await errorOf(rotateKey({ ctx: world.ctx, input: { keyId: id, overlapSeconds: 0 } }));
      expect(error?.code).toBe("key_not_rotatable");
      expect((await world.auditOf(id)).map((row) => row.action)).not.toContain("key.rotated");
    }
  });

  test.each([-1, 0.5, Number.NaN])("refuses an overlap of %d seconds", async (overlapSeconds) => {
    const key = await world.newKey();
    const error = await errorOf(rotateKey({ ctx: world.ctx, input: { keyId: key.id, overlapSeconds } }));
    expect(error).toMatchObject({ code: "validation_failed", field: "overlapSeconds" });
    expect(await world.stateOf(key.secret)).toBe("live");
  });
});
