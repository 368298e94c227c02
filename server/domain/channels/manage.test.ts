import { randomInt, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import { appRouter } from "@/server/edge/trpc/router";
import { t } from "@/server/core/trpc";
import type { Context } from "@/server/core/context";
import {
  asMember,
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { connectChannel, hashVerifyToken } from "./connect";

let world: TestWorld;
let ctx: Context<SystemActor>;
let target: string[];

beforeAll(async () => {
  world = await openTestWorld();
  const jobs = { ...world.services.jobs, notifyChannel: (id: string) => void target.push(id) };
  ctx = await createTestOrganization({ ...world.services, jobs });
});
afterAll(() => world.close());
beforeEach(() => {
  target = [];
});

const callerOf = t.createCallerFactory(appRouter);
const manager = async (of = ctx) => callerOf(await asMember(of, "agent", ["channels.manage"])).channels;

const acts = (channelId: string) => world.database.sql`
  select action, detail from audit_log
  where subject_id = ${channelId} and action <> 'channel.connected' order by created_at, id`;

async function pausedChannel(): Promise<string> {
  const channelId = await connectTestChannel(ctx);
  const detail = JSON.stringify({ httpStatus: 401, upstreamCode: 190, reason: "Session has expired" });
  await world.database.sql`
    update channels set paused_at = now(), pause_reason = 'credentials_invalid', pause_detail = ${detail}::text::jsonb
    where id = ${channelId}`;
  return channelId;
}

describe("a channel as members see it", () => {
  test("a paused one says why, in Meta's words too, and what to do", async () => {
    const channelId = await pausedChannel();
    const channel = await (await manager()).get({ channelId });
    expect(channel).toMatchObject({
      id: channelId,
      state: "paused",
      pause: {
        reason: "credentials_invalid",
        message: "WhatsApp says that the channel's access token has expired or is invalid.",
        remedy: expect.stringContaining("create a new token"),
        upstreamWords: "Session has expired",
        upstreamCode: 190,
      },
      callbackPath: `/api/upstream/whatsapp/${channelId}`,
      callbackRemark: null,
    });
    expect(JSON.stringify(channel)).not.toMatch(/encrypted|hash|test-a(ccess|pp)/i);
  });

  test("of one of Meta's it says why Meta can't call it", async () => {
    const { callbackRemark } = await (await manager()).get({ channelId: await metaChannel() });
    expect(callbackRemark).toMatch(/^Meta can't reach this URL: .*WAYPOST_PUBLIC_URL/);
  });

  test("are listed in pages, each once, and nobody else's", async () => {
    const own = await createTestOrganization(world.services);
    const ids = [
      await connectTestChannel(own),
      await connectTestChannel(own, true),
      await connectTestChannel(own),
    ];
    await connectTestChannel(await createTestOrganization(world.services));
    const member = callerOf(await asMember(own, "agent")).channels;
    const first = await member.survey({ limit: "2" });
    const second = await member.survey({ limit: "2", cursor: first.next_cursor ?? "" });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
    expect(second.next_cursor).toBeNull();
    expect(first.data.map(({ isDefault }) => isDefault)).toEqual([false, true]);
  });

  test.each(["no-id", randomUUID()])("%s is no channel", async (channelId) => {
    await expect((await manager()).get({ channelId })).rejects.toThrow("There is no such channel.");
  });
});

async function metaChannel(): Promise<string> {
  const { channelId } = await connectChannel({
    ctx,
    input: {
      name: "Shop",
      upstream: "meta",
      phoneNumberId: String(randomInt(2 ** 47)),
      wabaId: "1",
      displayPhoneNumber: "+1 555 0100",
      accessToken: "the-token",
      appSecret: "the-secret",
      verifyToken: "the-verify",
      isDefault: false,
    },
  });
  return channelId;
}

test("a channel is disabled and enabled, each recorded once with before and after, and what waits is woken", async () => {
  const channelId = await pausedChannel();
  const channels = await manager();
  await channels.disable({ channelId });
  await channels.disable({ channelId });
  expect(await channels.get({ channelId })).toMatchObject({ state: "disabled", pause: null });
  expect(target).toEqual([]);
  await channels.enable({ channelId });
  await channels.enable({ channelId });
  expect((await channels.get({ channelId })).state).toBe("paused");
  expect(target).toContain(channelId);
  expect(await acts(channelId)).toEqual([
    { action: "channel.disabled", detail: { state: { from: "paused", to: "disabled" } } },
    { action: "channel.enabled", detail: { state: { from: "disabled", to: "paused" } } },
  ]);
});

test("a paused channel is resumed, and the audit log says what it was paused for", async () => {
  const channelId = await pausedChannel();
  const channels = await manager();
  expect(await channels.resume({ channelId })).toBe("credentials_invalid");
  expect(await channels.resume({ channelId })).toBeNull();
  expect(target).toEqual([channelId]);
  expect(await acts(channelId)).toEqual([
    { action: "channel.resumed", detail: { pauseReason: "credentials_invalid" } },
  ]);
});

describe("the default", () => {
  test("is one channel, whichever became it last, also when several do at once", async () => {
    const own = await createTestOrganization(world.services);
    const [first, second, third] = [
      await connectTestChannel(own, true),
      await connectTestChannel(own),
      await connectTestChannel(own),
    ];
    const channels = await manager(own);
    await channels.makeDefault({ channelId: second });
    await channels.makeDefault({ channelId: second });
    expect(await acts(second)).toEqual([
      { action: "channel.made_default", detail: { default: { from: first, to: second } } },
    ]);
    await Promise.all([first, second, third].map((channelId) => channels.makeDefault({ channelId })));
    const { data } = await channels.survey({});
    expect(data.filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });

  test("isn't a disabled channel, and the present one stays", async () => {
    const own = await createTestOrganization(world.services);
    const [first, second] = [await connectTestChannel(own, true), await connectTestChannel(own)];
    const channels = await manager(own);
    await channels.disable({ channelId: second });
    await expect(channels.makeDefault({ channelId: second })).rejects.toThrow(/Enable it first/);
    expect((await channels.get({ channelId: first })).isDefault).toBe(true);
  });
});

test("a new verify token takes the place of the old one, and is in no audit row", async () => {
  const channelId = await metaChannel();
  const { verifyToken } = await (await manager()).renewVerifyToken({ channelId });
  const [row] = await world.database
    .sql`select verify_token_hash as hash from channels where id = ${channelId}`;
  expect(row?.hash).toBe(hashVerifyToken(verifyToken));
  const recorded = await acts(channelId);
  expect(recorded).toEqual([{ action: "channel.set", detail: { credentials: ["verifyToken"] } }]);
});
