import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import { appRouter } from "@/server/edge/trpc/router";
import { t } from "@/server/core/trpc";
import type { Context } from "@/server/core/context";
import { asMember } from "@/server/domain/organizations/testing";
import { syncTemplates } from "./sync";
import { having, openTemplateWorld, type TemplateWorld, upstreamTemplate } from "./testing";

let world: TemplateWorld;
let ctx: Context<SystemActor>;
let channelId: string;

const callerOf = t.createCallerFactory(appRouter);
const templatesAs = async (of = ctx) => callerOf(await asMember(of, "agent")).templates;

beforeAll(async () => {
  world = await openTemplateWorld();
  ({ ctx, channelId } = await world.newChannel());
  world.upstream.behave(
    having([
      upstreamTemplate(),
      upstreamTemplate({ id: "2", language: "de", status: "REJECTED", rejected_reason: "INVALID_FORMAT" }),
      upstreamTemplate({
        id: "3",
        name: "welcome",
        status: "PENDING",
        components: [
          { type: "BODY", text: '50%_off "today"' },
          { type: "FOOTER", text: "Écrivez STOP" },
        ],
      }),
    ]),
  );
  await syncTemplates({ ctx, input: { channelId } });
});
afterAll(() => world.close());

async function found(input: object): Promise<string[]> {
  const { data } = await (await templatesAs()).search(input);
  return data.map(({ name, language }) => `${name} ${language}`);
}

test.each([
  [{}, ["order_update de", "order_update en_US", "welcome en_US"]],
  [{ q: "ORDER" }, ["order_update de", "order_update en_US"]],
  [{ q: " your order " }, ["order_update de", "order_update en_US"]],
  [{ q: "%_" }, ["welcome en_US"]],
  [{ q: "écrivez" }, ["welcome en_US"]],
  [{ q: "nothing of the kind" }, []],
  [{ state: "rejected" as const }, ["order_update de"]],
  [{ state: "approved" as const, q: "welcome" }, []],
  [{ channelId: "no-id" }, []],
  [{ channelId: randomUUID() }, []],
])("%j finds %j", async (input, expected) => {
  expect(await found(input)).toEqual(expected);
});

test("pages follow each other, and each template is on one", async () => {
  const templates = await templatesAs();
  const first = await templates.search({ limit: "2" });
  const second = await templates.search({ limit: "2", cursor: first.next_cursor ?? "" });
  expect([...first.data, ...second.data].map(({ language }) => language)).toEqual(["de", "en_US", "en_US"]);
  expect(second.next_cursor).toBeNull();
});

test("a template tells its state with the reason, and its text by its variables", async () => {
  const templates = await templatesAs();
  const [rejected] = (await templates.search({ state: "rejected" })).data;
  expect(rejected).toMatchObject({
    channelId,
    channelName: "Test channel",
    reason: "INVALID_FORMAT",
    category: "utility",
    variables: ["1", "2"],
  });
  const detail = await templates.get({ templateId: rejected?.id ?? "" });
  expect(detail.parts).toEqual([
    {
      label: "Body",
      kind: "body",
      card: null,
      media: null,
      url: null,
      pieces: [
        { text: "Hello ", variable: null },
        { text: "{{1}}", variable: "1" },
        { text: ", your order ", variable: null },
        { text: "{{2}}", variable: "2" },
        { text: " is on its way.", variable: null },
      ],
    },
  ]);
});

test.each(["no-id", randomUUID()])("%s is no template", async (templateId) => {
  await expect((await templatesAs()).get({ templateId })).rejects.toThrow("There is no such template.");
});

test("another organization's are neither found nor told", async () => {
  const [own] = (await (await templatesAs()).search({})).data;
  const other = await templatesAs((await world.newChannel()).ctx);
  expect((await other.search({})).data).toEqual([]);
  await expect(other.get({ templateId: own?.id ?? "" })).rejects.toThrow("There is no such template.");
});
