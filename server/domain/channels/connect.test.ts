import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import {
  connectChannel,
  simulatedVerifyToken,
  type ConnectChannelInput,
} from "@/server/domain/channels/connect";
import { accessTokenPurpose, appSecretPurpose } from "@/server/platform/secrets/vault";
import type { Context } from "@/server/core/context";
import { createTestOrganization, openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";

let world: TestWorld;
let ctx: Context<SystemActor>;
beforeAll(async () => {
  world = await openTestWorld();
  ctx = await createTestOrganization(world.services);
});
afterAll(() => world.close());

let numbers = 0;
const META: Omit<ConnectChannelInput, "phoneNumberId"> = {
  name: "Shop",
  upstream: "meta",
  wabaId: "102290129340398",
  displayPhoneNumber: "+1 (555) 010-0123",
  accessToken: "the-access-token",
  appSecret: "the-app-secret",
  verifyToken: "the-verify-token",
  isDefault: false,
};

const connect = (preferences: Partial<ConnectChannelInput> = {}, as = ctx) =>
  connectChannel({ ctx: as, input: { ...META, phoneNumberId: String((numbers += 1)), ...preferences } });

async function rowOf(channelId: string) {
  const [row] = await world.database.sql`
    select *, extract(epoch from unknown_window_open_until - clock_timestamp())::float8 as "windowSeconds"
    from channels where id = ${channelId}`;
  if (!row) throw new Error("no such channel");
  return row;
}

describe("connectChannel", () => {
  test("keeps token and app secret encrypted for their purpose, and of the verify token the hash", async () => {
    const { channelId } = await connect();
    const row = await rowOf(channelId);
    const { vault } = world.services;
    expect(vault.decrypt(row.access_token_encrypted, accessTokenPurpose(channelId))).toBe("the-access-token");
    expect(vault.decrypt(row.app_secret_encrypted, appSecretPurpose(channelId))).toBe("the-app-secret");
    expect(() => vault.decrypt(row.app_secret_encrypted, accessTokenPurpose(channelId))).toThrow(
      "authenticate data",
    );
    expect(row.verify_token_hash).toBe(createHash("sha256").update("the-verify-token").digest("hex"));
    expect(row).toMatchObject({ is_default: false, unknown_window_open_until: null });
    const [all] = await world.database.sql<{ text: string }[]>`
      select (select string_agg(c::text, '') from channels c) || (select string_agg(a::text, '') from audit_log a) as text`;
    expect(all?.text).toContain("channel.connected");
    expect(all?.text).not.toMatch(/the-(access-token|app-secret|verify-token)/);
  });

  test("a simulated channel's verify token follows from its id and from the secret alone", async () => {
    const { channelId } = await connect({ upstream: "simulator", verifyToken: null });
    const token = simulatedVerifyToken(world.services.vault, channelId);
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect((await rowOf(channelId)).verify_token_hash).toBe(createHash("sha256").update(token).digest("hex"));
  });

  test("a new default takes the place of the old one, also when several come at once", async () => {
    const own = await createTestOrganization(world.services);
    await Promise.all(Array.from({ length: 4 }, () => connect({ isDefault: true }, own)));
    const defaults = await world.database.sql`
      select 1 from channels where organization_id = ${own.actor.organizationId} and is_default`;
    expect(defaults).toHaveLength(1);
  });

  test("a number already in use has an open window for 24 hours", async () => {
    const { windowSeconds } = await rowOf((await connect({ alreadyInUse: true })).channelId);
    expect(windowSeconds).toBeGreaterThan(86_300);
    expect(windowSeconds).toBeLessThanOrEqual(86_400);
  });

  test("a number is connected once, to whichever organization; the refusal changes no default", async () => {
    const own = await createTestOrganization(world.services);
    const { channelId } = await connect({ phoneNumberId: "424242", isDefault: true }, own);
    for (const as of [own, ctx]) {
      const again = connect({ phoneNumberId: "424242", isDefault: true }, as);
      await expect(again).rejects.toMatchObject({ code: "validation_failed", field: "phoneNumberId" });
    }
    expect((await rowOf(channelId)).is_default).toBe(true);
  });

  test("the refusal names the organization's own channel and what sets its credentials, never another's", async () => {
    const own = await createTestOrganization(world.services);
    const { channelId } = await connect({ phoneNumberId: "434343" }, own);
    const again = connect({ phoneNumberId: "434343" }, own);
    await expect(again).rejects.toThrow(
      `as channel ${channelId} (Shop). To change its credentials, use its page or \`channel set\``,
    );
    const others = connect({ phoneNumberId: "434343" });
    await expect(others).rejects.toThrow(/^`phoneNumberId` is already connected\.$/);
  });

  test.each<[string, Partial<ConnectChannelInput>]>([
    ["phoneNumberId", { phoneNumberId: "12/../3" }],
    ["wabaId", { wabaId: "" }],
    ["accessToken", { accessToken: "two\r\nlines" }],
    ["appSecret", { appSecret: "" }],
    ["verifyToken", { verifyToken: null }],
    ["verifyToken", { upstream: "simulator" }],
    ["displayPhoneNumber", { displayPhoneNumber: "call me" }],
  ])("refuses a wrong %s: %j", async (field, wrong) => {
    await expect(connect(wrong)).rejects.toMatchObject({ code: "validation_failed", field });
  });
});
