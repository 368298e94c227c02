import { randomUUID } from "node:crypto";
import type { ExpectStatic } from "vitest";
import type { ApiAnswer, ApiRequest } from "@/e2e/support/api";
import { asJson } from "@/e2e/support/contract";
import { until } from "@/e2e/support/until";
import { client, withEndpoint } from "./endpoints";
import { send, type Journey } from "./scenario";
import type { World } from "./world";

const UNKNOWN_ID = "01890a5d-ac96-774b-bcce-b302099a8057";
/** A public address without a server. */
const URL_OF_NOBODY = "https://93.184.216.34:9/hook";
const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString();

type Json = Readonly<Record<string, unknown>>;

const refused = (status: number, code: string, field?: string) => ({
  status,
  body: { error: field === undefined ? { code } : { code, field } },
});

/** Every route with an endpoint's id. */
const ROUTES: readonly Omit<ApiRequest, "key">[] = [
  { path: "" },
  { method: "PATCH", path: "", json: { description: "Mine" } },
  { method: "DELETE", path: "" },
  { method: "POST", path: "/rotate-secret" },
  { method: "POST", path: "/test" },
  { path: "/deliveries" },
  { method: "POST", path: `/deliveries/${UNKNOWN_ID}/redeliver` },
  { path: "/replay", json: { since: YESTERDAY, only: "failed" } },
];

const nameOf = ({ method, json, path }: Omit<ApiRequest, "key">) =>
  `${method ?? (json === undefined ? "GET" : "POST")} /webhooks/{id}${path}`;

/** Headers that differ between any two responses. */
const PASSING_HEADERS = new Set(["date", "x-request-id", "x-ratelimit-remaining", "x-ratelimit-reset"]);

function visible({ status, text, headers }: ApiAnswer) {
  const lasting = Object.entries(headers).filter(([name]) => !PASSING_HEADERS.has(name));
  return { status, text, headers: Object.fromEntries(lasting) };
}

export const managingWebhooks: readonly Journey[] = [
  {
    name: "an endpoint is made, read, listed, changed and removed",
    async run(world, expect) {
      const { call, create, remove } = client(world);
      const { secret, ...endpoint } = await create({
        url: URL_OF_NOBODY,
        events: ["message.read"],
        enabled: false,
      });
      const path = `/webhooks/${endpoint.id}`;
      expect(secret).toMatch(/^whsec_/);
      expect(endpoint).toMatchObject({
        url: URL_OF_NOBODY,
        enabled: false,
        disabled_reason: "member",
        channel_ids: null,
      });
      expect(await call({ path })).toMatchObject({ status: 200, body: endpoint });
      const { data } = JSON.parse((await call({ path: "/webhooks?limit=100" })).text);
      expect(data).toContainEqual(endpoint);
      const changes = { description: "Shop", enabled: true };
      expect(await call({ method: "PATCH", path, json: changes })).toMatchObject({
        status: 200,
        body: { ...endpoint, ...changes, disabled_at: null, disabled_reason: null },
      });
      const removed = await remove(endpoint.id);
      expect(removed).toMatchObject({ status: 204, text: "" });
      expect(removed.headers).not.toHaveProperty("content-type");
      expect(removed.headers).not.toHaveProperty("content-length");
      expect(removed.headers).toHaveProperty("x-ratelimit-remaining");
      expect(await remove(endpoint.id)).toMatchObject(refused(404, "webhook_not_found"));
    },
  },
  {
    name: "a secret is rotated without a body, and the former one signs beside it",
    async run(world, expect) {
      await withEndpoint(world, { url: null }, async ({ id, secret }, call) => {
        for (const request of [{ method: "POST" }, { json: {} }, { raw: "" }]) {
          const rotated = await call({ ...request, path: `/webhooks/${id}/rotate-secret` });
          expect(rotated).toMatchObject({
            status: 200,
            body: { id, secret: expect.stringMatching(/^whsec_/), former_secret_ends_at: expect.any(String) },
          });
          expect(asJson(rotated.body).secret).not.toBe(secret);
        }
        const field = await call({ path: `/webhooks/${id}/rotate-secret`, json: { overlap: 1 } });
        expect(field).toMatchObject(refused(400, "validation_failed"));
      });
    },
  },
  ...ROUTES.map((route): Journey => ({
    name: `${nameOf(route)} answers alike whatever the key may not know of`,
    async run(world, expect) {
      const { secret } = world.keys.webhooksOfSecond;
      const unlimited = client(world);
      const { id: hidden } = await unlimited.create({ url: null });
      const { id: removed } = await unlimited.create({
        url: null,
        channel_ids: [world.demo.channels.second],
      });
      await unlimited.remove(removed);
      const call = (id: string) =>
        world.api.call({ ...route, path: `/webhooks/${id}${route.path}`, key: secret });
      try {
        const unknown = await call(UNKNOWN_ID);
        expect(unknown).toMatchObject(refused(404, "webhook_not_found"));
        for (const id of [hidden, removed, "not-an-id", "%00", "%F0%9F%91%8B", "a".repeat(2_000)]) {
          expect(visible(await call(id))).toEqual(visible(unknown));
        }
      } finally {
        await unlimited.remove(hidden);
      }
    },
  })),
  {
    name: "a key that is limited to channels makes and sees endpoints of these only",
    async run(world, expect) {
      const limited = client(world, "webhooksOfSecond");
      const { id, channel_ids } = await limited.create({ url: null });
      const { id: hidden } = await client(world).create({ url: null });
      try {
        expect(channel_ids).toEqual([world.demo.channels.second]);
        const { data } = JSON.parse((await limited.call({ path: "/webhooks?limit=100" })).text);
        const ids = data.map((endpoint: Json) => endpoint.id);
        expect(ids).toContain(id);
        expect(ids).not.toContain(hidden);
        const json = { channel_ids: [world.demo.channels.default] };
        expect(await limited.call({ method: "PATCH", path: `/webhooks/${id}`, json })).toMatchObject(
          refused(403, "channel_forbidden", "channel_ids"),
        );
      } finally {
        await Promise.all([id, hidden].map(client(world).remove));
      }
    },
  },
  {
    name: "a delivery is delivered again, and counted for a replay",
    run: deliverAgain,
  },
  {
    name: "what can't be delivered isn't, and a replay of all has an id",
    async run(world, expect) {
      await withEndpoint(world, { url: null }, async ({ id }, call) => {
        const replay = (json: Json) =>
          call({ path: `/webhooks/${id}/replay`, json: { since: YESTERDAY, ...json } });
        expect(await replay({ only: "skipped" })).toMatchObject(refused(409, "webhook_not_delivering"));
        expect(await replay({ only: "all" })).toMatchObject(refused(400, "validation_failed", "replay_id"));
        expect(await replay({ only: "pending" })).toMatchObject(refused(400, "validation_failed", "only"));
        expect(
          await call({ method: "PATCH", path: `/webhooks/${id}`, json: { url: URL_OF_NOBODY } }),
        ).toMatchObject(refused(400, "validation_failed", "url"));
        const path = `/webhooks/${id}/deliveries/${UNKNOWN_ID}/redeliver`;
        expect(await call({ method: "POST", path })).toMatchObject(
          refused(404, "webhook_delivery_not_found", "delivery_id"),
        );
        expect(await call({ path: `/webhooks/${id}/deliveries?state=lost` })).toMatchObject(
          refused(400, "validation_failed", "state"),
        );
      });
    },
  },
  {
    name: "an endpoint is tested ten times a minute, a limit of its own without headers of the key's",
    run: (world, expect) =>
      withEndpoint(world, { url: null }, async ({ id }, call) => {
        const test = () => call({ method: "POST", path: `/webhooks/${id}/test` });
        for (let tests = 0; tests < 10; tests += 1) {
          const answer = await test();
          expect(answer).toMatchObject({ status: 200, body: { state: "available" } });
          expect(asJson(answer.body).event_id).not.toBe(asJson(answer.body).delivery_id);
        }
        const { headers, ...answer } = await test();
        expect(answer).toMatchObject(refused(429, "webhook_test_limited"));
        expect(headers["retry-after"]).toMatch(/^([1-9]|[1-5][0-9]|60)$/);
        expect(Object.keys(headers).filter((name) => name.startsWith("x-ratelimit"))).toEqual([]);
      }),
  },
];

/** Uses the endpoint that every demo organization has. */
async function deliverAgain(world: World, expect: ExpectStatic): Promise<void> {
  const { call } = client(world);
  const { data: endpoints } = JSON.parse((await call({ path: "/webhooks?limit=100" })).text);
  const { id } = endpoints.find(({ url }: Json) => typeof url === "string" && url.includes("inbox"));
  const { message_id } = JSON.parse((await world.api.call(send(world))).text);
  const delivered = async () => {
    const query = `state=delivered&type=message.read&message_id=${message_id}`;
    const { data } = JSON.parse((await call({ path: `/webhooks/${id}/deliveries?${query}` })).text);
    return data[0];
  };
  const first = await until("the event is delivered", delivered, { intervalMs: 100 });
  expect(first).toMatchObject({ message_id, attempts: [{ number: 1, http_status: 204, error_class: null }] });
  const path = `/webhooks/${id}/deliveries/${first.id}/redeliver`;
  expect(await call({ method: "POST", path })).toMatchObject({
    status: 202,
    body: { id: first.id, event_id: first.event_id },
  });
  expect(first.event_id).not.toBe(first.id);
  const again = async () => {
    const delivery = await delivered();
    return delivery?.attempts.length === 2 ? delivery : null;
  };
  expect(await until("it is delivered again", again, { intervalMs: 100 })).toMatchObject({
    id: first.id,
    attempts: [{ number: 1 }, { number: 2, error_class: null }],
  });
  const counted = await call({
    path: `/webhooks/${id}/replay`,
    json: { since: first.created_at, only: "all", dry_run: true },
  });
  expect(counted).toMatchObject({ status: 200, body: { dry_run: true, replay_id: null } });
  expect(asJson(counted.body).count).toBeGreaterThan(0);
  const json = { since: YESTERDAY, until: YESTERDAY, only: "all", replay_id: randomUUID() };
  const replayed = await call({ path: `/webhooks/${id}/replay`, json });
  expect(replayed).toMatchObject({ status: 200, body: { ...json, dry_run: false, count: 0 } });
  expect((await call({ path: `/webhooks/${id}/replay`, json })).text).toBe(replayed.text);
}
