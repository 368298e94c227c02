import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/db/schema";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { createOrganization } from "@/server/domain/organizations/create";
import { rotateWebhookSecret } from "@/server/domain/webhooks/endpoints/rotate-secret";
import { newWebhookSecret } from "@/server/domain/webhooks/endpoints/secret";
import { inboxPath } from "@/server/core/service-urls";
import { FAULTY_MAX, VERIFIED_MAX } from "./receive";
import {
  type InboxWorld,
  newDemo,
  openInboxWorld,
  signedHeaders,
  storedIn,
} from "@/server/domain/inbox/testing";

const MESSAGE = newId();
const BODY = JSON.stringify({
  type: "message.sent",
  timestamp: "2026-01-31T12:00:00.000Z",
  data: { message_id: MESSAGE, text: "Grüße" },
});
const MINUTE_MS = 60_000;

let world: InboxWorld;
let ctx: Context<SystemActor>;
let url: string;
let secret: string;

beforeAll(async () => void (world = await openInboxWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  const demo = await newDemo(world);
  ({ ctx, url } = demo);
  ({ secret } = await rotateWebhookSecret({ ctx, input: { id: demo.endpointId } }));
});

async function post(headers: Record<string, string>, body = BODY, to = url): Promise<number> {
  const answer = await fetch(to, { method: "POST", headers, body });
  await answer.arrayBuffer();
  return answer.status;
}

const stored = async () => [...(await storedIn(world, ctx))];

describe("what our endpoint signed", () => {
  test("is kept as it came, with its headers and what it is about", async () => {
    const headers = { ...signedHeaders(secret, BODY), "user-agent": "Waypost", "x-other": "left out" };
    expect(await post(headers)).toBe(204);
    const { "x-other": _, ...kept } = headers;
    expect(await stored()).toEqual([
      {
        fault: null,
        headers: kept,
        body: BODY,
        bodyBytes: Buffer.byteLength(BODY),
        type: "message.sent",
        messageId: MESSAGE,
      },
    ]);
  });

  test("is genuine under either secret while a rotation lasts, and under the new one afterwards", async () => {
    const { organizationId } = ctx.actor;
    const [endpoint] = await world.sql<{ id: string }[]>`
      select id from webhook_endpoints where organization_id = ${organizationId}`;
    const rotated = await rotateWebhookSecret({ ctx, input: { id: endpoint?.id ?? "" } });
    await post(signedHeaders(secret, BODY));
    await post(signedHeaders(rotated.secret, BODY));
    await world.sql`
      update webhook_former_secrets set ends_at = now() where organization_id = ${organizationId}`;
    await post(signedHeaders(secret, BODY));
    await post(signedHeaders(rotated.secret, BODY));
    expect((await stored()).map(({ fault }) => fault)).toEqual([null, null, "wrong_signature", null]);
  });

  test("is kept also where it is no event of ours", async () => {
    await post(signedHeaders(secret, "Hello"), "Hello");
    await post(
      signedHeaders(secret, '{"type":"x","data":{"message_id":"1"}}'),
      '{"type":"x","data":{"message_id":"1"}}',
    );
    expect(await stored()).toMatchObject([
      { fault: null, body: "Hello", type: null, messageId: null },
      { fault: null, type: null, messageId: null },
    ]);
  });
});

describe("what can't be trusted", () => {
  const now = () => signedHeaders(secret, BODY);
  test.each([
    ["wrong_signature", "another secret", () => signedHeaders(newWebhookSecret(), BODY)],
    ["wrong_signature", "another body", () => signedHeaders(secret, `${BODY} `)],
    ["wrong_signature", "another id", () => ({ ...now(), "webhook-id": newId() })],
    ["wrong_signature", "no version", () => ({ ...now(), "webhook-signature": "nonsense" })],
    [
      "wrong_time",
      "the past",
      () => signedHeaders(secret, BODY, { at: new Date(Date.now() - 6 * MINUTE_MS) }),
    ],
    [
      "wrong_time",
      "the future",
      () => signedHeaders(secret, BODY, { at: new Date(Date.now() + 6 * MINUTE_MS) }),
    ],
    ["wrong_time", "no number", () => ({ ...now(), "webhook-timestamp": "soon" })],
    ["unsigned", "no id", () => ({ ...now(), "webhook-id": "" })],
    ["unsigned", "no headers", () => ({})],
  ])("is kept as %s: %s", async (fault, _, headers) => {
    expect(await post(headers())).toBe(204);
    expect(await stored()).toMatchObject([{ fault, type: null, messageId: null }]);
  });

  test("is cut short", async () => {
    const body = `${"x".repeat(1_023)}😀${"x".repeat(10_000)}\0`;
    await post({ ...signedHeaders(newWebhookSecret(), body), "user-agent": "y".repeat(5_000) }, body);
    const [row] = await stored();
    expect(row?.body).toBe(`${"x".repeat(1_023)}�`);
    expect(row?.bodyBytes).toBe(Buffer.byteLength(body));
    expect(row?.headers["user-agent"]).toHaveLength(512);
  });

  test("pushes nothing out that is genuine", async () => {
    await post(signedHeaders(secret, BODY));
    for (let sent = 0; sent < FAULTY_MAX + 5; sent += 1) await post({}, `stranger ${sent}`);
    const rows = await stored();
    expect(rows.filter(({ fault }) => fault === null)).toHaveLength(1);
    const strangers = rows.filter(({ fault }) => fault !== null).map(({ body }) => body);
    expect(strangers).toEqual(Array.from({ length: FAULTY_MAX }, (_, index) => `stranger ${index + 5}`));
  });
});

test("keeps the last hundred, of each organization by itself", async () => {
  const other = await newDemo(world);
  await post({}, "other", other.url);
  for (let sent = 0; sent < VERIFIED_MAX + 3; sent += 1) {
    const body = JSON.stringify({ type: "message.sent", data: {}, sent });
    await post(signedHeaders(secret, body), body);
  }
  const rows = await stored();
  expect(rows).toHaveLength(VERIFIED_MAX);
  expect(rows[0]?.body).toContain('"sent":3}');
  expect(await storedIn(world, other.ctx)).toHaveLength(1);
});

test("of organizations that are no demo there is no inbox, nor of unknown ones", async () => {
  const { services } = world;
  const real = await createOrganization({ services, job: "test", input: { name: "Shop" } });
  const paths = [
    inboxPath(real.id),
    inboxPath(newId()),
    inboxPath("x"),
    `${inboxPath(ctx.actor.organizationId)}/x`,
  ];
  for (const path of paths) expect(await post({}, BODY, world.baseUrl + path)).toBe(404);
  expect(await storedIn(world, real.ctx)).toEqual([]);
});

test("takes 64 KiB and no more, and nothing but POST", async () => {
  expect(await post({}, "x".repeat(64 * 1024))).toBe(204);
  expect(await post({}, "x".repeat(64 * 1024 + 1))).toBe(413);
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
});
