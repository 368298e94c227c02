import { afterAll, beforeAll, expect, test } from "vitest";
import { endFormerSecret } from "./end-former-secret";
import { rotateKey } from "./rotate";
import { openKeyWorld, errorOf, UNKNOWN_ID } from "./testing";

let world: Awaited<ReturnType<typeof openKeyWorld>>;
beforeAll(async () => {
  world = await openKeyWorld();
});
afterAll(() => world.close());

/** A key during an overlap: its two secrets, and their ids. */
async function overlapping() {
  const { id: keyId, secret: former } = await world.newKey();
  const { secret: present } = await rotateKey({ ctx: world.ctx, input: { keyId, overlapSeconds: 3_600 } });
  const [{ secretId: presentId }, { secretId: formerId }] = await Promise.all([
    world.authenticate(present),
    world.authenticate(former),
  ]);
  return { keyId, present, presentId, former, formerId };
}

test("ends the former secret with the next request, and leaves the present one working", async () => {
  const { keyId, present, former, formerId } = await overlapping();
  await endFormerSecret({ ctx: world.ctx, input: { keyId, secretId: formerId } });
  expect(await world.stateOf(former)).toBe("api_key_revoked");
  expect(await world.stateOf(present)).toBe("live");
  expect((await world.listed(keyId))?.secrets).toHaveLength(1);
});

test("is in the audit log once, however often it is asked for, and answers when it ended", async () => {
  const { keyId, former, formerId } = await overlapping();
  const input = { keyId, secretId: formerId };
  const first = await endFormerSecret({ ctx: world.ctx, input });
  expect(await endFormerSecret({ ctx: world.ctx, input })).toEqual(first);
  const rows = (await world.auditOf(keyId)).filter(({ action }) => action === "key.former_secret_ended");
  expect(rows).toMatchObject([
    { detail: { lastFour: former.slice(-4), endsAt: { to: first.endedAt.toISOString() } } },
  ]);
});

test("a page that is out of date ends no other secret than the one that it shows", async () => {
  const { keyId, present, formerId } = await overlapping();
  await rotateKey({ ctx: world.ctx, input: { keyId, overlapSeconds: 3_600 } });
  await endFormerSecret({ ctx: world.ctx, input: { keyId, secretId: formerId } });
  expect(await world.stateOf(present)).toBe("live");
});

test("refuses the present secret, and what isn't the organization's", async () => {
  const { keyId, presentId, former, formerId } = await overlapping();
  const other = await overlapping();
  const refused = async (ctx: typeof world.ctx, input: { keyId: string; secretId: string }) =>
    errorOf(endFormerSecret({ ctx, input }));
  expect(await refused(world.ctx, { keyId, secretId: presentId })).toMatchObject({
    code: "validation_failed",
    field: "secretId",
  });
  for (const input of [
    { keyId: other.keyId, secretId: formerId },
    { keyId: UNKNOWN_ID, secretId: formerId },
    { keyId, secretId: UNKNOWN_ID },
    { keyId, secretId: "none" },
  ]) {
    expect(await refused(world.ctx, input)).toMatchObject({ code: "key_not_found" });
  }
  expect(await refused(world.foreignCtx, { keyId, secretId: formerId })).toMatchObject({
    code: "key_not_found",
  });
  expect(await world.stateOf(former)).toBe("live");
});
