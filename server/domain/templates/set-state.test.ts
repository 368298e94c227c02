import { randomInt } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { syncAllTemplates } from "./claim";
import { type TemplateNews, applyTemplateStatus } from "./set-state";
import { syncTemplates } from "./sync";
import { having, openTemplateWorld, type TemplateWorld, upstreamTemplate } from "./testing";

let world: TemplateWorld;
let upstream: TemplateWorld["upstream"];
let ctx: Context<SystemActor>;
let channelId: string;

beforeAll(async () => {
  world = await openTemplateWorld();
  ({ upstream } = world);
});
afterAll(() => world.close());
beforeEach(async () => void ({ ctx, channelId } = await world.newChannel()));

const sync = () => syncTemplates({ ctx, input: { channelId } });
const rows = (id = channelId) => world.rowsOf(id);

describe("a state that the upstream tells of", () => {
  const reported = { name: "order_update", language: "en_US", upstreamId: null, reason: "QUALITY" } as const;
  const apply = (changes: Partial<TemplateNews> = {}, as = ctx) =>
    applyTemplateStatus({ ctx: as, input: { channelId, ...reported, state: "paused", ...changes } });

  test("holds for every channel of the organization on the same account, and for no other", async () => {
    upstream.behave(having([upstreamTemplate(), upstreamTemplate({ id: "2", language: "de" })]));
    const twin = await connectTestChannel(ctx);
    const stranger = await connectTestChannel(ctx);
    await world.sql`update channels set waba_id = ${randomInt(2 ** 40)} where id = ${stranger}`;
    const foreign = await createTestOrganization(world.services);
    const theirs = await connectTestChannel(foreign);
    await syncAllTemplates(world.services);
    expect(await apply()).toBe(2);
    for (const id of [channelId, twin]) {
      expect(await rows(id)).toMatchObject([
        { language: "de", state: "approved" },
        { language: "en_US", state: "paused", reason: "QUALITY" },
      ]);
    }
    for (const id of [stranger, theirs]) {
      expect(await rows(id)).toMatchObject([{ state: "approved" }, { state: "approved" }]);
    }
    expect(await apply({}, foreign)).toBe(0);
  });

  test("is found by the upstream's id too, changes nothing twice, and an approval has no reason", async () => {
    upstream.behave(having([upstreamTemplate()]));
    await sync();
    expect(await apply({ name: "renamed", upstreamId: "594425479261596" })).toBe(1);
    expect(await apply()).toBe(0);
    expect(await apply({ state: "approved", reason: "NONE" })).toBe(1);
    expect(await rows()).toMatchObject([{ state: "approved", reason: null }]);
    expect(await apply({ name: "unknown" })).toBe(0);
  });
});
