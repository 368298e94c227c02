import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { createTestOrganization } from "@/server/domain/organizations/testing";
import { answerJson } from "@/server/adapters/whatsapp/testing";
import { applyTemplateStatus } from "./set-state";
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

const sync = (id = channelId, as = ctx) => syncTemplates({ ctx: as, input: { channelId: id } });
const rows = () => world.rowsOf(channelId);

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
    expect(await rows()).toMatchObject([
      { state: "disabled", reason: expect.stringContaining("no longer has") },
    ]);
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
    const foreign = await createTestOrganization(world.services);
    expect(await sync(channelId, foreign)).toMatchObject({ kind: "failed" });
    expect(upstream.calls).toHaveLength(calls);
  });
});
