import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appRouter } from "./api/router";
import { t } from "./api/trpc";
import type { MemberActor } from "./api/actor";
import type { Person } from "./auth/session";
import type { Caller, Context } from "./context";
import { isWaypostError } from "./errors";
import { createKey } from "./keys/create";
import { inviteMember } from "./members/invite";
import { addUpload, openConversation, openSendWorld, queueText, type SendWorld } from "./messages/testing";
import { asMember, connectTestChannel, createTestOrganization } from "./organizations/testing";
import { createPublicHandler } from "./public-api/handle";
import { BASE_PATH, publicRoutes } from "./public-api/routes";
import { addRefusal } from "./requests/testing";
import { idFields } from "./testing";

/** Ids of things of one organization; `unknown` are ids of the right form that nothing has. */
interface Ids {
  readonly message: string;
  readonly thread: string;
  readonly channel: string;
  readonly template: string;
  readonly contact: string;
  readonly key: string;
  /** One that was refused. */
  readonly request: string;
  readonly member: string;
  readonly invitation: string;
  readonly session: string;
  readonly upload: string;
}

const CLICK = randomUUID();
const send = { client_message_id: "isolation", type: "text", text: { body: "Hi" } };
const testSend = { click: CLICK, number: "+49 151 12345678", content: { type: "text", body: "Hi" } };

/** Every way in which a procedure takes an id, by procedure and path of the field. One that isn't here fails the first test. */
const CASES: Readonly<Record<string, Readonly<Record<string, (ids: Ids) => unknown>>>> = {
  "account.endSession": { sessionId: ({ session }) => ({ sessionId: session }) },
  "members.setRights": { memberId: ({ member }) => ({ memberId: member, role: "agent", permissions: [] }) },
  "members.remove": { memberId: ({ member }) => ({ memberId: member }) },
  "members.withdrawInvitation": { invitationId: ({ invitation }) => ({ invitationId: invitation }) },
  "audit.list": { actorId: ({ key }) => ({ actorId: key }), subjectId: ({ key }) => ({ subjectId: key }) },
  "contacts.get": { contactId: ({ contact }) => ({ contactId: contact }) },
  "contacts.previewErasure": { contactId: ({ contact }) => ({ contactId: contact }) },
  "contacts.erase": { contactId: ({ contact }) => ({ contactId: contact }) },
  "keys.create": { channelIds: ({ channel }) => ({ name: "New", channelIds: [channel] }) },
  "keys.rotate": { keyId: ({ key }) => ({ keyId: key, overlapSeconds: 0 }) },
  // Another organization's secret under a key of one's own: server/keys/end-former-secret.test.ts.
  "keys.endFormerSecret": {
    keyId: ({ key }) => ({ keyId: key, secretId: key }),
    secretId: ({ key }) => ({ keyId: ownKey, secretId: key }),
  },
  "keys.get": { keyId: ({ key }) => ({ keyId: key }) },
  "keys.set": {
    keyId: ({ key }) => ({ keyId: key, sendLimit: 1 }),
    channelIds: ({ channel }) => ({ keyId: ownKey, channelIds: [channel] }),
  },
  "keys.revoke": { keyId: ({ key }) => ({ keyId: key }) },
  "requests.list": {
    keyId: ({ key }) => ({ keyId: key }),
    anyId: ({ request }) => ({ anyId: request }),
    requestId: ({ request }) => ({ requestId: request }),
  },
  "requests.get": { requestId: ({ request }) => ({ requestId: request }) },
  "usage.summary": {
    channelId: ({ channel }) => ({ range: "24h", channelId: channel }),
    keyId: ({ key }) => ({ range: "24h", keyId: key }),
  },
  "messages.list": { channel_id: ({ channel }) => ({ channel_id: channel }) },
  "messages.search": {
    channelId: ({ channel }) => ({ channelId: channel }),
    keyId: ({ key }) => ({ keyId: key }),
  },
  "messages.inspect": { messageId: ({ message }) => ({ messageId: message }) },
  "messages.resend": { messageId: ({ message }) => ({ messageId: message, click: CLICK }) },
  "messages.sendTest": {
    channelId: ({ channel }) => ({ ...testSend, channelId: channel }),
    "content.templateId": ({ template }) => ({
      ...testSend,
      channelId: world.channelId,
      content: { type: "template", templateId: template },
    }),
  },
  "channels.get": { channelId: ({ channel }) => ({ channelId: channel }) },
  "channels.set": { channelId: ({ channel }) => ({ channelId: channel, name: "Taken" }) },
  "channels.renewVerifyToken": { channelId: ({ channel }) => ({ channelId: channel }) },
  "channels.makeDefault": { channelId: ({ channel }) => ({ channelId: channel }) },
  "channels.disable": { channelId: ({ channel }) => ({ channelId: channel }) },
  "channels.enable": { channelId: ({ channel }) => ({ channelId: channel }) },
  "channels.resume": { channelId: ({ channel }) => ({ channelId: channel }) },
  "templates.get": { templateId: ({ template }) => ({ templateId: template }) },
  "templates.search": { channelId: ({ channel }) => ({ channelId: channel }) },
  "templates.list": { channel_id: ({ channel }) => ({ channel_id: channel }) },
  "messages.get": { id: ({ message }) => ({ id: message }) },
  "messages.send": {
    thread_id: ({ thread }) => ({ ...send, thread_id: thread }),
    channel_id: ({ channel }) => ({
      ...send,
      channel_id: channel,
      to: { kind: "whatsapp", handle: "4915112345678" },
    }),
    "template.template_submission_id": ({ template }) => ({
      client_message_id: "isolation",
      thread_id: ownThread,
      type: "template",
      template: { template_submission_id: template },
    }),
    "media.storage_key": ({ upload }) => ({
      client_message_id: "isolation",
      thread_id: ownThread,
      type: "image",
      media: { storage_key: upload },
    }),
  },
};

let world: SendWorld;
let handle: ReturnType<typeof createPublicHandler>;
let member: Caller;
let secret: string;
let foreign: Ids;
let ownKey: string;
let ownThread: string;
const unknown: Ids = {
  message: randomUUID(),
  thread: randomUUID(),
  channel: randomUUID(),
  template: randomUUID(),
  contact: randomUUID(),
  key: randomUUID(),
  request: randomUUID(),
  member: randomUUID(),
  invitation: randomUUID(),
  session: randomUUID(),
  upload: `test-${randomUUID()}`,
};

beforeAll(async () => {
  world = await openSendWorld();
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
  ({ secret, id: ownKey } = await createKey({ ctx: world.ctx, input: { name: "Key" } }));
  await addRefusal(world.ctx, { keyId: ownKey });
  const ctx = await createTestOrganization(world.services);
  const channel = await connectTestChannel(ctx, true);
  const { threadId: thread, contactId: contact } = await openConversation(ctx, channel);
  const message = await queueText(ctx, thread);
  const { id: key } = await createKey({ ctx, input: { name: "Foreign", channelIds: [channel] } });
  const request = await addRefusal(ctx, { keyId: key });
  const other = await asMember(ctx, "agent");
  const invited = await inviteMember({ ctx, input: { email: "grace@example.com", role: "agent" } });
  foreign = {
    message,
    thread,
    channel,
    template: await addTemplate(channel),
    contact,
    key,
    request,
    member: other.actor.memberId,
    invitation: invited.id,
    session: await addSession(other),
    upload: (await addUpload(ctx)).storageKey,
  };
  await addTemplate(world.channelId);
  ({ threadId: ownThread } = await openConversation(world.ctx, world.channelId));
  await queueText(world.ctx, ownThread);
});
afterAll(() => world.close());

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

/** Everything in the database that belongs to an organization, but for what a refused call may leave. */
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
      expect(theirs).not.toMatch(/^answered (?!\{"data":\[\],"next_cursor":null\b)/);
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
