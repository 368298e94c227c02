import { afterAll, beforeAll, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import { t } from "@/server/core/trpc";
import type { Context } from "@/server/core/context";
import { authenticateKey } from "@/server/domain/keys/authenticate";
import { keysRouter } from "@/server/domain/keys/router";
import {
  asMember,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";

let world: TestWorld;
let ctx: Context<SystemActor>;
const callerOf = t.createCallerFactory(keysRouter);

beforeAll(async () => {
  world = await openTestWorld();
  ctx = await createTestOrganization(world.services);
});
afterAll(() => world.close());

const authenticate = (secret: string) =>
  authenticateKey({ services: world.services, authorization: `Bearer ${secret}`, xApiKey: undefined });

test("an admin creates, lists, rotates and revokes", async () => {
  const keys = callerOf(await asMember(ctx, "admin"));
  const created = await keys.create({ name: "Shop" });
  expect((await authenticate(created.secret)).keyId).toBe(created.id);
  const rotated = await keys.rotate({ keyId: created.id, overlapSeconds: 0 });
  await expect(authenticate(created.secret)).rejects.toMatchObject({ code: "api_key_revoked" });
  expect((await keys.list({})).data.map((key) => key.id)).toEqual([created.id]);
  await keys.revoke({ keyId: created.id });
  await expect(authenticate(rotated.secret)).rejects.toMatchObject({ code: "api_key_revoked" });
});

test("an agent and a key are refused before their input is looked at", async () => {
  const { secret } = await callerOf(ctx).create({ name: "Key" });
  for (const as of [await asMember(ctx, "agent"), { ...ctx, actor: await authenticate(secret) }]) {
    await expect(callerOf(as).create({ name: "" })).rejects.toMatchObject({
      cause: { code: "permission_denied" },
    });
    await expect(callerOf(as).list({})).rejects.toMatchObject({ cause: { code: "permission_denied" } });
  }
});

test("an unknown field is refused by name", async () => {
  const wrong = Object.assign({ name: "Key" }, { organizationId: ctx.actor.organizationId });
  await expect(callerOf(ctx).create(wrong)).rejects.toMatchObject({
    cause: { code: "validation_failed", field: "organizationId" },
  });
});
