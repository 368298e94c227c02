import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appRouter } from "./router";
import { t } from "@/server/core/trpc";
import type { MemberActor } from "@/server/core/actor";
import type { Person } from "@/server/core/actor";
import { SCOPE_NAMES } from "@/server/core/capabilities";
import type { Caller, Context } from "@/server/core/context";
import { addReceived } from "@/server/domain/inbox/testing";
import { isWaypostError } from "@/server/platform/errors";
import { createKey } from "@/server/domain/keys/create";
import { inviteMember } from "@/server/domain/members/invite";
import {
  addUpload,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
} from "@/server/domain/messages/testing";
import { CASES, type Ids, type Own } from "./organization-isolation.fixture";
import { asMember, connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { createPublicHandler } from "@/server/edge/public/handle";
import { publicRoutes } from "@/server/edge/public/routes";
import { BASE_PATH } from "@/server/platform/addresses";
import { addRefusal } from "@/server/domain/requests/testing";
import { idFields, missingStep } from "@/server/testing";
import { addEndpoint, addPastDeliveries, PUBLIC_URL } from "@/server/domain/webhooks/testing";

let world: SendWorld;
let handle: ReturnType<typeof createPublicHandler>;
let member: Caller;
let secret: string;
let foreign: Ids;
let own: Own;
const unknown: Ids = {
  message: randomUUID(),
  thread: randomUUID(),
  channel: randomUUID(),
  template: randomUUID(),
  contact: randomUUID(),
  person: "US.2",
  key: randomUUID(),
  request: randomUUID(),
  member: randomUUID(),
  invitation: randomUUID(),
  session: randomUUID(),
  upload: `test-${randomUUID()}`,
  webhook: randomUUID(),
  delivery: randomUUID(),
  received: randomUUID(),
};

beforeAll(async () => {
  world = await openSendWorld({ database: "own" });
  handle = createPublicHandler(world.services, appRouter);
  const self = await asMember(world.ctx, "owner");
  const person: Person = {
    userId: self.actor.userId,
    sessionId: await addSession(self),
    email: "ada@example.com",
    name: "Ada",
    hasTwoFactor: false,
    address: null,
  };
  member = { ...self, person };
  own = await addOwn();
  await addRefusal(world.ctx, { keyId: own.key });
  const ctx = await createTestOrganization(world.services);
  const channel = await connectTestChannel(ctx, true);
  const { threadId: thread, contactId: contact } = await openConversation(ctx, channel);
  const message = await queueText(ctx, thread);
  const { id: key } = await createKey({ ctx, input: { name: "Foreign", channelIds: [channel] } });
  const request = await addRefusal(ctx, { keyId: key });
  const other = await asMember(ctx, "agent");
  const { id: webhook } = await addEndpoint(ctx, { url: PUBLIC_URL });
  const invited = await inviteMember({ ctx, input: { email: "grace@example.com", role: "agent" } });
  foreign = {
    message,
    thread,
    channel,
    template: await addTemplate(channel),
    contact,
    person: await addUserId(ctx, contact),
    key,
    request,
    member: other.actor.memberId,
    invitation: invited.id,
    session: await addSession(other),
    upload: (await addUpload(ctx)).storageKey,
    webhook,
    delivery: await addDelivery(ctx, webhook),
    received: await addReceived(ctx),
  };
  await addTemplate(world.channelId);
  await queueText(world.ctx, own.thread);
});
afterAll(() => world.close());

/** The caller's own objects, and the secret of the key. */
async function addOwn(): Promise<Own> {
  const { ctx, channelId } = world;
  const key = await createKey({ ctx, input: { name: "Key", scopes: [...SCOPE_NAMES] } });
  ({ secret } = key);
  const { threadId } = await openConversation(ctx, channelId);
  const { id: webhook } = await addEndpoint(ctx, { url: PUBLIC_URL });
  await addDelivery(ctx, webhook);
  return { key: key.id, thread: threadId, channel: channelId, webhook };
}

async function addUserId({ actor }: Context, contactId: string): Promise<string> {
  const userId = "US.1";
  await world.sql`
    insert into contact_identities (id, organization_id, contact_id, kind, handle, canonical)
    values (${randomUUID()}, ${actor.organizationId}, ${contactId}, 'bsuid', ${userId}, ${userId})`;
  return userId;
}

async function addDelivery(ctx: Context, webhook: string): Promise<string> {
  const [id = ""] = await addPastDeliveries(ctx, webhook, { state: "failed" });
  return id;
}

async function addSession({ actor }: Context<MemberActor>): Promise<string> {
  const id = randomUUID();
  await world.sql`
    insert into sessions (id, user_id, token, expires_at)
    values (${id}, ${actor.userId}, ${randomUUID()}, now() + interval '1 day')`;
  return id;
}

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

/** Everything in the database that belongs to an organization, except for what a refused call may leave. */
async function snapshot(): Promise<string> {
  const tables = await world.sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'organization_id' and table_name not in ('api_key_usage', 'api_key_secret_usage')
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

/** Neither an error, nor an empty list, nor the number of nothing. */
const ANSWERED_WITH_SOMETHING =
  /^answered (?!\{"(?:data":\[\],"next_cursor":null\b|count":0,"isMore":false\b))/;

/** Makes equal errors have equal text: an id that an error repeats is replaced, because it is the one that was sent. */
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
    const covered = cases.map(({ procedure, field }) => `${procedure} ${field}`);
    expect(new Set(covered).size).toBe(covered.length);
    expect(
      taken.filter((one) => !covered.includes(one)),
      missingStep("Isolation"),
    ).toEqual([]);
    expect(
      covered.filter((one) => !taken.includes(one)),
      missingStep("Route"),
    ).toEqual([]);
  });

  test.each(cases)(
    "in $procedure $field is answered like an unknown one, and changes nothing",
    async (one) => {
      const before = await snapshot();
      const theirs = await callAsMember(one.procedure, one.input(foreign, own));
      const nothing = await callAsMember(one.procedure, one.input(unknown, own));
      expect(theirs, missingStep("Verb")).not.toMatch(ANSWERED_WITH_SOMETHING);
      expect(withoutIds(theirs, foreign)).toBe(withoutIds(nothing, unknown));
      expect(await snapshot()).toBe(before);
    },
  );

  const routes = publicRoutes(appRouter);
  test.each(cases.filter(({ procedure }) => routes.some((route) => route.procedure === procedure)))(
    "over HTTP in $procedure $field is answered like an unknown one, byte for byte, and changes nothing",
    async ({ procedure, input }) => {
      const before = await snapshot();
      const theirs = await callOverHttp(procedure, input(foreign, own));
      const nothing = await callOverHttp(procedure, input(unknown, own));
      expect(`${theirs.status} ${theirs.body}`).toMatch(/^(4|200 \{"data":\[\],"next_cursor":null\}$)/);
      expect(withoutIds(theirs.body, foreign)).toBe(withoutIds(nothing.body, unknown));
      expect(theirs.status).toBe(nothing.status);
      expect(Object.keys(theirs.headers)).toEqual(Object.keys(nothing.headers));
      expect(await snapshot()).toBe(before);
    },
  );
});

async function callOverHttp(procedure: string, input: unknown) {
  const route = publicRoutes(appRouter).find((candidate) => candidate.procedure === procedure);
  if (!route?.meta.openapi) throw new Error(`${procedure} has no route`);
  const fields = new Map<string, unknown>(Object.entries(Object(input)));
  const { path: template } = route.meta.openapi;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => String(fields.get(name)));
  const asked = [...fields].filter(([name]) => route.method === "GET" && !template.includes(`{${name}}`));
  const query = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]));
  return handle({
    method: route.method,
    url: `${BASE_PATH}${path}?${query}`,
    header: (name) => (name === "x-api-key" ? secret : undefined),
    async *body() {
      yield Buffer.from(JSON.stringify(input));
    },
    remoteAddress: undefined,
    hasLeft: () => false,
  });
}
