import { afterAll, beforeAll, expect, test } from "vitest";
import { asMember } from "@/server/organizations/testing";
import { authenticateKey } from "./authenticate";
import { setKey } from "./set";
import { openKeyWorld, refusalOf, UNKNOWN_ID } from "./testing";

let world: Awaited<ReturnType<typeof openKeyWorld>>;
beforeAll(async () => void (world = await openKeyWorld()));
afterAll(() => world.close());

/** As the next request of the key finds them. */
async function limitsOf(secret: string) {
  const { services } = world;
  const { sendLimit, readLimit } = await authenticateKey({
    services,
    authorization: undefined,
    xApiKey: secret,
  });
  return { sendLimit, readLimit };
}

test("a limit that is set counts from the next request on, what isn't given stays, and who set it is written down", async () => {
  const { id: keyId, secret } = await world.newKey();
  expect(await limitsOf(secret)).toEqual({ sendLimit: 60, readLimit: 600 });
  await setKey({ ctx: world.ctx, input: { keyId, sendLimit: 600 } });
  expect(await limitsOf(secret)).toEqual({ sendLimit: 600, readLimit: 600 });
  await setKey({ ctx: world.ctx, input: { keyId, readLimit: 1 } });
  expect(await limitsOf(secret)).toEqual({ sendLimit: 600, readLimit: 1 });
  expect((await world.auditOf(keyId)).slice(1)).toMatchObject([
    {
      action: "key.limits_set",
      detail: { from: { sendLimit: 60, readLimit: 600 }, to: { sendLimit: 600, readLimit: 600 } },
    },
    { action: "key.limits_set", detail: { to: { sendLimit: 600, readLimit: 1 } } },
  ]);
});

test("what a key has already changes nothing, and is written down nowhere", async () => {
  const { id: keyId } = await world.newKey();
  const input = { keyId, sendLimit: 60, readLimit: 600 };
  expect(await setKey({ ctx: world.ctx, input })).toEqual({ sendLimit: 60, readLimit: 600 });
  expect((await world.auditOf(keyId)).map(({ action }) => action)).toEqual(["key.created"]);
});

test.each([{}, { sendLimit: 0 }, { readLimit: 1_000_001 }, { sendLimit: 1.5 }])(
  "%o can't be set",
  async (limits) => {
    const { id: keyId, secret } = await world.newKey();
    const refusal = await refusalOf(setKey({ ctx: world.ctx, input: { keyId, ...limits } }));
    expect(refusal?.code).toBe("validation_failed");
    expect(await limitsOf(secret)).toEqual({ sendLimit: 60, readLimit: 600 });
  },
);

test("another organization's key is answered like an unknown one, and an agent may set none", async () => {
  const { id: keyId, secret } = await world.newKey();
  const set = (ctx: typeof world.ctx, id: string) =>
    refusalOf(setKey({ ctx, input: { keyId: id, sendLimit: 1 } }));
  const refusals = [await set(world.foreignCtx, keyId), await set(world.ctx, UNKNOWN_ID)];
  expect(refusals.map((refusal) => refusal?.code)).toEqual(["key_not_found", "key_not_found"]);
  const agent = await asMember(world.ctx, "agent");
  const refusal = await refusalOf(setKey({ ctx: agent, input: { keyId, sendLimit: 1 } }));
  expect(refusal?.code).toBe("permission_denied");
  expect(await limitsOf(secret)).toEqual({ sendLimit: 60, readLimit: 600 });
});
