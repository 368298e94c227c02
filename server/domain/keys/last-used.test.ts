import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool } from "@/db/client";
import { newId } from "@/db/schema";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { authenticateKey } from "@/server/domain/keys/authenticate";
import { createKey } from "@/server/domain/keys/create";
import { createKeyUsage, type KeyUsageOptions } from "@/server/domain/keys/last-used";
import { listKeys } from "@/server/domain/keys/list";
import { rotateKey } from "@/server/domain/keys/rotate";
import { createTestOrganization, openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { eventually } from "@/e2e/support/eventually";

let world: TestWorld;
let ctx: Context<SystemActor>;

beforeAll(async () => {
  world = await openTestWorld();
  ctx = await createTestOrganization(world.services);
});
afterAll(() => world.close());

const silent = pino({ level: "silent" });

async function newActor() {
  const { secret } = await createKey({ ctx, input: { name: "Used" } });
  return actorOf(secret);
}

const actorOf = (secret: string) =>
  authenticateKey({ services: world.services, authorization: undefined, xApiKey: secret });

async function lastUsedOf(keyId: string): Promise<Date | undefined> {
  const [row] = await world.database.sql<{ at: Date }[]>`
    select last_used_at as at from api_key_usage where key_id = ${keyId}`;
  return row?.at;
}

/** Records the keys of each write. */
function usageWithWrites(options: Partial<KeyUsageOptions> = {}) {
  const writes: string[][] = [];
  const sql = new Proxy(world.services.sql, {
    apply(target, self, args: [TemplateStringsArray, string[], ...unknown[]]) {
      writes.push(args[1]);
      return Reflect.apply(target, self, args);
    },
  });
  return { writes, usage: createKeyUsage({ sql, log: silent, lingerMs: 5, ...options }) };
}

test("many uses of many keys become one statement, by the database's clock", async () => {
  const actors = await Promise.all([newActor(), newActor(), newActor()]);
  const { usage, writes } = usageWithWrites();
  for (let i = 0; i < 100; i += 1) for (const actor of actors) usage.touch(actor);
  for (const { keyId } of actors) await eventually(async () => expect(await lastUsedOf(keyId)).toBeDefined());
  expect(writes).toEqual([actors.map((actor) => actor.keyId).sort()]);
  const [row] = await world.database.sql<{ age: number }[]>`
    select extract(epoch from clock_timestamp() - max(last_used_at))::float8 as age from api_key_usage`;
  expect(row?.age).toBeGreaterThanOrEqual(0);
  expect(row?.age).toBeLessThan(5);
  const { data } = await listKeys({ ctx, input: {} });
  expect(data.find((key) => key.id === actors[0]?.keyId)?.lastUsedAt).toBeInstanceOf(Date);
  await usage.stop();
});

test("one key is written at most once in the set time; what came later is written at the stop", async () => {
  const [first, second] = [await newActor(), await newActor()];
  const { usage, writes } = usageWithWrites();
  usage.touch(first);
  await eventually(async () => expect(await lastUsedOf(first.keyId)).toBeDefined());
  const written = await lastUsedOf(first.keyId);
  usage.touch(first);
  usage.touch(second);
  await eventually(async () => expect(await lastUsedOf(second.keyId)).toBeDefined());
  expect(writes).toEqual([[first.keyId], [second.keyId]]);
  expect(await lastUsedOf(first.keyId)).toEqual(written);
  await usage.stop();
  expect(writes.at(-1)).toEqual([first.keyId]);
  expect((await lastUsedOf(first.keyId))?.getTime()).toBeGreaterThan(written?.getTime() ?? Infinity);
});

test("a key that is used on and on is written again after the set time", async () => {
  const actor = await newActor();
  const { usage, writes } = usageWithWrites({ perSecretMs: 20 });
  await eventually(() => {
    usage.touch(actor);
    expect(writes.length).toBeGreaterThan(2);
  });
  await usage.stop();
});

test("tells of two secrets of a key when each was used, and of the key the later one", async () => {
  const { id, secret } = await createKey({ ctx, input: { name: "Two secrets" } });
  const former = await actorOf(secret);
  const rotated = await rotateKey({ ctx, input: { keyId: id, overlapSeconds: 100 } });
  const present = await actorOf(rotated.secret);
  const { usage } = usageWithWrites();
  const read = async () => (await listKeys({ ctx, input: { q: id } })).data[0];
  usage.touch(former);
  await eventually(async () => expect(await lastUsedOf(id)).toBeDefined());
  expect((await read())?.secrets).toMatchObject([{ lastUsedAt: null }, { lastUsedAt: await lastUsedOf(id) }]);
  usage.touch(present);
  usage.touch(former);
  await usage.stop();
  const key = await read();
  const times = key?.secrets.map(({ lastUsedAt }) => lastUsedAt?.getTime() ?? 0) ?? [];
  expect(Math.min(...times)).toBeGreaterThan(0);
  expect(key?.lastUsedAt?.getTime()).toBe(Math.max(...times));
});

test("never moves backwards, whichever process writes last", async () => {
  const actor = await newActor();
  const future = new Date(Date.now() + 3_600_000);
  await world.database.sql`insert into api_key_usage (organization_id, key_id, last_used_at)
    values (${actor.organizationId}, ${actor.keyId}, ${future})`;
  const { usage, writes } = usageWithWrites();
  usage.touch(actor);
  await usage.stop();
  expect(writes).toHaveLength(1);
  expect(await lastUsedOf(actor.keyId)).toEqual(future);
});

test("while the database is away nothing throws, and the use is written when it is back", async () => {
  const actor = await newActor();
  const dead = createPool({ ...world.database.connection, port: 1 }, { name: "dead", connectionsMax: 1 });
  let pool = dead;
  const sql = new Proxy(world.services.sql, { apply: (_, self, args) => Reflect.apply(pool, self, args) });
  const warnings: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void warnings.push(line) });
  const usage = createKeyUsage({ sql, log, lingerMs: 5 });
  usage.touch(actor);
  await eventually(() => expect(warnings.length).toBeGreaterThan(0));
  expect(await lastUsedOf(actor.keyId)).toBeUndefined();
  pool = world.services.sql;
  await eventually(async () => expect(await lastUsedOf(actor.keyId)).toBeDefined());
  await usage.stop();
  await dead.end({ timeout: 0 });
});

test("stop never throws, not even for a key that isn't there", async () => {
  const { usage } = usageWithWrites();
  usage.touch({ organizationId: ctx.actor.organizationId, keyId: newId(), secretId: newId() });
  await expect(usage.stop()).resolves.toBeUndefined();
});
