import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { appRouter } from "./api/router";
import { t } from "./api/trpc";
import type { Context } from "./context";
import { isWaypostError } from "./errors";
import { createKey } from "./keys/create";
import { openConversation, openSendWorld, queueText, type SendWorld } from "./messages/testing";
import { asMember, connectTestChannel, createTestOrganization } from "./organizations/testing";
import { createPublicHandler } from "./public-api/handle";
import { BASE_PATH, publicRoutes } from "./public-api/routes";

/** Ids of things of one organization; `unknown` are ids of the right form that nothing has. */
interface Ids {
  readonly message: string;
  readonly thread: string;
  readonly channel: string;
  readonly key: string;
}

const send = { client_message_id: "isolation", type: "text", text: { body: "Hi" } };

/**
 * Every way in which a procedure takes an id, by procedure and path of the field. A procedure that takes an id and
 * isn't here fails the first test.
 */
const CASES: Readonly<Record<string, Readonly<Record<string, (ids: Ids) => unknown>>>> = {
  "keys.create": { channelIds: ({ channel }) => ({ name: "New", channelIds: [channel] }) },
  "keys.rotate": { keyId: ({ key }) => ({ keyId: key }) },
  "keys.set": { keyId: ({ key }) => ({ keyId: key, sendLimit: 1 }) },
  "keys.revoke": { keyId: ({ key }) => ({ keyId: key }) },
  "messages.list": { channel_id: ({ channel }) => ({ channel_id: channel }) },
  "templates.list": { channel_id: ({ channel }) => ({ channel_id: channel }) },
  "messages.get": { id: ({ message }) => ({ id: message }) },
  "messages.send": {
    thread_id: ({ thread }) => ({ ...send, thread_id: thread }),
    channel_id: ({ channel }) => ({
      ...send,
      channel_id: channel,
      to: { kind: "whatsapp", handle: "4915112345678" },
    }),
  },
};

/** Names of ids that belong to the caller's own wording, not to a row. */
const OWN_WORDS = ["client_message_id"];

let world: SendWorld;
let handle: ReturnType<typeof createPublicHandler>;
let member: Context;
let secret: string;
let foreign: Ids;
let foreignTemplate: string;
const unknown: Ids = {
  message: randomUUID(),
  thread: randomUUID(),
  channel: randomUUID(),
  key: randomUUID(),
};

beforeAll(async () => {
  world = await openSendWorld();
  handle = createPublicHandler(world.services, appRouter, () => undefined);
  member = await asMember(world.ctx, "owner");
  ({ secret } = await createKey({ ctx: world.ctx, input: { name: "Key" } }));
  const ctx = await createTestOrganization(world.services);
  const channel = await connectTestChannel(ctx, true);
  const { threadId: thread } = await openConversation(ctx, channel);
  const message = await queueText(ctx, thread);
  const { id: key } = await createKey({ ctx, input: { name: "Foreign", channelIds: [channel] } });
  foreign = { message, thread, channel, key };
  foreignTemplate = await addTemplate(channel);
  await addTemplate(world.channelId);
  const own = await openConversation(world.ctx, world.channelId);
  await queueText(world.ctx, own.threadId);
});
afterAll(() => world.close());

async function addTemplate(channelId: string): Promise<string> {
  const [row] = await world.sql<{ id: string }[]>`
    insert into templates (id, organization_id, channel_id, name, language, state, components)
    select ${randomUUID()}, organization_id, id, 'order_update', 'en_US', 'approved', '[]'
    from channels where id = ${channelId} returning id`;
  if (!row) throw new Error("There is no such channel");
  return row.id;
}

/** Guarantee: tRPC keeps a router's procedures flat, by dotted name, with their input parsers. */
const procedures = Object.entries(
  appRouter._def.procedures as unknown as Record<string, { _def: { inputs: readonly unknown[] } }>,
);

/** Fields of an input that name a row by its id. */
function idFields(schema: unknown): string[] {
  if (!(schema instanceof z.ZodType)) return [];
  const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.keys(properties).filter(
    (name) => /(^id|_ids?|Ids?)$/.test(name) && !OWN_WORDS.includes(name),
  );
}

/** Everything in the database that belongs to an organization, but for what a refused call may leave. */
async function snapshot(): Promise<string> {
  const tables = await world.sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'organization_id' and table_name <> 'api_key_usage'
    order by table_name`;
  const rows = await Promise.all(
    tables.map(
      ({ name }) =>
        world.sql`select ${name} as name, to_jsonb(r) as row from ${world.sql(name)} r order by 2`,
    ),
  );
  return JSON.stringify(rows);
}

const createCaller = t.createCallerFactory(appRouter);

async function callAsMember(procedure: string, input: unknown): Promise<string> {
  const [group = "", name = ""] = procedure.split(".");
  const caller: unknown = createCaller(member);
  const found: unknown = Reflect.get(Object(Reflect.get(Object(caller), group)), name);
  if (typeof found !== "function") throw new Error(`There is no procedure ${procedure}`);
  try {
    return `answered ${JSON.stringify(await found(input))}`;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    if (!isWaypostError(cause)) throw error;
    return JSON.stringify([cause.code, cause.message, cause.field]);
  }
}

/** The same words for the same refusal: an id that is repeated in it is the one that was sent. */
function withoutIds(text: string, ids: Ids): string {
  return Object.values<string>({ ...ids }).reduce((words, id) => words.replaceAll(id, "<id>"), text);
}

const cases = Object.entries(CASES).flatMap(([procedure, fields]) =>
  Object.entries(fields).map(([field, input]) => ({ procedure, field, input })),
);

describe("another organization's id", () => {
  test("has a case here for every procedure that takes one", () => {
    const taken = procedures.flatMap(([name, { _def }]) =>
      _def.inputs.flatMap(idFields).map((field) => `${name} ${field}`),
    );
    expect(taken.length).toBeGreaterThanOrEqual(6);
    expect(taken.sort()).toEqual(cases.map(({ procedure, field }) => `${procedure} ${field}`).sort());
  });

  test.each(cases)(
    "in $procedure $field is answered like an unknown one, and changes nothing",
    async (one) => {
      const before = await snapshot();
      const theirs = await callAsMember(one.procedure, one.input(foreign));
      const nothing = await callAsMember(one.procedure, one.input(unknown));
      expect(theirs).not.toMatch(/^answered/);
      expect(withoutIds(theirs, foreign)).toBe(withoutIds(nothing, unknown));
      expect(await snapshot()).toBe(before);
    },
  );

  const routes = publicRoutes(appRouter);
  test.each(cases.filter(({ procedure }) => routes.some((route) => route.procedure === procedure)))(
    "over HTTP in $procedure $field is answered like an unknown one, byte for byte, and changes nothing",
    async ({ procedure, input }) => {
      const before = await snapshot();
      const theirs = await callOverHttp(procedure, input(foreign));
      const nothing = await callOverHttp(procedure, input(unknown));
      expect(theirs.status).toBeGreaterThanOrEqual(400);
      expect(withoutIds(theirs.body, foreign)).toBe(withoutIds(nothing.body, unknown));
      expect(theirs.status).toBe(nothing.status);
      expect(Object.keys(theirs.headers)).toEqual(Object.keys(nothing.headers));
      expect(await snapshot()).toBe(before);
    },
  );
});

describe("a list", () => {
  const lists = procedures.map(([name]) => name).filter((name) => name.endsWith(".list"));

  test.each(lists)("%s shows nothing of another organization", async (procedure) => {
    const own = await callAsMember(procedure, {});
    expect(own).toMatch(/^answered .*"data":\[\{/);
    for (const id of Object.values<string>({ ...foreign })) expect(own).not.toContain(id);
    expect(own).not.toContain(foreignTemplate);
  });
});

async function callOverHttp(procedure: string, input: unknown) {
  const route = publicRoutes(appRouter).find((candidate) => candidate.procedure === procedure);
  if (!route?.meta.openapi) throw new Error(`${procedure} has no route`);
  const fields = new Map<string, unknown>(Object.entries(Object(input)));
  const path = route.meta.openapi.path.replace(/\{(\w+)\}/g, (_, name: string) => String(fields.get(name)));
  const isRead = route.method === "GET" && !route.meta.openapi.path.includes("{");
  const query = new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]));
  return handle({
    method: route.method,
    url: isRead ? `${BASE_PATH}${path}?${query}` : `${BASE_PATH}${path}`,
    header: (name) => (name === "x-api-key" ? secret : undefined),
    async *body() {
      yield Buffer.from(JSON.stringify(input));
    },
    remoteAddress: undefined,
    hasLeft: () => false,
  });
}
