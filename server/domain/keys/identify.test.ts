import { Writable } from "node:stream";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { t } from "@/server/core/trpc";
import { asMember } from "@/server/domain/organizations/testing";
import { createKey } from "./create";
import { identifyKey } from "./identify";
import { revokeKey } from "./revoke";
import { rotateKey } from "./rotate";
import { keysRouter } from "./router";
import { generateSecret } from "./secret";
import { openKeyWorld, errorOf } from "./testing";

let world: Awaited<ReturnType<typeof openKeyWorld>>;
beforeAll(async () => void (world = await openKeyWorld({ database: "own" })));
afterAll(() => world.close());

const identify = (text: string) => identifyKey({ ctx: world.ctx, input: { text } });

describe("a secret that somebody found", () => {
  test("names its key, and which of the key's secrets it is", async () => {
    const admin = await asMember(world.ctx, "admin");
    const first = await createKey({ ctx: admin, input: { name: "Shop" } });
    const { id } = first;
    const usedAt = new Date("2026-01-02T03:04:05Z");
    await world.database.sql`
      insert into api_key_usage (organization_id, key_id, last_used_at)
      values (${world.ctx.actor.organizationId}, ${id}, ${usedAt})`;
    const key = { id, name: "Shop", status: "live", createdByName: "admin", lastUsedAt: usedAt };
    const lastFour = first.secret.slice(-4);
    expect(await identify(first.secret)).toMatchObject({
      result: "found",
      key,
      secret: { state: "present" },
    });

    const second = await rotateKey({ ctx: world.ctx, input: { keyId: id, overlapSeconds: 60 } });
    expect(await identify(first.secret)).toMatchObject({ key, secret: { state: "former", lastFour } });
    await rotateKey({ ctx: world.ctx, input: { keyId: id, overlapSeconds: 60 } });
    expect(await identify(first.secret)).toMatchObject({ key, secret: { state: "ended", lastFour } });
    expect(await identify(second.secret)).toMatchObject({ key, secret: { state: "former" } });
    await revokeKey({ ctx: world.ctx, input: { keyId: id } });
    expect(await identify(second.secret)).toMatchObject({ key: { id, status: "revoked" } });
  });

  test("is found in the midst of what it stands in, also behind one that is none", async () => {
    const { id, secret } = await world.newKey();
    const mistyped = `${secret.slice(0, -1)}${secret.endsWith("0") ? "1" : "0"}`;
    expect(await identify(`${mistyped}\ncurl -H "Authorization: Bearer ${secret}" …`)).toMatchObject({
      result: "found",
      key: { id },
    });
    expect(await identify(mistyped)).toEqual({ result: "wrong_checksum" });
    expect(await identify(secret.slice(0, -5))).toEqual({ result: "not_a_secret" });
    expect(await identify("")).toEqual({ result: "not_a_secret" });
  });

  test("is found behind another organization's, and one that works behind one that doesn't", async () => {
    const foreign = await createKey({ ctx: world.foreignCtx, input: { name: "Foreign" } });
    const [revoked, live] = [await world.newKey(), await world.newKey()];
    await revokeKey({ ctx: world.ctx, input: { keyId: revoked.id } });
    expect(await identify(`OLD=${foreign.secret}\nNEW=${revoked.secret}`)).toMatchObject({
      result: "found",
      key: { id: revoked.id },
    });
    expect(await identify(`${revoked.secret} ${live.secret}`)).toMatchObject({ key: { id: live.id } });
    const renewed = await rotateKey({ ctx: world.ctx, input: { keyId: live.id, overlapSeconds: 0 } });
    expect(await identify(`${live.secret} ${renewed.secret}`)).toMatchObject({
      key: { id: live.id },
      secret: { state: "present" },
    });
  });

  test("of another organization is answered like one that nobody has", async () => {
    const foreign = await createKey({ ctx: world.foreignCtx, input: { name: "Foreign" } });
    const answers = [await identify(foreign.secret), await identify(generateSecret().secret)];
    expect(answers).toEqual([{ result: "not_of_this_organization" }, { result: "not_of_this_organization" }]);
  });

  test("is in no table and in no line of the log, whatever comes of it", async () => {
    const { secret } = await world.newKey();
    const foreign = await createKey({ ctx: world.foreignCtx, input: { name: "Foreign" } });
    const unknown = generateSecret().secret;
    const tooLong = `${secret}${"x".repeat(10_000)}`;
    let lines = "";
    const sink = new Writable({ write: (chunk, _, done) => ((lines += String(chunk)), done()) });
    const admin = await asMember(world.ctx, "admin");
    const log = pino({ level: "trace" }, sink);
    const broken = Object.assign(Object.create(world.services.orm), {
      select: () => {
        throw new Error("The database is in a bad mood");
      },
    });
    for (const orm of [world.services.orm, broken]) {
      const keys = t.createCallerFactory(keysRouter)({ ...admin, services: { ...world.services, orm, log } });
      for (const text of [secret, foreign.secret, unknown, tooLong]) {
        const answer = await keys.identify({ text }).catch((error: unknown) => String(error));
        expect(JSON.stringify(answer)).not.toContain(text.slice(12, 40));
      }
    }
    expect(lines).toContain("bad mood");
    const tables = await world.database.sql<{ name: string }[]>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`;
    for (const { name } of tables) {
      const rows = await world.database.sql`select r::text as row from ${world.database.sql(name)} r`;
      lines += JSON.stringify(rows);
    }
    for (const text of [secret, foreign.secret, unknown]) expect(lines).not.toContain(text.slice(12, -4));
  });

  test("can be asked about by whoever may manage keys, and by nobody else", async () => {
    const { secret } = await world.newKey();
    const agent = await asMember(world.ctx, "agent");
    expect(await errorOf(identifyKey({ ctx: agent, input: { text: secret } }))).toMatchObject({
      code: "permission_denied",
    });
    const key = { ...world.ctx, actor: await world.authenticate(secret) };
    expect(await errorOf(identifyKey({ ctx: key, input: { text: secret } }))).toMatchObject({
      code: "permission_denied",
    });
  });
});
