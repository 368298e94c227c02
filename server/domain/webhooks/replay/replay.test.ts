import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { errorOf, UNKNOWN_ID } from "@/server/domain/keys/testing";
import { asKey, openConversation, queueText } from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { replayWebhooks } from "./replay";
import type { ReplayInput } from "./replay-schemas";
import { countPuts } from "./testing";
import {
  addEndpoint,
  addPastDeliveries,
  auditOf,
  openWebhookWorld,
  PUBLIC_URL,
  type WebhookWorld,
} from "../testing";

let world: WebhookWorld;
let ctx: Context<SystemActor>;
let id: string;

beforeAll(async () => void (world = await openWebhookWorld()));
beforeEach(async () => {
  ctx = await createTestOrganization(world.services);
  ({ id } = await addEndpoint(ctx, { url: PUBLIC_URL }));
});
afterAll(() => world.close());

const SINCE = new Date(Date.now() - 3_600_000).toISOString();

const replay = (input: Partial<ReplayInput> = {}, as: Context = ctx) =>
  replayWebhooks({ ctx: as, input: { id, since: SINCE, only: "failed", ...input } });
const add = (past: Parameters<typeof addPastDeliveries>[2] = {}) => addPastDeliveries(ctx, id, past);

async function pending(): Promise<string[]> {
  const rows = await world.sql<{ id: string }[]>`
    select id from webhook_deliveries where endpoint_id = ${id} and is_pending order by created_at, id`;
  return rows.map((row) => row.id);
}

describe("a replay", () => {
  test.each([
    ["failed", ["failed"]],
    ["skipped", ["skipped"]],
    ["all", ["delivered", "failed", "skipped"]],
  ] as const)(
    "of %s puts these back, due now with the whole schedule, and nothing else",
    async (only, states) => {
      const named = {
        delivered: await add({ state: "delivered", count: 2, type: "message.read" }),
        failed: await add({ state: "failed", count: 3 }),
        skipped: await add({ state: "skipped", count: 4 }),
      };
      await add({ state: "failed", type: "webhook.test" });
      await add({ state: "failed", secondsAgo: 3_700 });
      await world.sql`update webhook_deliveries set attempts = 10 where endpoint_id = ${id}`;
      const wanted = states.flatMap((state) => named[state]);
      const replayId = randomUUID();
      const expected = {
        dry_run: false,
        since: SINCE,
        until: expect.any(String),
        only,
        count: wanted.length,
        count_is_exact: true,
      };
      const counted = await replay({ only, dry_run: true });
      expect(counted).toEqual({ ...expected, dry_run: true, replay_id: null });
      expect(await pending()).toEqual([]);
      expect(await replay({ only, replay_id: replayId.toUpperCase() })).toEqual({
        ...expected,
        replay_id: replayId,
      });
      expect((await pending()).toSorted()).toEqual(wanted.toSorted());
      const [row] = await world.sql`
      select bool_and(attempts = 0 and next_attempt_at <= now() and ended_at is null) as "areFresh"
      from webhook_deliveries where endpoint_id = ${id} and is_pending`;
      expect(row).toEqual({ areFresh: true });
      expect(world.notifiedEndpoints).toContain(id);
      expect(await auditOf(world, id)).toMatchObject([
        {
          action: "webhook.replayed",
          subject_kind: "webhook",
          detail: { replayId, only, count: wanted.length },
        },
      ]);
    },
  );

  test("is of a time: its beginning is in it, its end isn't, and it ends now at the latest", async () => {
    const [first = "", second = "", third = ""] = await add({ state: "failed", count: 3 });
    const setTime = (one: string, at: string) =>
      world.sql`update webhook_deliveries set created_at = ${at} where id = ${one}`;
    await setTime(first, "2026-01-31T11:59:59.999Z");
    await setTime(second, "2026-01-31T12:00:00Z");
    await setTime(third, "2026-01-31T13:00:00Z");
    const day = { since: "2026-01-31T12:00:00Z", until: "2026-01-31T13:00:00Z" };
    expect((await replay(day)).count).toBe(1);
    expect(await pending()).toEqual([second]);
    const { until } = await replay({ since: "2026-01-01T00:00:00Z", until: "2999-01-01T00:00:00Z" });
    expect(Math.abs(Date.parse(until) - Date.now())).toBeLessThan(60_000);
  });

  test("leaves out what was erased", async () => {
    await add({ state: "failed", count: 2 });
    await world.sql`
      update webhook_events set body = null where id = (
        select event_id from webhook_deliveries where endpoint_id = ${id} limit 1)`;
    expect((await replay()).count).toBe(1);
    expect(await pending()).toHaveLength(1);
  });

  test("leaves out channels that the endpoint isn't told of any more", async () => {
    const [own, other] = [await connectTestChannel(ctx), await connectTestChannel(ctx)];
    const messageOf = async (channelId: string) =>
      queueText(ctx, (await openConversation(ctx, channelId)).threadId);
    const [mine, theirs] = [await messageOf(own), await messageOf(other)];
    await world.sql`delete from webhook_deliveries where endpoint_id = ${id}`;
    const wanted = await add({ state: "failed", type: "message.sent", messageId: mine });
    await add({ state: "failed", type: "message.sent", messageId: theirs });
    await world.sql`update webhook_endpoints set channel_ids = ${[own]}::uuid[] where id = ${id}`;
    const key = await asKey(ctx, { scopes: ["webhooks:manage"], channelIds: [own] });
    expect((await replay({}, key)).count).toBe(1);
    expect(await pending()).toEqual(wanted);
  });
});

describe("its id", () => {
  test("asked again answers the same and puts nothing back anew, and is refused for anything else", async () => {
    await add({ count: 3 });
    const input = { only: "all", replay_id: randomUUID() } as const;
    const first = await replay(input);
    await world.sql`
      update webhook_deliveries set state = 'delivered', next_attempt_at = null, ended_at = now() where endpoint_id = ${id}`;
    await add({ state: "failed" });
    expect(await replay(input)).toEqual(first);
    for (const other of [
      { only: "failed" },
      { since: "2020-01-01T00:00:00Z" },
      { until: new Date(Date.parse(SINCE) + 1_000).toISOString() },
    ] as const)
      expect(await errorOf(replay({ ...input, ...other }))).toMatchObject({
        code: "idempotency_key_reused",
        field: "replay_id",
      });
    await world.sql`update webhook_endpoints set disabled_at = now(), disabled_reason = 'member' where id = ${id}`;
    expect(await replay(input)).toEqual(first);
    expect(await pending()).toEqual([]);
    expect(await auditOf(world, id)).toHaveLength(1);
  });

  test("asked for at the same moment begins one replay", async () => {
    const puts = await countPuts(world.sql);
    await add({ count: 900 });
    const input = { only: "all", replay_id: randomUUID() } as const;
    const answers = await Promise.all([replay(input), replay(input), replay(input)]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await puts()).toEqual({ puts: 900, deliveries: 900 });
    expect(await auditOf(world, id)).toHaveLength(1);
  });

  test("is required for all, but by a dry run, and each endpoint's own", async () => {
    await add();
    expect(await errorOf(replay({ only: "all" }))).toMatchObject({
      code: "validation_failed",
      field: "replay_id",
    });
    expect((await replay({ only: "all", dry_run: true })).count).toBe(1);
    const replayId = randomUUID();
    expect((await replay({ only: "all", replay_id: replayId })).count).toBe(1);
    const other = await addEndpoint(ctx, { url: PUBLIC_URL });
    expect((await replay({ id: other.id, only: "all", replay_id: replayId })).count).toBe(0);
  });
});

describe("is refused", () => {
  test("where the endpoint is disabled, which a dry run doesn't mind, or has no URL", async () => {
    await add({ state: "skipped" });
    await world.sql`update webhook_endpoints set disabled_at = now(), disabled_reason = 'gone' where id = ${id}`;
    expect(await errorOf(replay({ only: "skipped" }))).toMatchObject({
      code: "webhook_not_delivering",
      message: "The webhook endpoint is disabled. Enable it first.",
    });
    expect((await replay({ only: "skipped", dry_run: true })).count).toBe(1);
    const fetched = await addEndpoint(ctx, {});
    const unposted = { code: "webhook_not_delivering", message: expect.stringMatching(/no URL.* fetched/) };
    expect(await errorOf(replay({ id: fetched.id }))).toMatchObject(unposted);
    expect(await errorOf(replay({ id: fetched.id, dry_run: true }))).toMatchObject(unposted);
  });

  test.each<[string, object]>([
    ["since", { since: "yesterday" }],
    ["since", { since: undefined }],
    ["since", { since: "9999-01-31T12:00:00Z" }],
    ["until", { until: "2026-02-30T00:00:00Z" }],
    ["until", { since: "2026-01-31T13:00:00+01:00", until: "2026-01-31T11:59:59.999Z" }],
    ["only", { only: "pending" }],
    ["dry_run", { dry_run: "true" }],
    ["replay_id", { replay_id: "mine" }],
  ])("for its %s in %j", async (field, input) => {
    expect(await errorOf(replay(input))).toMatchObject({ code: "validation_failed", field });
  });

  test("for a `since` that is missing or in the future, in these words; not for a clock that is a little ahead", async () => {
    const words = async (since?: string) => (await errorOf(replay({ since })))?.message ?? null;
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
    expect(await words()).toBe("`since` is required.");
    expect(await words(inSeconds(90))).toBe("`since` must not be in the future.");
    expect(await words(inSeconds(30))).toBeNull();
  });

  test("for an endpoint that can't be known of", async () => {
    expect((await errorOf(replay({ id: UNKNOWN_ID })))?.code).toBe("webhook_not_found");
    const foreign = await createTestOrganization(world.services);
    expect((await errorOf(replay({}, foreign)))?.code).toBe("webhook_not_found");
  });
});
