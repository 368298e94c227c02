import { randomInt, randomUUID } from "node:crypto";
import { newId, templates, uploads } from "@/db/schema";
import { until } from "@/e2e/support/until";
import type { KeyActor, SystemActor } from "@/server/core/actor";
import type { Context, Services } from "@/server/core/context";
import { isWaypostError } from "@/server/platform/errors";
import { NO_JOBS } from "@/server/core/jobs";
import { servicesWith } from "@/server/core/testing";
import { authenticateKey } from "@/server/domain/keys/authenticate";
import { createKey } from "@/server/domain/keys/create";
import type { CreateKeyInput } from "@/server/domain/keys/schemas";
import {
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  type TestWorldOptions,
} from "@/server/domain/organizations/testing";
import { createUpload } from "@/server/domain/uploads/create";
import { fileOf, SAMPLES } from "@/server/domain/uploads/testing";
import { createWhatsAppClient } from "@/server/adapters/whatsapp/client";
import { startTestUpstream } from "@/server/adapters/whatsapp/testing";
import { type ClaimedMessage, claimDueMessages, newClaimToken } from "./deliver/claim";
import { openAttempts, type OpenedAttempt } from "./deliver/open-attempts";
import { receiveText } from "./receive/receive";
import { sendMessage } from "./send/send";

/** Time limit of a call without a response. */
const HASTY_TIMEOUT_MS = 250;
const CLAIM_MAX = 1_000;

export interface Conversation {
  readonly handle: string;
  readonly contactId: string;
  readonly threadId: string;
}

/** A database, a controllable upstream, and an organization with one channel. */
export async function openSendWorld(options?: TestWorldOptions) {
  const world = await openTestWorld(options);
  const upstream = await startTestUpstream();
  const whatsapp = createWhatsAppClient({ connectionsMax: 64 });
  const hastyWhatsapp = createWhatsAppClient({ connectionsMax: 64, timeoutMs: HASTY_TIMEOUT_MS });
  const target: string[] = [];
  const services = servicesWith(world.services, {
    whatsapp,
    urls: { upstream: () => upstream.url },
    jobs: { ...NO_JOBS, notifyChannel: (channelId) => void target.push(channelId) },
  });
  const ctx = await createTestOrganization(services);
  const channelId = await connectTestChannel(ctx, true);
  return {
    services,
    /** The same, for an upstream that doesn't respond: calls time out soon. */
    hasty: { ...services, whatsapp: hastyWhatsapp },
    sql: world.database.sql,
    databaseUrl: world.database.url,
    upstream,
    ctx,
    channelId,
    /** The notified channels, in order. */
    target,
    close: async () => {
      await Promise.all([whatsapp.close(), hastyWhatsapp.close()]);
      await upstream.close();
      await world.close();
    },
  };
}

export type SendWorld = Awaited<ReturnType<typeof openSendWorld>>;

/**
 * Returns an unused number that has only one written form. The simulator reserves numbers ending in 99NNN for special
 * outcomes.
 */
export const newHandle = (): string =>
  `49151${randomInt(10 ** 3, 10 ** 4)}${String(randomInt(9 * 10 ** 4)).padStart(5, "0")}`;

/** Creates a customer who has just written: the window is open. */
export async function openConversation(
  ctx: Context<SystemActor>,
  channelId: string,
  handle: string = newHandle(),
): Promise<Conversation> {
  const { contactId, conversationId } = await receiveText({
    ctx,
    input: {
      channelId,
      from: handle,
      profileName: "Customer",
      upstreamId: `wamid.${randomUUID()}`,
      body: "Hello",
      at: new Date(),
    },
  });
  return { handle, contactId, threadId: conversationId };
}

/** Returns a context of a new key of the organization. */
export async function asKey(
  ctx: Context<SystemActor>,
  input: Partial<CreateKeyInput> = {},
): Promise<Context<KeyActor>> {
  const { secret } = await createKey({ ctx, input: { name: "Test key", ...input } });
  const { services } = ctx;
  const actor = await authenticateKey({ services, authorization: undefined, xApiKey: secret });
  return { services, actor, requestId: "test-request" };
}

/** Adds a template to the channel: approved by default. */
export async function addTemplate(
  { services, actor }: Context,
  channelId: string,
  template: Partial<
    Pick<typeof templates.$inferInsert, "name" | "language" | "state" | "variables" | "category">
  > = {},
): Promise<{ id: string; name: string; language: string }> {
  const id = newId();
  const { name = `template_${id.slice(-8)}`, language = "en_US", state = "approved", ...rest } = template;
  const row = { ...rest, id, organizationId: actor.organizationId, channelId, name, language, state };
  await services.orm.insert(templates).values({ ...row, components: [] });
  return { id, name, language };
}

/** Adds an upload without a file: an image by default. */
export async function addUpload(
  { services, actor }: Context,
  upload: Partial<Pick<typeof uploads.$inferInsert, "mimeType" | "size" | "expiresAt" | "erasedAt">> = {},
): Promise<{ id: string; storageKey: string }> {
  const id = newId();
  const storageKey = `test-${randomUUID()}`;
  await services.orm.insert(uploads).values({
    id,
    organizationId: actor.organizationId,
    storageKey,
    mimeType: "image/png",
    size: 1000,
    sha256: "0".repeat(64),
    expiresAt: new Date(Date.now() + 60_000),
    ...upload,
  });
  return { id, storageKey };
}

/** The body of a request that sends a text. */
export function textTo(threadId: string, clientMessageId: string = randomUUID()) {
  return {
    client_message_id: clientMessageId,
    type: "text" as const,
    thread_id: threadId,
    text: { body: "Good morning" },
  };
}

/** Accepts a text for the conversation. @returns its message id. */
export async function queueText(ctx: Context, threadId: string): Promise<string> {
  return (await sendMessage({ ctx, input: textTo(threadId) })).message_id;
}

/** Queues copies of a message after it, in its conversation. @returns their ids. */
export async function queueCopies({ sql }: Pick<SendWorld, "sql">, id: string, count: number) {
  const rows = await sql<{ id: string }[]>`
    insert into messages (id, organization_id, conversation_id, contact_id, channel_id, kind, type, content, recipient,
      state, created_at, next_attempt_at, enqueued_at)
    select gen_random_uuid(), organization_id, conversation_id, contact_id, channel_id, kind, type, content, recipient,
      state, created_at, next_attempt_at, enqueued_at
    from messages, generate_series(1, ${count}::int) where id = ${id}
    returning id`;
  return rows.map((row) => row.id);
}

/** Accepts an uploaded image that the upstream doesn't have yet. @returns its message id. */
export async function queueImage(ctx: Context, threadId: string): Promise<string> {
  const { storage_key } = await createUpload({ ctx, input: { file: fileOf(SAMPLES.png) } });
  const input = {
    client_message_id: randomUUID(),
    type: "image" as const,
    thread_id: threadId,
    media: { storage_key },
  };
  return (await sendMessage({ ctx, input })).message_id;
}

/**
 * Services whose connection breaks after the first statement with these words: the statement has taken effect, unnoticed.
 * @param options.isLast whether no further work is started then: otherwise released messages would be claimed again
 * immediately.
 */
export function breakingAfter(
  services: Services,
  words: string,
  { isLast = false }: { isLast?: boolean } = {},
): Services {
  let hasBroken = false;
  const sql = new Proxy(services.sql, {
    apply(target, self, args: unknown[]) {
      const statement: unknown = Reflect.apply(target, self, args);
      if (hasBroken || !String(args[0]).includes(words)) return statement;
      hasBroken = true;
      return Promise.resolve(statement).then(() => Promise.reject(new Error("the connection broke")));
    },
  });
  const isStopping = () => (isLast && hasBroken) || services.lifecycle.isStopping();
  return servicesWith(services, { sql, lifecycle: { isStopping } });
}

/** Claims due messages of a channel without opening their attempts. */
export const claimDue = async (
  { sql }: Pick<SendWorld["services"], "sql">,
  channelId: string,
  max: number,
  token: string = newClaimToken(),
): Promise<ClaimedMessage[]> => sql<ClaimedMessage[]>`
  with ${claimDueMessages(sql, channelId, max, token, { isProbe: false })}
  select id, organization_id as "organizationId", claim_token as "claimToken" from claimed`;

/** Claims the message, which is the head of its conversation, and opens an attempt, so that its call may start. */
export async function startCall(
  { services, sql }: Pick<SendWorld, "services" | "sql">,
  messageId: string,
): Promise<OpenedAttempt> {
  const [message] = await sql<{ channelId: string }[]>`
    update messages set next_attempt_at = now() where id = ${messageId} returning channel_id as "channelId"`;
  if (!message) throw new Error(`There is no message ${messageId}`);
  const claimed: ClaimedMessage[] = [];
  // A claim skips rows that are locked at that moment, for example by another test's run.
  const isClaimed = async () => {
    claimed.push(...(await claimDue(services, message.channelId, CLAIM_MAX)));
    return claimed.some(({ id }) => id === messageId);
  };
  try {
    await until(`the message ${messageId} is claimed`, isClaimed);
  } catch (cause) {
    const row = JSON.stringify(await messageRow({ sql }, messageId));
    throw new Error(`The message can't be claimed: ${row}`, { cause });
  }
  const { opened } = await openAttempts(
    services,
    claimed.filter((candidate) => candidate.id === messageId),
  );
  const attempt = opened[0];
  if (!attempt) throw new Error(`The message ${messageId} was claimed, and may not be called for`);
  return attempt;
}

/** The columns of a message that tests check. */
export async function messageRow({ sql }: Pick<SendWorld, "sql">, id: string) {
  const [row] = await sql<
    {
      state: string;
      errorCode: string | null;
      eventSequence: number;
      attempts: number;
      upstreamId: string | null;
      isClaimed: boolean;
      isInDoubt: boolean;
      waitMs: number | null;
      holdMs: number | null;
    }[]
  >`
    select state, error_code as "errorCode", event_sequence as "eventSequence", attempts, upstream_id as "upstreamId",
      claim_token is not null as "isClaimed", in_doubt_since is not null as "isInDoubt",
      (extract(epoch from next_attempt_at - now()) * 1000)::float8 as "waitMs",
      (extract(epoch from hold_until - now()) * 1000)::float8 as "holdMs"
    from messages where id = ${id}`;
  if (!row) throw new Error(`There is no message ${id}`);
  return row;
}

/** Outcomes of a message's attempts, oldest first; null if open. */
export async function outcomesOf({ sql }: Pick<SendWorld, "sql">, messageId: string) {
  const rows = await sql<{ outcome: string | null }[]>`
    select outcome from message_attempts where message_id = ${messageId} order by id`;
  return rows.map((row) => row.outcome);
}

/** A message's timeline, in the order of its transitions, then events without a state change. */
export async function timelineOf({ sql }: Pick<SendWorld, "sql">, messageId: string) {
  return sql<{ kind: string; sequence: number | null; errorCode: string | null }[]>`
    select kind, sequence, error_code as "errorCode" from message_events
    where message_id = ${messageId} order by sequence nulls last, created_at, kind`;
}

/** Returns the code of the refusal; null if the call succeeded. Rethrows any other error. */
export async function codeOf(call: Promise<unknown>): Promise<string | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (isWaypostError(error)) return error.code;
    throw error;
  }
}
