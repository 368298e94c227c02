import { setTimeout as pause } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Sql } from "@/db/client";
import { until } from "@/e2e/support/until";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { errorOf, UNKNOWN_ID } from "@/server/domain/keys/testing";
import { asKey, openConversation, queueText } from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { ATTEMPTS_SHOWN_MAX, listDeliveriesInput } from "./delivery-schemas";
import { listDeliveries } from "./list-deliveries";
import { rotateWebhookSecret } from "../endpoints/rotate-secret";
import { addEndpoint, addPastDeliveries, openWebhookWorld, PUBLIC_URL, type WebhookWorld } from "../testing";

let world: WebhookWorld;
let ctx: Context<SystemActor>;
let id: string;
let secret: string;

beforeAll(async () => void (world = await openWebhookWorld()));
beforeEach(async () => {
  ctx = await createTestOrganization(world.services);
  ({ id, secret } = await addEndpoint(ctx, { url: PUBLIC_URL }));
});
afterAll(() => world.close());

const list = (query: object = {}, as: Context = ctx) =>
  listDeliveries({ ctx: as, input: listDeliveriesInput.parse({ id, ...query }) });
const add = (past: Parameters<typeof addPastDeliveries>[2] = {}) => addPastDeliveries(ctx, id, past);
const idsOf = (page: Awaited<ReturnType<typeof list>>) => page.data.map((delivery) => delivery.id);
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();

/** Reads all pages after the cursor, until one is the last, or is empty if there is no last one. */
async function pagesFrom(query: object, cursor: string | null = null) {
  const ids: string[] = [];
  let pages = 0;
  for (let next: string | null = cursor; ; pages++) {
    const page: Awaited<ReturnType<typeof list>> = await list({
      ...query,
      ...(next === null ? {} : { cursor: next }),
    });
    ids.push(...idsOf(page));
    if (page.next_cursor === null || (page.data.length === 0 && page.next_cursor === next))
      return { ids, pages };
    next = page.next_cursor;
  }
}

describe("a delivery", () => {
  test("is shown with every attempt, oldest first", async () => {
    const [deliveryId = ""] = await add({ state: "pending", type: "message.sent" });
    await world.sql`
      insert into webhook_attempts
        (organization_id, delivery_id, number, started_at, duration_ms, finished_at, http_status, error_class, answer)
      values
        (${ctx.actor.organizationId}, ${deliveryId}, 2, '2026-01-31T12:00:05Z', null, null, null, null, null),
        (${ctx.actor.organizationId}, ${deliveryId}, 1, '2026-01-31T12:00:00Z', 12, now(), 500, 'status', 'Oh "no"')`;
    await world.sql`update webhook_deliveries set attempts_ever = 2 where id = ${deliveryId}`;
    expect((await list()).data).toEqual([
      {
        id: deliveryId,
        event_id: deliveryId,
        type: "message.sent",
        state: "pending",
        message_id: null,
        contact_id: null,
        created_at: expect.stringMatching(/Z$/),
        next_attempt_at: expect.stringMatching(/Z$/),
        attempts: [
          {
            number: 1,
            started_at: "2026-01-31T12:00:00.000Z",
            duration_ms: 12,
            http_status: 500,
            error_class: "status",
            answer: 'Oh "no"',
          },
          {
            number: 2,
            started_at: "2026-01-31T12:00:05.000Z",
            duration_ms: null,
            http_status: null,
            error_class: null,
            answer: null,
          },
        ],
        attempts_count: 2,
      },
    ]);
  });

  test("that was sent again ever so often is shown with the latest attempts, and how many there are", async () => {
    const [deliveryId = ""] = await add({ state: "failed" });
    await world.sql`
      insert into webhook_attempts (organization_id, delivery_id, number, finished_at, error_class)
      select ${ctx.actor.organizationId}, ${deliveryId}, n, now(), 'status' from generate_series(1, 1000) n`;
    await world.sql`update webhook_deliveries set attempts_ever = 1000 where id = ${deliveryId}`;
    const [delivery] = (await list()).data;
    expect(delivery?.attempts_count).toBe(1_000);
    expect(delivery?.attempts.map(({ number }) => number)).toEqual(
      Array.from({ length: ATTEMPTS_SHOWN_MAX }, (_, place) => 1_001 - ATTEMPTS_SHOWN_MAX + place),
    );
  });

  test("comes with its bytes and how they are signed now, where that is asked for", async () => {
    const [deliveryId = ""] = await add({ state: "available" });
    const rotated = await rotateWebhookSecret({ ctx, input: { id } });
    const [delivery] = (await list({ include: "payload" })).data;
    const { body = null, headers = null } = delivery ?? {};
    if (body === null || headers === null) throw new Error("There is no payload");
    expect(JSON.parse(body)).toEqual({ type: "message.received", n: 1 });
    expect(headers["webhook-id"]).toBe(deliveryId);
    for (const one of [secret, rotated.secret]) {
      expect(new Webhook(one).verify(body, { ...headers })).toEqual(JSON.parse(body));
    }
    await world.sql`update webhook_former_secrets set ends_at = now() where endpoint_id = ${id}`;
    const [later] = (await list({ include: "payload" })).data;
    expect(() => new Webhook(secret).verify(body, { ...later?.headers })).toThrow(
      "No matching signature found",
    );
  });

  test("whose content is erased has neither", async () => {
    await add();
    await world.sql`update webhook_events set body = null where organization_id = ${ctx.actor.organizationId}`;
    expect((await list({ include: "payload" })).data).toMatchObject([{ body: null, headers: null }]);
  });
});

describe("a filter", () => {
  test.each([
    ["state", { state: "failed" }, ["failed"]],
    ["another state", { state: "delivered" }, ["delivered", "read"]],
    ["type", { type: "message.read" }, ["read"]],
    ["both", { state: "skipped", type: "message.read" }, []],
  ])("by %s finds what it says", async (_, query, names) => {
    const named = new Map([
      ["failed", await add({ state: "failed" })],
      ["skipped", await add({ state: "skipped" })],
      ["read", await add({ type: "message.read" })],
      ["delivered", await add()],
    ]);
    for (const order of ["newest", "oldest"]) {
      const ids = idsOf(await list({ ...query, order }));
      expect(ids.toSorted()).toEqual(names.flatMap((name) => named.get(name) ?? []).toSorted());
    }
  });

  test("by time takes its beginning and leaves its end out", async () => {
    const ids = await add({ count: 3 });
    const at = "2026-01-31T12:00:00Z";
    await world.sql`update webhook_deliveries set created_at = ${at} where id = ${ids[1] ?? ""}`;
    for (const order of ["newest", "oldest"]) {
      expect(idsOf(await list({ order, since: at, until: "2026-01-31T12:00:00.001Z" }))).toEqual([ids[1]]);
      expect(idsOf(await list({ order, since: "2026-01-31T11:59:59Z", until: at }))).toEqual([]);
      expect(idsOf(await list({ order, since: at }))).toHaveLength(3);
      expect(idsOf(await list({ order, until: ago(0) }))).toHaveLength(3);
    }
  });

  test("by time takes its beginning also behind a page that ended before", async () => {
    const [first = "", second = ""] = await add({ count: 2 });
    const at = new Date(Date.now() - 30_000).toISOString();
    await world.sql`update webhook_deliveries set id = 'ffffffff-ffff-4fff-bfff-ffffffffffff' where id = ${first}`;
    await world.sql`update webhook_deliveries set created_at = ${at} where id = ${second}`;
    const { next_cursor: cursor } = await list({ order: "oldest", limit: "1" });
    expect(idsOf(await list({ order: "oldest", since: at, cursor }))).toEqual([second]);
  });

  test("by message finds its events, and none of another organization's", async () => {
    const channelId = await connectTestChannel(ctx);
    const messageId = await queueText(ctx, (await openConversation(ctx, channelId)).threadId);
    await world.sql`delete from webhook_deliveries where endpoint_id = ${id}`;
    const ids = await add({ messageId });
    await add({ count: 2 });
    expect(idsOf(await list({ message_id: messageId }))).toEqual(ids);
    expect(
      idsOf(await list({ message_id: messageId.toUpperCase(), order: "oldest", state: "delivered" })),
    ).toEqual(ids);
    expect(idsOf(await list({ message_id: messageId, state: "failed" }))).toEqual([]);
    expect(idsOf(await list({ message_id: UNKNOWN_ID }))).toEqual([]);
    const foreign = await createTestOrganization(world.services);
    const theirs = await addEndpoint(foreign, {});
    expect(idsOf(await list({ id: theirs.id, message_id: messageId }, foreign))).toEqual([]);
  });
});

describe("pages", () => {
  test("reach every delivery once, in either order, also those of one moment, whatever comes meanwhile", async () => {
    const ids = await add({ count: 25 });
    await world.sql`
      update webhook_deliveries set created_at = (select max(created_at) from webhook_deliveries where endpoint_id = ${id})
      where id = any(${ids.slice(10, 20)}::uuid[])`;
    const newest = await list({ limit: "10" });
    const oldest = await list({ limit: "10", order: "oldest" });
    await add({ secondsAgo: 10 });
    const all = (await list({ limit: "100" })).data.map((delivery) => delivery.id).slice(1);
    expect(all.toSorted()).toEqual(ids.toSorted());
    const rest = await pagesFrom({ limit: "10" }, newest.next_cursor);
    expect([...idsOf(newest), ...rest.ids]).toEqual(all);
    const later = await pagesFrom({ limit: "10", order: "oldest" }, oldest.next_cursor);
    expect([...idsOf(oldest), ...later.ids].slice(0, 25)).toEqual(all.toReversed());
    expect(later.ids).toHaveLength(16);
  });

  test("look at a part each where few match, and find all of them", async () => {
    const [rare = ""] = await add({ type: "message.read", secondsAgo: 3_600 });
    await add({ count: 25_000 });
    expect(await pagesFrom({ type: "message.read" })).toEqual({ ids: [rare], pages: 2 });
    const [late = ""] = await add({ type: "message.read", secondsAgo: 5 });
    expect((await pagesFrom({ type: "message.read", order: "oldest" })).ids).toEqual([rare, late]);
  });

  test("are of use for their own endpoint and order only", async () => {
    await add({ count: 2 });
    const { next_cursor: cursor } = await list({ limit: "1" });
    const other = await addEndpoint(ctx, {});
    const error = { code: "validation_failed", field: "cursor" };
    expect(await errorOf(list({ id: other.id, cursor }))).toMatchObject(error);
    expect(await errorOf(list({ order: "oldest", cursor }))).toMatchObject(error);
  });
});

describe("oldest first", () => {
  test("there is a cursor to go on from, also when there is nothing yet", async () => {
    const nothing = await list({ order: "oldest" });
    expect(nothing).toEqual({ data: [], next_cursor: expect.any(String) });
    const first = await add({ count: 2, secondsAgo: 30 });
    const page = await list({ order: "oldest", cursor: nothing.next_cursor });
    expect(idsOf(page)).toEqual(first);
    const again = await list({ order: "oldest", cursor: page.next_cursor });
    expect(again).toEqual({ data: [], next_cursor: page.next_cursor });
    const second = await add({ secondsAgo: 20 });
    expect(idsOf(await list({ order: "oldest", cursor: again.next_cursor }))).toEqual(second);
  });

  test("nothing is shown before what began earlier and commits later", async () => {
    const before = await add({ secondsAgo: 30 });
    const next = async (cursor: string | null) => list({ order: "oldest", cursor });
    const page = await list({ order: "oldest" });
    expect(idsOf(page)).toEqual(before);
    let late: string[] = [];
    let early: string[] = [];
    await world.sql.begin(async (tx) => {
      const work: Context = { ...ctx, services: { ...ctx.services, sql: asPool(tx) } };
      await tx`select 1`;
      late = await addPastDeliveries(work, id, { secondsAgo: 0 });
      await pause(5);
      early = await add({ secondsAgo: 0 });
      // Old enough by itself: only the open transaction holds it back.
      await until("a second has passed", async () => {
        const [row] = await world.sql<{ isOld: boolean }[]>`
          select created_at < now() - interval '1.2 seconds' as "isOld" from webhook_deliveries where id = ${early[0] ?? ""}`;
        return row?.isOld;
      });
      expect(idsOf(await next(page.next_cursor))).toEqual([]);
    });
    expect(idsOf(await next(page.next_cursor))).toEqual([...late, ...early]);
  });

  test("what has only just arisen isn't shown yet, newest first it is", async () => {
    const ids = await add({ secondsAgo: 0 });
    expect(idsOf(await list({ order: "oldest" }))).toEqual([]);
    expect(idsOf(await list())).toEqual(ids);
    await until("it is shown", async () => idsOf(await list({ order: "oldest" })).length === 1);
  });
});

test("a key that is limited to channels sees no deliveries of others, which the endpoint had before", async () => {
  const [own, other] = [await connectTestChannel(ctx), await connectTestChannel(ctx)];
  const messageOf = async (channelId: string) =>
    queueText(ctx, (await openConversation(ctx, channelId)).threadId);
  const [mine, theirs] = [await messageOf(own), await messageOf(other)];
  await world.sql`delete from webhook_deliveries where endpoint_id = ${id}`;
  const seen = [
    ...(await add({ messageId: mine })),
    ...(await add({ type: "webhook.test", secondsAgo: 30 })),
  ];
  await add({ messageId: theirs, type: "message.sent" });
  await world.sql`update webhook_endpoints set channel_ids = ${[own]}::uuid[] where id = ${id}`;
  const key = await asKey(ctx, { scopes: ["webhooks:manage"], channelIds: [own] });
  expect(idsOf(await list({ order: "oldest" }, key))).toEqual(seen);
  expect(idsOf(await list({ message_id: theirs }, key))).toEqual([]);
  expect(idsOf(await list())).toHaveLength(3);
});

test("an endpoint that can't be known of is answered as none", async () => {
  expect((await errorOf(list({ id: UNKNOWN_ID })))?.code).toBe("webhook_not_found");
  expect((await errorOf(list({}, await createTestOrganization(world.services))))?.code).toBe(
    "webhook_not_found",
  );
});

/** Guarantee: it is only called for statements, which a transaction accepts as a pool does. */
function asPool(tx: unknown): Sql {
  return tx as Sql;
}
