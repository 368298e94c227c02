import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { errorOf, UNKNOWN_ID } from "@/server/domain/keys/testing";
import { asKey } from "@/server/domain/messages/testing";
import { asMember, connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { createWebhook } from "./create";
import type { CreateWebhookInput } from "./schemas";
import { readSecrets, signatureHeaders } from "./secret";
import { auditOf, openWebhookWorld, PUBLIC_URL, type WebhookWorld } from "../testing";
import { Webhook } from "standardwebhooks";

let world: WebhookWorld;
let ctx: Context<SystemActor>;

beforeAll(async () => void (world = await openWebhookWorld()));
beforeEach(async () => void (ctx = await createTestOrganization(world.services)));
afterAll(() => world.close());

const create = (input: Partial<CreateWebhookInput> = {}, as: Context = ctx) =>
  createWebhook({ ctx: as, input: { url: null, ...input } });

describe("an endpoint", () => {
  test("without wishes has no URL, all types but tests, all channels, and is enabled", async () => {
    expect(await create()).toEqual({
      id: expect.any(String),
      url: null,
      events: [
        "message.sent",
        "message.delivered",
        "message.read",
        "message.failed",
        "message.received",
        "contact.opted_out",
        "contact.opted_in",
        "contact.changed",
      ],
      description: "",
      channel_ids: null,
      enabled: true,
      disabled_at: null,
      disabled_reason: null,
      failing_since: null,
      former_secret_ends_at: null,
      created_at: expect.any(String),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
  });

  test("is as it was wished, what is named twice once", async () => {
    const channelId = await connectTestChannel(ctx);
    const input = {
      url: PUBLIC_URL,
      events: ["message.failed", "message.sent", "message.failed"],
      description: " Shop ",
      channel_ids: [channelId.toUpperCase(), channelId],
      enabled: false,
    } as const;
    expect(
      await create({ ...input, events: [...input.events], channel_ids: [...input.channel_ids] }),
    ).toMatchObject({
      url: PUBLIC_URL,
      events: ["message.sent", "message.failed"],
      description: "Shop",
      channel_ids: [channelId],
      enabled: false,
      disabled_at: expect.any(String),
      disabled_reason: "member",
    });
  });

  test("signs with the secret that was answered, which is stored encrypted", async () => {
    const { id, secret } = await create();
    const stored = await readSecrets(world.sql, { id, organizationId: ctx.actor.organizationId });
    expect(JSON.stringify(stored)).not.toContain(secret);
    const signed = { webhookId: UNKNOWN_ID, at: new Date(), body: "{}" };
    const headers = signatureHeaders(world.services.vault, stored, signed);
    expect(new Webhook(secret).verify("{}", { ...headers })).toEqual({});
  });

  test("is in the audit log without its secret and the query of its URL", async () => {
    const { id, secret } = await create({ url: `${PUBLIC_URL}?token=hush#part`, description: "Shop" });
    const rows = await auditOf(world, id);
    expect(rows).toMatchObject([
      {
        action: "webhook.created",
        subject_kind: "webhook",
        detail: { url: `${PUBLIC_URL}?…`, description: "Shop" },
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(JSON.stringify(rows)).not.toContain("hush");
  });

  test("may have the same URL as another one", async () => {
    const one = await create({ url: PUBLIC_URL });
    const other = await create({ url: PUBLIC_URL });
    expect(other.id).not.toBe(one.id);
  });
});

describe("a URL", () => {
  test("that was forgotten isn't null", async () => {
    expect(await errorOf(create({ url: undefined }))).toEqual({
      code: "validation_failed",
      field: "url",
      message: "`url` is required: a URL, or null for events that you fetch.",
    });
  });

  test.each(["http://localhost:3000/hook", "https://10.0.0.1/", "https://shop.internal/hook"])(
    "%j is refused, with the ways to receive events all the same",
    async (url) => {
      expect(await errorOf(create({ url }))).toEqual({
        code: "webhook_url_forbidden",
        field: "url",
        message: expect.stringMatching(
          /^The URL can't be used: .+\. .*npm run -s waypost -- webhook listen --forward URL` there in a checkout of Waypost, .* without a URL/,
        ),
      });
    },
  );

  test.each([
    ["http://8.8.8.8/hook", "it must begin with https://"],
    ["shop.example/hook", "it must begin with https://"],
    ["", "it is empty"],
    ["https://shop:secret@8.8.8.8/", "it holds a user name or a password"],
    ["https://", "it isn't a plain absolute address"],
  ])("%j is refused with what is wrong with it", async (url, reason) => {
    expect(await errorOf(create({ url }))).toEqual({
      code: "webhook_url_forbidden",
      field: "url",
      message: `The URL can't be used: ${reason}.`,
    });
  });

  test("of more than 2,048 characters is refused", async () => {
    const longest = PUBLIC_URL.padEnd(2_048, "a");
    expect((await create({ url: longest })).url).toBe(longest);
    expect(await errorOf(create({ url: `${longest}a` }))).toMatchObject({
      code: "validation_failed",
      field: "url",
    });
  });
});

test.each<[field: string, input: object]>([
  ["events", { events: [] }],
  ["events.0", { events: ["webhook.test"] }],
  ["events.1", { events: ["message.sent", "message.queued"] }],
  ["description", { description: "a".repeat(501) }],
  ["description", { description: "two\nlines" }],
  ["channel_ids", { channel_ids: [] }],
  ["channel_ids.0", { channel_ids: ["main"] }],
  ["enabled", { enabled: "true" }],
  ["secret", { secret: "whsec_mine" }],
])("%s is refused in %j", async (field, input) => {
  const error = await errorOf(create(input));
  expect(error).toMatchObject({ code: "validation_failed" });
  expect(error?.field ?? error?.message).toContain(field);
});

describe("the limit of 20", () => {
  test("holds when many are made at once, and counts none that was removed", async () => {
    const made = await Promise.all(Array.from({ length: 25 }, () => errorOf(create())));
    expect(made.filter((error) => error === null)).toHaveLength(20);
    expect(made.filter((error) => error?.code === "webhook_limit_reached")).toHaveLength(5);
    await world.sql`
      update webhook_endpoints set deleted_at = now() where id = (
        select id from webhook_endpoints where organization_id = ${ctx.actor.organizationId} limit 1)`;
    expect(await errorOf(create())).toBeNull();
    expect((await errorOf(create()))?.code).toBe("webhook_limit_reached");
  });

  test("is each organization's own", async () => {
    await Promise.all(Array.from({ length: 20 }, () => create()));
    const other = await createTestOrganization(world.services);
    expect(await errorOf(create({}, other))).toBeNull();
  });
});

describe("channels", () => {
  test("that nobody knows, or that are another organization's, are forbidden", async () => {
    const foreign = await connectTestChannel(await createTestOrganization(world.services));
    const error = { code: "channel_forbidden", field: "channel_ids" };
    expect(await errorOf(create({ channel_ids: [foreign] }))).toMatchObject(error);
    expect(await errorOf(create({ channel_ids: [UNKNOWN_ID] }))).toMatchObject(error);
  });

  test("of a key that is limited to some are those of its endpoints, or among them", async () => {
    const [one, two, three] = [
      await connectTestChannel(ctx),
      await connectTestChannel(ctx),
      await connectTestChannel(ctx),
    ];
    const key = await asKey(ctx, { scopes: ["webhooks:manage"], channelIds: [one, two] });
    expect((await create({}, key)).channel_ids).toEqual([one, two]);
    expect((await create({ channel_ids: null }, key)).channel_ids).toEqual([one, two]);
    expect((await create({ channel_ids: [two] }, key)).channel_ids).toEqual([two]);
    expect((await errorOf(create({ channel_ids: [two, three] }, key)))?.code).toBe("channel_forbidden");
  });
});

test("only keys with the scope and members who may manage API keys make one", async () => {
  const code = async (as: Context) => (await errorOf(create({}, as)))?.code ?? null;
  expect(await code(await asKey(ctx))).toBe("missing_scope");
  expect(await code(await asKey(ctx, { scopes: ["webhooks:manage"] }))).toBeNull();
  expect(await code(await asMember(ctx, "agent"))).toBe("permission_denied");
  expect(await code(await asMember(ctx, "agent", ["integrations.manage_api"]))).toBeNull();
  expect(await code(await asMember(ctx, "admin"))).toBeNull();
});
