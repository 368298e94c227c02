import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_SCOPES } from "@/server/core/capabilities";
import { openKeyWorld, errorOf, UNKNOWN_ID } from "@/server/domain/keys/testing";
import { connectTestChannel } from "@/server/domain/organizations/testing";

let world: Awaited<ReturnType<typeof openKeyWorld>>;
beforeAll(async () => {
  world = await openKeyWorld({ database: "own" });
});
afterAll(() => world.close());

describe("createKey", () => {
  test("without wishes: the default scopes, which lack webhooks:manage; all channels, 60 and 600, no expiry", async () => {
    const key = await world.newKey();
    expect(key).toMatchObject({ channelIds: null, sendLimit: 60, readLimit: 600, expiresAt: null });
    expect(key.scopes).toEqual(DEFAULT_SCOPES);
    expect(key.scopes).not.toContain("webhooks:manage");
    expect((await world.authenticate(key.secret)).scopes).toEqual(DEFAULT_SCOPES);
  });

  test("takes every span from one second and every limit from 1 to 1,000,000", async () => {
    const key = await world.newKey({
      expiresInSeconds: Number.MAX_SAFE_INTEGER,
      sendLimit: 1_000_000,
      readLimit: 1,
    });
    expect(key.expiresAt?.getUTCFullYear()).toBeGreaterThan(5_000);
    expect(await world.authenticate(key.secret)).toMatchObject({ sendLimit: 1_000_000, readLimit: 1 });
  });

  test.each([
    ["name", { name: "" }],
    ["name", { name: "   " }],
    ["name", { name: "x".repeat(101) }],
    ["name", { name: "line\nbreak" }],
    ["name", { name: "nul\0" }],
    ["scopes", { scopes: [] }],
    ["channelIds", { channelIds: [] }],
    ["channelIds", { channelIds: [UNKNOWN_ID] }],
    ["channelIds.0", { channelIds: ["default"] }],
    ["expiresInSeconds", { expiresInSeconds: 0 }],
    ["expiresInSeconds", { expiresInSeconds: 1.5 }],
    ["sendLimit", { sendLimit: 0 }],
    ["sendLimit", { sendLimit: 1_000_001 }],
    ["readLimit", { readLimit: -1 }],
  ])("refuses a wrong %s: %j", async (field, input) => {
    expect(await errorOf(world.newKey(input))).toMatchObject({ code: "validation_failed", field });
  });

  test("a name is counted in characters, not in UTF-16 units", async () => {
    expect((await world.newKey({ name: "💬".repeat(100) })).name).toBe("💬".repeat(100));
  });

  test("answers another organization's channel exactly like an unknown one", async () => {
    const foreign = await connectTestChannel(world.foreignCtx);
    const one = await errorOf(world.newKey({ channelIds: [foreign] }));
    const other = await errorOf(world.newKey({ channelIds: [UNKNOWN_ID] }));
    expect(one?.message.replace(foreign, UNKNOWN_ID)).toBe(other?.message);
    expect(one?.code).toBe(other?.code);
  });

  test("a refused key leaves neither key nor audit row behind", async () => {
    const counts = () => world.database.sql`
      select (select count(*)::int from api_keys) as keys, (select count(*)::int from audit_log) as rows`;
    const before = await counts();
    await errorOf(world.newKey({ channelIds: [UNKNOWN_ID] }));
    expect(await counts()).toEqual(before);
  });
});
