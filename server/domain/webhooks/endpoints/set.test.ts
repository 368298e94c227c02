import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { webhookEndpoints } from "@/db/schema";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { errorOf } from "@/server/domain/keys/testing";
import { asKey } from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { callEndpoint } from "../deliver/call";
import { claimDeliveries } from "../deliver/claim";
import { createWebhook } from "./create";
import { recordDeliveries } from "../deliver/record";
import type { SetWebhookInput } from "./schemas";
import { setWebhook } from "./set";
import {
  auditOf,
  deliveriesOf,
  endpointRow,
  endpointWith,
  openWebhookWorld,
  PUBLIC_URL,
  type WebhookWorld,
} from "../testing";

const OTHER_URL = `${PUBLIC_URL}/other`;

let world: WebhookWorld;
let ctx: Context<SystemActor>;

beforeAll(async () => void (world = await openWebhookWorld()));
beforeEach(async () => void (ctx = await createTestOrganization(world.services)));
afterAll(() => world.close());

const create = async (input: object = {}) =>
  (await createWebhook({ ctx, input: { url: PUBLIC_URL, ...input } })).id;
const set = (input: SetWebhookInput, as: Context = ctx) => setWebhook({ ctx: as, input });
const actsOn = async (id: string) => (await auditOf(world, id)).slice(1);

/** Puts it into its state after days of failures. */
async function letFail(id: string, reason: string | null = null): Promise<void> {
  await world.sql`
    update webhook_endpoints set failing_since = now() - interval '5 days', last_failed_at = now(), warned_at = now(),
      backoff_until = now() + interval '5 minutes', backoff_set_at = now(), backoff_streak = 7,
      disabled_at = case when ${reason}::text is null then null else now() end, disabled_reason = ${reason}
    where id = ${id}`;
}

async function isHealthy(id: string): Promise<boolean | undefined> {
  const [row] = await world.sql<{ isHealthy: boolean }[]>`
    select num_nulls(failing_since, last_failed_at, warned_at, backoff_until, backoff_set_at) = 5
      and backoff_streak = 0 as "isHealthy"
    from webhook_endpoints where id = ${id}`;
  return row?.isHealthy;
}

describe.each([
  ["that is enabled again", { enabled: true }, { disabledAt: new Date(), disabledReason: "gone" }],
  ["with another URL", { url: OTHER_URL }, { failingSince: new Date() }],
] as const)("an endpoint %s", (_, input, stored) => {
  test.each([
    ["410", 410],
    ["no answer that counts", 429],
  ])("doesn't hear of a call that began before: %s", async (_what, status) => {
    const { id, ctx: own } = await endpointWith(world, 1);
    world.receiver.answersStatus(status);
    const [claimed] = await claimDeliveries(world.services, id, 1);
    if (!claimed) throw new Error("Nothing was claimed");
    const attemptResult = await callEndpoint(world.services, claimed);
    await world.services.orm.update(webhookEndpoints).set(stored).where(eq(webhookEndpoints.id, id));
    await set({ id, ...input }, own);
    await recordDeliveries(world.services, [{ delivery: claimed, attemptResult, isRetried: true }]);
    expect(await deliveriesOf(world, id)).toMatchObject([{ tries: [{ httpStatus: status }] }]);
    expect(await isHealthy(id)).toBe(true);
    expect(await endpointRow(world, id)).toMatchObject({ disabledReason: null });
  });
});

describe("what is given", () => {
  test("is changed, and nothing else; before and after are noted", async () => {
    const channelId = await connectTestChannel(ctx);
    const id = await create({ description: "Shop", events: ["message.sent"] });
    const changed = await set({
      id,
      url: `${OTHER_URL}?key=1`,
      events: ["message.read"],
      channel_ids: [channelId],
    });
    expect(changed).toMatchObject({
      url: `${OTHER_URL}?key=1`,
      events: ["message.read"],
      description: "Shop",
      channel_ids: [channelId],
      enabled: true,
    });
    expect(await actsOn(id)).toMatchObject([
      {
        action: "webhook.set",
        detail: {
          from: { url: PUBLIC_URL, events: ["message.sent"], channelIds: null },
          to: { url: `${OTHER_URL}?…`, events: ["message.read"], channelIds: [channelId] },
        },
      },
    ]);
    expect((await set({ id, channel_ids: null, description: "" })).channel_ids).toBeNull();
  });

  test("that is so already changes nothing, and nor does nothing at all", async () => {
    const id = await create({ description: "Shop" });
    const before = await set({ id });
    expect(await set({ id, url: PUBLIC_URL, description: "Shop", channel_ids: null, enabled: true })).toEqual(
      before,
    );
    expect(await actsOn(id)).toEqual([]);
    expect(world.notifiedEndpoints).not.toContain(id);
  });

  test.each<[field: string, change: object]>([
    ["url", { url: "http://localhost/hook" }],
    ["events", { events: [] }],
    ["channel_ids", { channel_ids: ["0198f09f-7c11-7d08-9b64-1e5a2c7f3d46"] }],
    ["description", { description: null }],
  ])("and can't be, changes nothing: %s", async (field, change) => {
    const id = await create({ description: "Shop" });
    const before = await set({ id });
    expect(await errorOf(set({ id, ...change, enabled: false }))).toMatchObject({ field });
    expect(await set({ id })).toEqual(before);
  });
});

test("an endpoint with a URL keeps one, and one without gets none", async () => {
  const [posted, fetched] = [await create(), await create({ url: null })];
  const error = { code: "validation_failed", field: "url" };
  expect(await errorOf(set({ id: posted, url: null }))).toMatchObject(error);
  expect(await errorOf(set({ id: fetched, url: OTHER_URL }))).toMatchObject(error);
  expect((await set({ id: fetched, url: null, description: "Mine" })).description).toBe("Mine");
});

test("another URL starts afresh, and is woken; the same one doesn't", async () => {
  const id = await create();
  await letFail(id);
  await set({ id, url: PUBLIC_URL, description: "Shop" });
  expect(await isHealthy(id)).toBe(false);
  expect((await set({ id, url: OTHER_URL })).failing_since).toBeNull();
  expect(await isHealthy(id)).toBe(true);
  expect(world.notifiedEndpoints).toContain(id);
});

describe("disabling", () => {
  test("says that it was by hand, is noted, and wakes the endpoint, so that what waits is skipped", async () => {
    const id = await create();
    const disabled = await set({ id, enabled: false });
    expect(disabled).toMatchObject({
      enabled: false,
      disabled_at: expect.any(String),
      disabled_reason: "member",
    });
    expect(world.notifiedEndpoints).toContain(id);
    expect(await set({ id, enabled: false })).toEqual(disabled);
    expect(await actsOn(id)).toMatchObject([{ action: "webhook.disabled", detail: { reason: "member" } }]);
  });

  test("keeps the reason of what is disabled already", async () => {
    const id = await create();
    await letFail(id, "failing");
    expect(await set({ id, enabled: false })).toMatchObject({ disabled_reason: "failing" });
  });
});

test.each(["member", "failing", "gone"])(
  "enabling what is disabled as %s forgets failures, and wakes it",
  async (reason) => {
    const id = await create();
    await letFail(id, reason);
    expect(await set({ id, enabled: true })).toMatchObject({
      enabled: true,
      disabled_at: null,
      disabled_reason: null,
      failing_since: null,
    });
    expect(await isHealthy(id)).toBe(true);
    expect(world.notifiedEndpoints).toContain(id);
    expect(await actsOn(id)).toMatchObject([{ action: "webhook.enabled", detail: { disabledFor: reason } }]);
  },
);

test("a key that is limited to channels leaves its endpoints within these", async () => {
  const [own, other] = [await connectTestChannel(ctx), await connectTestChannel(ctx)];
  const key = await asKey(ctx, { scopes: ["webhooks:manage"], channelIds: [own] });
  const id = await create({ channel_ids: [own] });
  expect((await errorOf(set({ id, channel_ids: [own, other] }, key)))?.code).toBe("channel_forbidden");
  expect((await set({ id, channel_ids: null }, key)).channel_ids).toEqual([own]);
});
