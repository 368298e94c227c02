import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createPool } from "@/db/client";
import type { Context } from "@/server/core/context";
import type { SystemActor } from "@/server/core/actor";
import { authenticateKey, type Credentials } from "@/server/domain/keys/authenticate";
import { createKey } from "@/server/domain/keys/create";
import { findSecrets } from "@/server/domain/keys/find-secrets";
import { revokeKey } from "@/server/domain/keys/revoke";
import { rotateKey } from "@/server/domain/keys/rotate";
import { generateSecret, hashSecret } from "@/server/domain/keys/secret";
import {
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { eventually } from "@/e2e/support/eventually";

let world: TestWorld;
let ctx: Context<SystemActor>;

beforeAll(async () => {
  world = await openTestWorld();
  ctx = await createTestOrganization(world.services);
});
afterAll(() => world.close());

const authenticate = (credentials: Partial<Credentials>, services = world.services) =>
  authenticateKey({ services, authorization: undefined, xApiKey: undefined, ...credentials });

const codeOf = (credentials: Partial<Credentials>, services = world.services) =>
  authenticate(credentials, services).then(
    () => "authenticated",
    (error: { code: string }) => error.code,
  );

const newKey = (input: Partial<Parameters<typeof createKey>[0]["input"]> = {}) =>
  createKey({ ctx, input: { name: "Test key", ...input } });

/** Counts the statements sent, by wrapping the pool. */
function countingServices() {
  const statements: string[] = [];
  const sql = new Proxy(world.services.sql, {
    apply(target, self, args: [TemplateStringsArray, ...unknown[]]) {
      statements.push(args[0].join("?"));
      return Reflect.apply(target, self, args);
    },
  });
  return { services: { ...world.services, sql }, statements };
}

describe("a live key", () => {
  test("is told who it is, by either header, whatever the case of the scheme", async () => {
    const channelId = await connectTestChannel(ctx);
    const key = await newKey({
      name: "Shop",
      scopes: ["messages:send"],
      channelIds: [channelId],
      expiresInSeconds: 3600,
      sendLimit: 7,
      readLimit: 8,
    });
    const expected = {
      kind: "key",
      organizationId: ctx.actor.organizationId,
      keyId: key.id,
      keyName: "Shop",
      keyPrefix: key.secret.slice(0, 12),
      secretId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      scopes: ["messages:send"],
      channelIds: [channelId],
      expiresAt: key.expiresAt,
      sendLimit: 7,
      readLimit: 8,
    };
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      expect(await authenticate({ authorization: `${scheme} ${key.secret}` })).toEqual(expected);
    }
    expect(await authenticate({ authorization: `Bearer  ${key.secret} ` })).toEqual(expected);
    expect(await authenticate({ xApiKey: key.secret })).toEqual(expected);
    expect(await authenticate({ authorization: `Bearer ${key.secret}`, xApiKey: key.secret })).toEqual(
      expected,
    );
  });

  test("in X-Api-Key doesn't count beside a key in Authorization without a scheme, be it the same", async () => {
    const [{ secret }, { secret: other }] = [await newKey(), await newKey()];
    for (const authorization of [secret, other, ` ${other}`]) {
      await expect(authenticate({ authorization, xApiKey: secret })).rejects.toMatchObject({
        code: "invalid_api_key",
        message: expect.stringContaining("Authorization: Bearer"),
      });
    }
  });

  test("in X-Api-Key counts where Authorization carries another scheme", async () => {
    const { secret } = await newKey();
    expect(await codeOf({ authorization: "Basic dXNlcjpwYXNz", xApiKey: secret })).toBe("authenticated");
    expect(await codeOf({ authorization: "Bearer", xApiKey: secret })).toBe("authenticated");
  });

  test("with a scope that this program doesn't know has only the others", async () => {
    const key = await newKey();
    await world.database
      .sql`update api_keys set scopes = '{messages:send,everything:do}' where id = ${key.id}`;
    expect((await authenticate({ xApiKey: key.secret })).scopes).toEqual(["messages:send"]);
  });
});

describe("refusals", () => {
  test.each<[string, Partial<Credentials>]>([
    ["no header", {}],
    ["empty headers", { authorization: "", xApiKey: "" }],
    ["a blank X-Api-Key", { xApiKey: "  " }],
    ["Bearer without a value", { authorization: "Bearer" }],
    ["Bearer with a blank value", { authorization: "Bearer   " }],
    ["another scheme", { authorization: "Basic dXNlcjpwYXNz" }],
    ["another scheme with a key", { authorization: `Token ${generateSecret().secret}` }],
    ["a scheme that only begins like Bearer", { authorization: `Bearers ${generateSecret().secret}` }],
  ])("%s is api_key_required, without a database read", async (_, credentials) => {
    const { services, statements } = countingServices();
    expect(await codeOf(credentials, services)).toBe("api_key_required");
    expect(statements).toEqual([]);
  });

  test.each<[string, Partial<Credentials>]>([
    ["a malformed key", { authorization: "Bearer hello" }],
    ["a wrong checksum", { xApiKey: `${generateSecret().secret.slice(0, -1)}!` }],
    [
      "two different keys",
      { authorization: `Bearer ${generateSecret().secret}`, xApiKey: generateSecret().secret },
    ],
    ["a key sent twice in one header", { xApiKey: `${generateSecret().secret}, ${generateSecret().secret}` }],
    ["a key without a scheme", { authorization: generateSecret().secret }],
    ["a key without a scheme, with space around it", { authorization: ` ${generateSecret().secret} ` }],
    ["a malformed key without a scheme", { authorization: "ak_live_hello" }],
    [
      "a key without a scheme beside an empty header",
      { authorization: generateSecret().secret, xApiKey: " " },
    ],
  ])("%s is invalid_api_key, without a database read", async (_, credentials) => {
    const { services, statements } = countingServices();
    expect(await codeOf(credentials, services)).toBe("invalid_api_key");
    expect(statements).toEqual([]);
  });

  test("a key that works is refused without its scheme, and the refusal says how to send it", async () => {
    const { secret } = await newKey();
    await expect(authenticate({ authorization: secret })).rejects.toMatchObject({
      code: "invalid_api_key",
      message: expect.stringContaining("`Authorization: Bearer <API_KEY>`"),
    });
  });

  test("an unknown key is invalid_api_key after one read", async () => {
    const { services, statements } = countingServices();
    expect(await codeOf({ xApiKey: generateSecret().secret }, services)).toBe("invalid_api_key");
    expect(statements).toHaveLength(1);
  });

  test("every refusal carries the challenge that HTTP asks for", async () => {
    await expect(authenticate({})).rejects.toMatchObject({ headers: { "WWW-Authenticate": "Bearer" } });
    await expect(authenticate({ xApiKey: "x" })).rejects.toMatchObject({
      headers: { "WWW-Authenticate": "Bearer" },
    });
  });
});

describe("the end of a key", () => {
  test("a revoked key is refused by the very next call, and each of its secrets with it", async () => {
    const key = await newKey();
    const rotated = await rotateKey({ ctx, input: { keyId: key.id, overlapSeconds: 3600 } });
    expect(await codeOf({ xApiKey: key.secret })).toBe("authenticated");
    expect(await codeOf({ xApiKey: rotated.secret })).toBe("authenticated");
    await revokeKey({ ctx, input: { keyId: key.id } });
    expect(await codeOf({ xApiKey: key.secret })).toBe("api_key_revoked");
    expect(await codeOf({ xApiKey: rotated.secret })).toBe("api_key_revoked");
  });

  test("expiry counts by the database's clock", async () => {
    const key = await newKey({ expiresInSeconds: 1 });
    expect(key.expiresAt).toBeInstanceOf(Date);
    await eventually(async () => expect(await codeOf({ xApiKey: key.secret })).toBe("api_key_expired"));
    const [row] = await world.database.sql<{ passed: boolean }[]>`
      select expires_at <= clock_timestamp() as passed from api_keys where id = ${key.id}`;
    expect(row?.passed).toBe(true);
    await world.database.sql`update api_keys set expires_at = now() + interval '1 hour' where id = ${key.id}`;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 7_200_000 });
    try {
      expect(await codeOf({ xApiKey: key.secret })).toBe("authenticated");
    } finally {
      vi.useRealTimers();
    }
  });

  test("revoked wins over expired", async () => {
    const key = await newKey({ expiresInSeconds: 3600 });
    await world.database.sql`update api_keys set expires_at = now() - interval '1 s' where id = ${key.id}`;
    expect(await codeOf({ xApiKey: key.secret })).toBe("api_key_expired");
    await revokeKey({ ctx, input: { keyId: key.id } });
    expect(await codeOf({ xApiKey: key.secret })).toBe("api_key_revoked");
  });
});

describe("look-ups", () => {
  test("those of one moment are one statement, and each gets its own key's answer", async () => {
    const live = await Promise.all(Array.from({ length: 5 }, () => newKey()));
    const revoked = await newKey();
    await revokeKey({ ctx, input: { keyId: revoked.id } });
    const { services, statements } = countingServices();
    const answers = await Promise.all([
      ...live.map((key) => authenticate({ xApiKey: key.secret }, services).then((actor) => actor.keyId)),
      ...live.map((key) => authenticate({ xApiKey: key.secret }, services).then((actor) => actor.keyId)),
      codeOf({ xApiKey: revoked.secret }, services),
      codeOf({ xApiKey: generateSecret().secret }, services),
    ]);
    const ids = live.map((key) => key.id);
    expect(answers).toEqual([...ids, ...ids, "api_key_revoked", "invalid_api_key"]);
    expect(statements).toHaveLength(1);
  });

  test("a key revoked while others look it up without pause is refused by every call that starts after", async () => {
    const key = await newKey();
    let isRevoked = false;
    const wrong: string[] = [];
    const client = async () => {
      for (;;) {
        const startedAfter = isRevoked;
        const code = await codeOf({ xApiKey: key.secret });
        if (startedAfter && code !== "api_key_revoked") wrong.push(code);
        if (startedAfter) return;
      }
    };
    const clients = Array.from({ length: 20 }, client);
    await revokeKey({ ctx, input: { keyId: key.id } });
    isRevoked = true;
    await Promise.all(clients);
    expect(wrong).toEqual([]);
  });

  test("go through the indexes, however many hashes", async () => {
    const { services, statements } = countingServices();
    const hashes = [hashSecret("a"), hashSecret("b")];
    expect(await findSecrets(services.sql, hashes)).toEqual([]);
    const statement = statements[0]?.replace("?", "$1") ?? "";
    const plan = await world.database.sql.begin(async (tx) => {
      await tx`set local enable_seqscan = off`;
      const parameters = [hashes.map((hash) => hash.toString("hex"))];
      return tx.unsafe<{ "QUERY PLAN": string }[]>(`explain ${statement}`, parameters);
    });
    const text = plan.map((line) => line["QUERY PLAN"]).join("\n");
    expect(text).toContain("api_key_secrets_hash_unique");
    expect(text).not.toContain("Seq Scan");
  });

  test("work in the very first statement of a pool", async () => {
    const key = await newKey();
    const sql = createPool(world.database.connection, { name: "first", connectionsMax: 1 });
    expect((await authenticate({ xApiKey: key.secret }, { ...world.services, sql })).keyId).toBe(key.id);
    await sql.end({ timeout: 1 });
  });
});
