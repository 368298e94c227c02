import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { asKey, codeOf } from "@/server/domain/messages/testing";
import {
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { parseInput } from "@/server/core/input/parse-input";
import { servicesWith } from "@/server/core/testing";
import { listTemplates, listTemplatesInput, templatePage } from "./list";
import { syncTemplates } from "./sync";
import { having, startTemplateUpstream, type TemplateUpstream, upstreamTemplate } from "./testing";

let world: TestWorld;
let upstream: TemplateUpstream;
let ctx: Context<SystemActor>;
/** By id. */
let channels: readonly [string, string];

const NAMES = ["a_sale", "order_update", "welcome"] as const;

beforeAll(async () => {
  world = await openTestWorld();
  upstream = await startTemplateUpstream();
  ctx = await createTestOrganization(
    servicesWith(world.services, { urls: { upstream: () => upstream.url } }),
  );
  channels = [await connectTestChannel(ctx), await connectTestChannel(ctx)];
  const [a_sale, order_update, welcome] = NAMES;
  upstream.behave(
    having([
      upstreamTemplate({ name: welcome, status: "PENDING", category: undefined }),
      upstreamTemplate({ name: order_update }),
      upstreamTemplate({ name: order_update, language: "de", status: "PAUSED" }),
      upstreamTemplate({ name: a_sale, status: "REJECTED", rejected_reason: "SCAM", components: [] }),
    ]),
  );
  for (const channelId of channels) await syncTemplates({ ctx, input: { channelId } });
});
afterAll(async () => {
  await upstream.close();
  await world.close();
});

const list = (query: Readonly<Record<string, string>> = {}, as: Context = ctx) =>
  listTemplates({ ctx: as, input: parseInput(listTemplatesInput, { ...query }) });

describe("the list of templates", () => {
  test("shows every state, with what a message must bring, by channel, name and language", async () => {
    const page = await list();
    expect(templatePage.parse(page)).toEqual(page);
    expect(page.next_cursor).toBeNull();
    expect(page.data.map((template) => [template.channel_id, template.name, template.language])).toEqual(
      channels.flatMap((id) => [
        [id, "a_sale", "en_US"],
        [id, "order_update", "de"],
        [id, "order_update", "en_US"],
        [id, "welcome", "en_US"],
      ]),
    );
    expect(page.data.slice(0, 3)).toEqual([
      expect.objectContaining({ state: "rejected", reason: "SCAM", variables: [], body: null }),
      expect.objectContaining({ state: "paused", reason: null }),
      {
        template_submission_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        channel_id: channels[0],
        name: "order_update",
        language: "en_US",
        category: "utility",
        state: "approved",
        reason: null,
        variables: ["1", "2"],
        body: "Hello {{1}}, your order {{2}} is on its way.",
      },
    ]);
  });

  test("comes in pages that hold each template once", async () => {
    const seen: string[] = [];
    let query: Record<string, string> = { limit: "3" };
    let pages = 0;
    for (let isMore = true; isMore; pages++) {
      const { data, next_cursor } = await list(query);
      seen.push(...data.map((template) => template.template_submission_id));
      isMore = next_cursor !== null;
      query = { limit: "3", cursor: next_cursor ?? "" };
    }
    expect(pages).toBe(3);
    expect(seen).toEqual((await list()).data.map((template) => template.template_submission_id));
  });

  test("can be of one channel, one state, one name, and of all at once", async () => {
    expect((await list({ channel_id: channels[1] })).data).toHaveLength(4);
    expect((await list({ state: "approved" })).data).toHaveLength(2);
    expect((await list({ name: "order_update" })).data).toHaveLength(4);
    expect((await list({ name: "order" })).data).toHaveLength(0);
    const { data } = await list({ name: "order_update", state: "paused", channel_id: channels[0] });
    expect(data).toMatchObject([{ channel_id: channels[0], language: "de" }]);
  });

  test("holds only the channels that a key may use; a filter by another one is refused like an unknown one", async () => {
    const key = await asKey(ctx, { channelIds: [channels[1]] });
    const { data } = await list({}, key);
    expect(new Set(data.map((template) => template.channel_id))).toEqual(new Set([channels[1]]));
    const foreign = await connectTestChannel(await createTestOrganization(world.services));
    for (const id of [channels[0], foreign, randomUUID()]) {
      expect(await codeOf(list({ channel_id: id }, key))).toBe("channel_forbidden");
    }
    expect((await list({}, await createTestOrganization(world.services))).data).toEqual([]);
  });

  test("needs templates:read", async () => {
    expect(await codeOf(list({}, await asKey(ctx, { scopes: ["messages:send"] })))).toBe("missing_scope");
  });

  test.each([
    ["state", "APPROVED"],
    ["name", ""],
    ["channel_id", "x"],
    ["cursor", "x"],
    ["limit", "1000"],
    ["language", "de"],
  ])("refuses a wrong query by the name of its field: %s=%s", async (field, value) => {
    const error = async () => list({ [field]: value });
    await expect(error()).rejects.toMatchObject({ code: "validation_failed", field });
  });
});
