import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { createTestOrganization } from "@/server/domain/organizations/testing";
import { answerJson } from "@/server/adapters/whatsapp/testing";
import { submitTemplate } from "./submit";
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
const rows = () => world.rowsOf(channelId);

describe("submitting a template", () => {
  const template = {
    name: "order_update",
    language: "en_US",
    category: "utility" as const,
    components: [{ type: "BODY", text: "Hello {{1}}, your order {{2}} is on its way." }],
  };
  const submit = (changes: object = {}, as = ctx) =>
    submitTemplate({ ctx: as, input: { channelId, ...template, ...changes } });
  const creating = (id: string, status = "PENDING") =>
    upstream.behave((res) => answerJson(res, 200, { id, status }));

  test("stores it as the upstream took it, with its variables, and says so in the audit log", async () => {
    creating("900");
    const { templateId, state } = await submit();
    expect(state).toBe("pending");
    expect(await rows()).toMatchObject([{ id: templateId, state: "pending", variables: ["1", "2"] }]);
    const [audit] = await world.sql`
      select action, detail from audit_log where subject_id = ${templateId}`;
    expect(audit).toMatchObject({
      action: "template.submitted",
      detail: { name: "order_update", channelId },
    });
    upstream.behave(having([upstreamTemplate({ id: "900" })]));
    await sync();
    expect(await rows()).toMatchObject([{ id: templateId, state: "approved" }]);
  });

  test("leaves what a synchronisation has stored already, and takes the place of a former template", async () => {
    upstream.behave(having([upstreamTemplate({ id: "900" })]));
    await sync();
    creating("900");
    const { templateId, state } = await submit();
    expect(state).toBe("approved");
    creating("901");
    expect(await submit({ components: [{ type: "BODY", text: "Hi" }] })).toEqual({
      templateId,
      state: "pending",
    });
    expect(await rows()).toMatchObject([{ id: templateId, state: "pending", variables: [] }]);
  });

  test("is refused in the upstream's words, or left open where it gives none, and stores nothing", async () => {
    upstream.behave((res) => answerJson(res, 400, { error: { code: 100, message: "Invalid parameter" } }));
    await expect(submit()).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringContaining("Invalid parameter"),
    });
    upstream.behave((res) => void res.writeHead(502).end());
    await expect(submit()).rejects.toMatchObject({ code: "unavailable" });
    expect(await rows()).toEqual([]);
  });

  test("isn't tried for another organization's channel, nor with a wrong name, language or category", async () => {
    creating("900");
    const calls = upstream.calls.length;
    const foreign = await createTestOrganization(world.services);
    await expect(submit({}, foreign)).rejects.toMatchObject({ code: "channel_forbidden" });
    for (const [field, value] of [
      ["name", "Order Update"],
      ["language", "english"],
      ["category", "spam"],
      ["components", []],
    ] as const) {
      await expect(submit({ [field]: value })).rejects.toMatchObject({ code: "validation_failed", field });
    }
    expect(upstream.calls).toHaveLength(calls);
    expect(await rows()).toEqual([]);
  });
});
