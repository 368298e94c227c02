import { afterAll, beforeAll, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { asMember, connectTestChannel } from "@/server/domain/organizations/testing";
import { answerJson } from "@/server/adapters/whatsapp/testing";
import { refreshTemplates } from "./refresh";
import { having, openTemplateWorld, type TemplateWorld, upstreamTemplate } from "./testing";

let world: TemplateWorld;

beforeAll(async () => {
  world = await openTemplateWorld();
});
afterAll(() => world.close());

const refresh = async (ctx: Context<SystemActor>) => refreshTemplates({ ctx: await asMember(ctx, "agent") });

const askedOf = async (channelId: string) => {
  const [row] = await world.sql`
    select templates_synced_at as "syncedAt", templates_failure as failure from channels where id = ${channelId}`;
  return row;
};

test("each account is asked once, however often and by however many it is wanted", async () => {
  const { ctx, channelId } = await world.newChannel();
  const second = await connectTestChannel(ctx);
  const disabled = await connectTestChannel(ctx);
  await world.sql`update channels set disabled_at = now() where id = ${disabled}`;
  world.upstream.behave(having([upstreamTemplate()]));
  const before = world.upstream.calls.length;
  const outcomes = await Promise.all([refresh(ctx), refresh(ctx), refresh(ctx)]);
  expect(outcomes.reduce((sum, { asked }) => sum + asked, 0)).toBe(2);
  expect(outcomes.reduce((sum, { changed }) => sum + changed, 0)).toBe(2);
  expect(world.upstream.calls).toHaveLength(before + 2);
  expect(await refresh(ctx)).toEqual({ asked: 0, failed: 0, changed: 0 });
  for (const id of [channelId, second]) {
    expect(await askedOf(id)).toEqual({ syncedAt: expect.any(Date), failure: null });
  }
  expect(await askedOf(disabled)).toEqual({ syncedAt: null, failure: null });
});

test("after half a minute it is asked again", async () => {
  const { ctx, channelId } = await world.newChannel();
  await refresh(ctx);
  await world.sql`update channels set templates_asked_at = now() - interval '31 seconds' where id = ${channelId}`;
  expect((await refresh(ctx)).asked).toBe(1);
});

test("an account that tells nothing is counted, the channel keeps why, and when it last told", async () => {
  const { ctx, channelId } = await world.newChannel();
  await refresh(ctx);
  const reported = await askedOf(channelId);
  await world.sql`update channels set templates_asked_at = null where id = ${channelId}`;
  world.upstream.behave((res) =>
    answerJson(res, 401, { error: { code: 190, message: "Session has expired" } }),
  );
  expect(await refresh(ctx)).toEqual({ asked: 1, failed: 1, changed: 0 });
  expect(await askedOf(channelId)).toEqual({
    syncedAt: reported?.syncedAt,
    failure: "(#190) Session has expired",
  });
});

test("a channel whose token can't be decrypted keeps nobody from the others", async () => {
  const { ctx, channelId } = await world.newChannel();
  await connectTestChannel(ctx);
  await world.sql`update channels set access_token_encrypted = 'damaged' where id = ${channelId}`;
  world.upstream.behave(having([]));
  expect(await refresh(ctx)).toEqual({ asked: 2, failed: 1, changed: 0 });
});
