import { randomInt } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SystemActor } from "../api/actor";
import type { Context, Services } from "../context";
import {
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "../organizations/testing";
import { answerJson } from "../whatsapp/testing";
import { applyTemplateStatus } from "./apply-status";
import { syncAllTemplates } from "./claim";
import { submitTemplate } from "./submit";
import { syncTemplates } from "./sync";
import { having, startTemplateUpstream, type TemplateUpstream, upstreamTemplate } from "./testing";

let world: TestWorld;
let upstream: TemplateUpstream;
let services: Services;
let ctx: Context<SystemActor>;
let channelId: string;

beforeAll(async () => {
  world = await openTestWorld();
  upstream = await startTemplateUpstream();
  services = { ...world.services, upstreamUrl: () => upstream.url };
});
afterAll(async () => {
  await upstream.close();
  await world.close();
});
beforeEach(async () => {
  ctx = await createTestOrganization(services);
  channelId = await connectTestChannel(ctx);
});

const sync = (id = channelId, as = ctx) => syncTemplates({ ctx: as, input: { channelId: id } });

async function rows(id = channelId) {
  return world.database.sql<
    {
      id: string;
      name: string;
      language: string;
      state: string;
      reason: string | null;
      variables: string[];
    }[]
  >`
    select id, name, language, state, state_reason as reason, variables from templates
    where channel_id = ${id} order by name, language`;
}

describe("synchronising a channel's templates", () => {
  test("stores each in every language and state, with the variables that a message must bring", async () => {
    upstream.behave(
      having([
        upstreamTemplate(),
        upstreamTemplate({ id: "2", language: "de", status: "PENDING" }),
        upstreamTemplate({
          id: "3",
          name: "sale",
          status: "REJECTED",
          rejected_reason: "SCAM",
          components: [],
        }),
      ]),
    );
    expect(await sync()).toEqual({ kind: "synced", changed: 3, gone: 0 });
    expect(await rows()).toEqual([
      expect.objectContaining({ name: "order_update", language: "de", state: "pending", reason: null }),
      expect.objectContaining({ language: "en_US", state: "approved", variables: ["1", "2"] }),
      expect.objectContaining({ name: "sale", state: "rejected", reason: "SCAM", variables: [] }),
    ]);
  });

  test("keeps the submission's id while its state and text change, and is idle when nothing did", async () => {
    upstream.behave(having([upstreamTemplate({ status: "PENDING" })]));
    await sync();
    const [before] = await rows();
    expect(await sync()).toEqual({ kind: "synced", changed: 0, gone: 0 });
    upstream.behave(having([upstreamTemplate({ components: [{ type: "BODY", text: "Hi {{name}}" }] })]));
    expect(await sync()).toEqual({ kind: "synced", changed: 1, gone: 0 });
    expect(await rows()).toEqual([{ ...before, state: "approved", variables: ["name"] }]);
  });

  test("disables what is gone, once, and has it again when it is back", async () => {
    upstream.behave(having([upstreamTemplate()]));
    await sync();
    upstream.behave(having([]));
    expect(await sync()).toEqual({ kind: "synced", changed: 0, gone: 1 });
    expect(await sync()).toEqual({ kind: "synced", changed: 0, gone: 0 });
    expect(await rows()).toMatchObject([{ state: "disabled", reason: expect.stringContaining("no such") }]);
    upstream.behave(having([upstreamTemplate()]));
    await sync();
    expect(await rows()).toMatchObject([{ state: "approved", reason: null }]);
  });

  test("disables nothing when the list broke off, or there was none", async () => {
    upstream.behave(having([upstreamTemplate()]));
    await sync();
    upstream.behave((res) => answerJson(res, 200, { data: [], paging: { next: "x" } }));
    expect(await sync()).toEqual({ kind: "synced", changed: 0, gone: 0 });
    upstream.behave((res) => answerJson(res, 401, { error: { code: 190, message: "Expired" } }));
    expect(await sync()).toEqual({ kind: "failed", reason: "(#190) Expired" });
    expect(await rows()).toMatchObject([{ state: "approved" }]);
  });

  test("takes the living of two templates of one name, in whichever order they come", async () => {
    const dying = upstreamTemplate({ id: "1", status: "PENDING_DELETION" });
    const living = upstreamTemplate({ id: "2" });
    for (const both of [
      [dying, living],
      [living, dying],
    ]) {
      upstream.behave(having(both));
      await sync();
      expect(await rows()).toMatchObject([{ state: "approved" }]);
    }
  });

  test("doesn't undo what became known while the list was on its way", async () => {
    upstream.behave(having([upstreamTemplate({ status: "PENDING" })]));
    await sync();
    upstream.behave((res, call) => {
      const approved = { channelId, name: "order_update", language: "en_US", upstreamId: null, reason: null };
      void applyTemplateStatus({ ctx, input: { ...approved, state: "approved" } }).then(() =>
        having([upstreamTemplate({ status: "PENDING" })])(res, call),
      );
    });
    expect(await sync()).toEqual({ kind: "synced", changed: 0, gone: 0 });
    expect(await rows()).toMatchObject([{ state: "approved" }]);
  });

  test("two at once store each template once", async () => {
    const many = Array.from({ length: 50 }, (_, index) =>
      upstreamTemplate({ id: `${index}`, name: `t_${index}` }),
    );
    upstream.behave(having(many, 20));
    await Promise.all([sync(), sync(), sync()]);
    expect(await rows()).toHaveLength(50);
  });

  test("asks as the channel, and tells another organization's channel nothing", async () => {
    upstream.behave(having([upstreamTemplate()]));
    await sync();
    expect(upstream.calls.at(-1)).toMatchObject({
      path: "/v24.0/1/message_templates",
      authorization: "Bearer test-access-token",
    });
    const calls = upstream.calls.length;
    const foreign = await createTestOrganization(services);
    expect(await sync(channelId, foreign)).toMatchObject({ kind: "failed" });
    expect(upstream.calls).toHaveLength(calls);
  });
});

describe("the run over all channels", () => {
  test("reaches those of every organization, but for disabled ones, though one of them fails", async () => {
    const other = await createTestOrganization(services);
    const channels = await Promise.all([ctx, ctx, other, other].map((one) => connectTestChannel(one)));
    const [broken = "", disabled = "", ...working] = channels;
    await world.database.sql`update channels set access_token_encrypted = 'broken' where id = ${broken}`;
    await world.database.sql`update channels set disabled_at = now() where id = ${disabled}`;
    upstream.behave(having([upstreamTemplate()]));
    await syncAllTemplates(services);
    const stored = await Promise.all([channelId, ...channels].map(async (id) => (await rows(id)).length));
    expect(stored).toEqual([1, 0, 0, ...working.map(() => 1)]);
  });

  test("can be for one upstream only", async () => {
    upstream.behave(having([upstreamTemplate()]));
    const calls = upstream.calls.length;
    await syncAllTemplates(services, { upstream: "meta" });
    expect(upstream.calls).toHaveLength(calls);
  });

  test("asks nobody any more once the process is going", async () => {
    const calls = upstream.calls.length;
    await syncAllTemplates({ ...services, isStopping: () => true });
    expect(upstream.calls).toHaveLength(calls);
  });
});

describe("a state that the upstream tells of", () => {
  const told = { name: "order_update", language: "en_US", upstreamId: null, reason: "QUALITY" } as const;
  const apply = (changes: Partial<Parameters<typeof applyTemplateStatus>[0]["input"]> = {}, as = ctx) =>
    applyTemplateStatus({ ctx: as, input: { channelId, ...told, state: "paused", ...changes } });

  test("holds for every channel of the organization on the same account, and for no other", async () => {
    upstream.behave(having([upstreamTemplate(), upstreamTemplate({ id: "2", language: "de" })]));
    const twin = await connectTestChannel(ctx);
    const stranger = await connectTestChannel(ctx);
    await world.database.sql`update channels set waba_id = ${randomInt(2 ** 40)} where id = ${stranger}`;
    const foreign = await createTestOrganization(services);
    const theirs = await connectTestChannel(foreign);
    await syncAllTemplates(services);
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
    const [audit] = await world.database.sql`
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
    const foreign = await createTestOrganization(services);
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
