import { randomInt } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import { connectChannel, hashVerifyToken } from "@/server/domain/channels/connect";
import { accessTokenPurpose, appSecretPurpose } from "@/server/platform/secrets/vault";
import { setChannel } from "@/server/domain/channels/set";
import type { Context } from "@/server/core/context";
import { servicesWith } from "@/server/core/testing";
import { type Loopback, serveOnLoopback } from "@/server/edge/http/testing";
import {
  asMember,
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { answerJson } from "@/server/adapters/whatsapp/testing";

let world: TestWorld;
let upstream: Loopback;
let ctx: Context<SystemActor>;
let answer: (res: ServerResponse) => void;
/** Paths and tokens of requests for the number. */
let asked: string[];
let target: string[];

beforeAll(async () => {
  world = await openTestWorld();
  upstream = await serveOnLoopback((req, res) => {
    asked.push(`${req.method} ${req.url?.split("?")[0]} ${req.headers.authorization}`);
    answer(res);
  });
  const jobs = { ...world.services.jobs, notifyChannel: (id: string) => void target.push(id) };
  ctx = await createTestOrganization(
    servicesWith(world.services, { jobs, urls: { upstream: () => upstream.url } }),
  );
});
afterAll(async () => {
  await upstream.close();
  await world.close();
});
beforeEach(() => {
  [asked, target] = [[], []];
  answer = (res) => answerJson(res, 200, { id: "1", display_phone_number: "+1 555 0100" });
});

async function channel(pauseReason: string | null = null) {
  const phoneNumberId = String(randomInt(2 ** 47));
  const { channelId } = await connectChannel({
    ctx,
    input: {
      name: "Shop",
      upstream: "meta",
      phoneNumberId,
      wabaId: "1",
      displayPhoneNumber: "+1 555 0100",
      accessToken: "the-old-token",
      appSecret: "the-old-secret",
      verifyToken: "the-old-verify",
      isDefault: false,
    },
  });
  await world.database.sql`
    update channels set paused_at = now(), pause_reason = ${pauseReason}, next_probe_at = now()
    where id = ${channelId} and ${pauseReason}::text is not null`;
  return { channelId, phoneNumberId };
}

async function kept(channelId: string) {
  const [row] = await world.database.sql`select * from channels where id = ${channelId}`;
  if (!row) throw new Error("no such channel");
  const { vault } = world.services;
  return {
    name: row.name,
    accessToken: vault.decrypt(row.access_token_encrypted, accessTokenPurpose(channelId)),
    appSecret: vault.decrypt(row.app_secret_encrypted, appSecretPurpose(channelId)),
    verifyTokenHash: row.verify_token_hash,
    pauseReason: row.pause_reason,
  };
}

const OLD = {
  name: "Shop",
  accessToken: "the-old-token",
  appSecret: "the-old-secret",
  verifyTokenHash: hashVerifyToken("the-old-verify"),
  pauseReason: null,
};

const acts = (channelId: string) =>
  world.database.sql`select detail from audit_log where subject_id = ${channelId} and action = 'channel.set'`;

describe("a new access token", () => {
  test.each(["credentials_invalid", "permission_missing"])(
    "that works is saved, ends the pause %s, and is in no audit row",
    async (pauseReason) => {
      const { channelId, phoneNumberId } = await channel(pauseReason);
      const set = await setChannel({ ctx, input: { channelId, accessToken: "the-new-token" } });
      expect(set).toEqual({ token: { kind: "works" }, endedPause: pauseReason });
      expect(asked).toEqual([
        expect.stringMatching(new RegExp(`^GET /.*${phoneNumberId} Bearer the-new-token$`)),
      ]);
      expect(await kept(channelId)).toEqual({ ...OLD, accessToken: "the-new-token" });
      expect(target).toEqual([channelId]);
      const detail = { credentials: ["accessToken"], endedPause: pauseReason };
      expect(await acts(channelId)).toEqual([{ detail }]);
    },
  );

  test("ends no pause that isn't for the token", async () => {
    const { channelId } = await channel("payment_required");
    const set = await setChannel({ ctx, input: { channelId, accessToken: "the-new-token" } });
    expect(set).toEqual({ token: { kind: "works" }, endedPause: null });
    expect(await kept(channelId)).toMatchObject({
      accessToken: "the-new-token",
      pauseReason: "payment_required",
    });
    expect(target).toEqual([]);
  });

  test("that the upstream refuses changes nothing, and the refusal holds Meta's words but no token", async () => {
    const { channelId } = await channel("credentials_invalid");
    answer = (res) => answerJson(res, 401, { error: { code: 190, message: "Session has expired" } });
    const input = { channelId, name: "Other", accessToken: "the-new-token", appSecret: "the-new-secret" };
    await expect(setChannel({ ctx, input })).rejects.toMatchObject({
      code: "validation_failed",
      field: "accessToken",
      message: expect.stringMatching(
        /^`accessToken` wasn't saved: (?!.*the-new).*\(#190\) Session has expired/,
      ),
    });
    expect(await kept(channelId)).toEqual({ ...OLD, pauseReason: "credentials_invalid" });
    expect(await acts(channelId)).toEqual([]);
  });

  test.each<[string, (res: ServerResponse) => void]>([
    ["breaks off", (res) => res.socket?.resetAndDestroy()],
    ["fails", (res) => answerJson(res, 500, { error: { code: 2, message: "Service unavailable" } })],
    ["answers nonsense", (res) => res.end("<html>")],
  ])("is saved untried where the upstream %s, and the pause stays", async (_, behaviour) => {
    const { channelId } = await channel("credentials_invalid");
    answer = behaviour;
    const set = await setChannel({ ctx, input: { channelId, accessToken: "the-new-token" } });
    expect(set).toMatchObject({ token: { kind: "untried" }, endedPause: null });
    expect(await kept(channelId)).toMatchObject({
      accessToken: "the-new-token",
      pauseReason: "credentials_invalid",
    });
  });
});

test("name and verify token are set without a call", async () => {
  const { channelId } = await channel();
  await setChannel({ ctx, input: { channelId, name: "Other", verifyToken: "the-new-verify" } });
  expect(asked).toEqual([]);
});

test("a new app secret is tried with the token that is kept, and a pause stays", async () => {
  const { channelId } = await channel("credentials_invalid");
  const input = { channelId, name: " Other ", appSecret: "the-new-secret", verifyToken: "the-new-verify" };
  expect(await setChannel({ ctx, input })).toEqual({ token: null, endedPause: null });
  expect(asked).toEqual([expect.stringMatching(/Bearer the-old-token$/)]);
  expect(await kept(channelId)).toEqual({
    name: "Other",
    accessToken: "the-old-token",
    appSecret: "the-new-secret",
    verifyTokenHash: hashVerifyToken("the-new-verify"),
    pauseReason: "credentials_invalid",
  });
  const detail = { name: { from: "Shop", to: "Other" }, credentials: ["appSecret", "verifyToken"] };
  expect(await acts(channelId)).toEqual([{ detail }]);
});

test("an app secret that isn't that of the token's app is refused, and nothing is saved", async () => {
  const { channelId } = await channel();
  const words = "Invalid appsecret_proof provided in the API argument";
  answer = (res) => answerJson(res, 400, { error: { code: 100, message: words } });
  const setting = setChannel({ ctx, input: { channelId, appSecret: "the-new-secret" } });
  await expect(setting).rejects.toMatchObject({ code: "validation_failed", field: "appSecret" });
  await expect(setting).rejects.not.toThrow("the-new-secret");
  expect(await kept(channelId)).toEqual(OLD);
});

test("an app secret is saved untried where the token that is kept doesn't work", async () => {
  const { channelId } = await channel("credentials_invalid");
  answer = (res) => answerJson(res, 401, { error: { code: 190, message: "Session has expired" } });
  await setChannel({ ctx, input: { channelId, appSecret: "the-new-secret" } });
  expect(await kept(channelId)).toEqual({
    ...OLD,
    appSecret: "the-new-secret",
    pauseReason: "credentials_invalid",
  });
});

test("a member who may sets it, and the audit log says who and from where", async () => {
  const { channelId } = await channel();
  const member = await asMember(ctx, "agent", ["channels.manage"]);
  const actor = { ...member.actor, address: "192.0.2.7" };
  await setChannel({ ctx: { ...member, actor }, input: { channelId, name: "Other" } });
  const [act] = await world.database.sql`
    select actor_id, address, detail from audit_log where subject_id = ${channelId} and action = 'channel.set'`;
  expect(act).toEqual({
    actor_id: actor.memberId,
    address: "192.0.2.7",
    detail: { name: { from: "Shop", to: "Other" }, credentials: [] },
  });
});

describe("refused is", () => {
  test("another organization's channel", async () => {
    const { channelId } = await channel();
    const other = await createTestOrganization(world.services);
    const setting = setChannel({ ctx: other, input: { channelId, name: "Mine" } });
    await expect(setting).rejects.toMatchObject({ code: "channel_not_found" });
    expect((await kept(channelId)).name).toBe("Shop");
  });

  test("an actor who may not manage channels", async () => {
    const { channelId } = await channel();
    const { organizationId } = ctx.actor;
    const actor = {
      kind: "member",
      organizationId,
      address: null,
      memberId: "m",
      userId: "u",
      role: "agent",
      permissions: [],
    } as const;
    const setting = setChannel({ ctx: { ...ctx, actor }, input: { channelId, name: "Mine" } });
    await expect(setting).rejects.toMatchObject({ code: "permission_denied" });
  });

  test("a simulated channel's credentials, not its name", async () => {
    const channelId = await connectTestChannel(ctx);
    const setting = setChannel({ ctx, input: { channelId, appSecret: "the-new-secret" } });
    await expect(setting).rejects.toMatchObject({ code: "validation_failed", field: "appSecret" });
    await setChannel({ ctx, input: { channelId, name: "Renamed" } });
    expect((await kept(channelId)).name).toBe("Renamed");
  });

  test.each([
    ["name", {}],
    ["name", { name: "" }],
    ["accessToken", { accessToken: "two\r\nlines" }],
  ])("a wrong %s: %j", async (field, wrong) => {
    const { channelId } = await channel();
    const setting = setChannel({ ctx, input: { channelId, ...wrong } });
    await expect(setting).rejects.toMatchObject({ code: "validation_failed", field });
  });
});
