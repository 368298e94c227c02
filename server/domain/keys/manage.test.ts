import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_SCOPES } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { organizationOfKey } from "@/server/ops/cli/claim";
import { createKey } from "@/server/domain/keys/create";
import { listKeys } from "@/server/domain/keys/list";
import { keyOptions } from "@/server/domain/keys/options";
import { revokeKey } from "@/server/domain/keys/revoke";
import { rotateKey } from "@/server/domain/keys/rotate";
import { openKeyWorld, errorOf, UNKNOWN_ID } from "@/server/domain/keys/testing";
import type { KeyStatus } from "@/server/domain/keys/views";
import { asMember } from "@/server/domain/organizations/testing";

let world: Awaited<ReturnType<typeof openKeyWorld>>;
beforeAll(async () => {
  world = await openKeyWorld();
});
afterAll(() => world.close());

describe("revokeKey", () => {
  test("can be repeated: the time of the first stays, and one audit row is written", async () => {
    const key = await world.newKey();
    const first = await revokeKey({ ctx: world.ctx, input: { keyId: key.id } });
    const second = await revokeKey({ ctx: world.ctx, input: { keyId: key.id } });
    expect(second).toEqual(first);
    expect((await world.auditOf(key.id)).map((row) => row.action)).toEqual(["key.created", "key.revoked"]);
  });
});

describe("another organization's key", () => {
  test("is answered exactly like an unknown and like a malformed id, and is left alone", async () => {
    const foreign = await createKey({ ctx: world.foreignCtx, input: { name: "Foreign" } });
    const ids = [foreign.id, UNKNOWN_ID, "no-id", ""];
    const rotations = ids.map((keyId) =>
      errorOf(rotateKey({ ctx: world.ctx, input: { keyId, overlapSeconds: 0 } })),
    );
    const revocations = ids.map((keyId) => errorOf(revokeKey({ ctx: world.ctx, input: { keyId } })));
    const refusals = await Promise.all([...rotations, ...revocations]);
    expect(new Set(refusals.map((error) => JSON.stringify(error))).size).toBe(1);
    expect(refusals[0]?.code).toBe("key_not_found");
    expect(await world.stateOf(foreign.secret)).toBe("live");
    expect(await world.listed(foreign.id)).toBeUndefined();
  });
});

describe("listKeys", () => {
  test("shows the newest first, with status and what may be seen of the secrets", async () => {
    const live = await world.newKey({ name: "Live" });
    const expired = await world.newKey({ name: "Expired", expiresInSeconds: 3600 });
    const revoked = await world.newKey({ name: "Revoked" });
    await world.database.sql`update api_keys set expires_at = now() where id = ${expired.id}`;
    await revokeKey({ ctx: world.ctx, input: { keyId: revoked.id } });
    const { data } = await listKeys({ ctx: world.ctx, input: { limit: 3 } });
    expect(data.map((key) => [key.name, key.status, key.secrets.length])).toEqual([
      ["Revoked", "revoked", 0],
      ["Expired", "expired", 0],
      ["Live", "live", 1],
    ]);
    expect(JSON.stringify(data)).not.toContain(live.secret.slice(12));
    expect((await world.listed(live.id))?.secrets[0]).toMatchObject({
      prefix: live.secret.slice(0, 12),
      lastFour: live.secret.slice(-4),
      endsAt: null,
    });
  });

  test("shows those of the statuses that are asked for, page by page", async () => {
    const listed = async (statuses: KeyStatus[]) =>
      (await listKeys({ ctx: world.ctx, input: { statuses, limit: 200 } })).data;
    const live = await world.newKey();
    const expired = await world.newKey({ expiresInSeconds: 3600 });
    const revoked = await world.newKey();
    await world.database.sql`update api_keys set expires_at = now() where id = ${expired.id}`;
    await revokeKey({ ctx: world.ctx, input: { keyId: revoked.id } });
    for (const [statuses, id] of [
      [["live"], live.id],
      [["expired"], expired.id],
      [["revoked"], revoked.id],
    ] as const) {
      const keys = await listed([...statuses]);
      expect(keys[0]?.id).toBe(id);
      expect(new Set(keys.map(({ status }) => status))).toEqual(new Set(statuses));
    }
    const first = await listKeys({ ctx: world.ctx, input: { statuses: ["live", "revoked"], limit: 1 } });
    const second = await listKeys({
      ctx: world.ctx,
      input: { statuses: ["live", "revoked"], limit: 1, cursor: first.nextCursor },
    });
    expect([first.data[0]?.id, second.data[0]?.id]).toEqual([revoked.id, live.id]);
  });

  test("shows those of which a part of the name, or the id, is asked for", async () => {
    const { id } = await createKey({ ctx: world.ctx, input: { name: "Über 100%_Shop" } });
    await createKey({ ctx: world.ctx, input: { name: "Uber 100 Shops" } });
    const idsOf = async (q: string) =>
      (await listKeys({ ctx: world.ctx, input: { q } })).data.map((key) => key.id);
    for (const q of ["Über", "über", "%_sh", ` ${id} `]) expect(await idsOf(q)).toEqual([id]);
    expect(await idsOf("no such name")).toEqual([]);
  });

  test("pages reach every key once", async () => {
    const all = (await listKeys({ ctx: world.ctx, input: { limit: 200 } })).data.map((key) => key.id);
    const paged: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listKeys>> = await listKeys({
        ctx: world.ctx,
        input: { limit: 7, cursor },
      });
      paged.push(...page.data.map((key) => key.id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(paged).toEqual(all);
  });
});

test("each act is in the audit log with its actor, and no secret is in any table", async () => {
  const admin = await asMember(world.ctx, "admin");
  const key = await createKey({ ctx: admin, input: { name: "Audited" } });
  const rotated = await rotateKey({
    ctx: admin,
    input: { keyId: key.id, overlapSeconds: 60, scopes: ["messages:read"] },
  });
  await revokeKey({ ctx: admin, input: { keyId: key.id } });
  const rows = await world.auditOf(key.id);
  expect(rows.map((row) => row.action)).toEqual(["key.created", "key.rotated", "key.revoked"]);
  expect(rows.every((row) => row.actor_kind === "member" && row.actor_id === admin.actor.memberId)).toBe(
    true,
  );
  expect(rows[1]?.detail).toMatchObject({
    scopesBefore: [...DEFAULT_SCOPES],
    scopesAfter: ["messages:read"],
  });
  expect((await world.listed(key.id))?.createdBy).toBe(admin.actor.memberId);
  const tables = await world.database.sql<{ all: string }[]>`
    select (select string_agg(a::text, '') from audit_log a) || (select string_agg(k::text, '') from api_keys k)
        || (select string_agg(s::text, '') from api_key_secrets s) as all`;
  for (const { secret } of [key, rotated]) {
    expect(tables[0]?.all).toContain(secret.slice(0, 12));
    expect(tables[0]?.all).not.toContain(secret.slice(12, -4));
  }
});

describe("integrations.manage_api", () => {
  const acts = [
    (as: Context) => createKey({ ctx: as, input: { name: "X" } }),
    (as: Context, keyId: string) => rotateKey({ ctx: as, input: { keyId, overlapSeconds: 0 } }),
    (as: Context) => listKeys({ ctx: as, input: {} }),
    (as: Context) => keyOptions({ ctx: as }),
    (as: Context, keyId: string) => revokeKey({ ctx: as, input: { keyId } }),
  ];

  test("is what owner, admin and a member who was given it have", async () => {
    for (const as of [
      await asMember(world.ctx, "owner"),
      await asMember(world.ctx, "admin"),
      await asMember(world.ctx, "agent", ["integrations.manage_api"]),
    ]) {
      const { id } = await world.newKey();
      for (const act of acts) await expect(act(as, id)).resolves.toBeDefined();
    }
  });

  test("an agent lacks it, and so does any key: every act is permission_denied", async () => {
    const { id, secret } = await world.newKey();
    const key = await world.authenticate(secret);
    for (const as of [await asMember(world.ctx, "agent"), { ...world.ctx, actor: key }]) {
      const codes = await Promise.all(acts.map(async (act) => (await errorOf(act(as, id)))?.code));
      expect(new Set(codes)).toEqual(new Set(["permission_denied"]));
    }
    expect(await world.stateOf(secret)).toBe("live");
  });
});

test("keyOptions names every scope, the webhooks' as no default, and the limits that a new key has", async () => {
  const options = await keyOptions({ ctx: world.ctx });
  expect(options.scopes.filter(({ isDefault }) => isDefault).map(({ name }) => name)).toEqual(DEFAULT_SCOPES);
  expect(options.scopes.filter(({ isDefault }) => !isDefault).map(({ name }) => name)).toEqual([
    "webhooks:manage",
  ]);
  const { sendLimit, readLimit } = await world.newKey();
  expect(options).toMatchObject({ sendLimitDefault: sendLimit, readLimitDefault: readLimit });
});

test("organizationOfKey finds whose a key is, and nothing for what isn't one", async () => {
  const { id } = await world.newKey();
  expect(await organizationOfKey(world.services.orm, id)).toBe(world.ctx.actor.organizationId);
  expect(await organizationOfKey(world.services.orm, UNKNOWN_ID)).toBeNull();
  expect(await organizationOfKey(world.services.orm, "'; drop table api_keys")).toBeNull();
});
