import { isDatabaseUnavailable } from "@/db/errors";
import { canUseChannel } from "@/server/core/channel-access";
import { requireCapability, requireScope } from "@/server/core/capabilities";
import { type Context, perServices } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import type { Ticket } from "@/server/adapters/limits/limits";
import {
  acceptMessage,
  type AcceptedMessage,
  type AlsoInTransaction,
  type ContentLinks,
  type PreparedMessage,
} from "./accept";
import { identityNamed } from "@/server/adapters/whatsapp/person";
import { type Destination, nameIn, requireReachable, resolveDestination } from "./destination";
import { WINDOW_DENIED, windowDenial } from "../model/explain-failure";
import { bodyFingerprint, differingFields, withoutNulls } from "./fingerprint";
import { fingerprintKey } from "@/server/domain/organizations/fingerprint-key";
import { checkMedia } from "./media-rules";
import { checkReferences } from "./reference-rules";
import type { SendMessageOutput } from "../model/schemas";
import type { SendMessageInput } from "../model/send-request";
import {
  type EarlierMessage,
  type NewMessageFacts,
  readSendFacts,
  type SendFacts,
  isStale,
} from "./send-facts";
import { createSingleFlight } from "@/server/lib/single-flight";
import { checkTemplate, requireWanted } from "./template-rules";

const flightOf = perServices(createSingleFlight);

/**
 * Accepts a message, once per `client_message_id` of the organization. Guarantees: a message with the response
 * `deduplicated: false` is stored durably; a repeat, a conflict and a refusal store nothing and consume no unit of the
 * rate limit `send`.
 * @throws WaypostError with the codes of `sendMessage` in the messages router.
 */
export async function sendMessage(args: {
  ctx: Context;
  input: SendMessageInput;
}): Promise<SendMessageOutput> {
  return sendMarked({ ...args, marks: {} });
}

/** Properties that only Waypost itself can set. */
interface Marks {
  /** The message to send again. The same id can't be used to send another one again. */
  readonly resendOf?: string;
  /** Runs in the message's transaction; not for a repeat. */
  readonly alsoInTransaction?: AlsoInTransaction;
}

/** The same, for a message that a person sends by hand. */
export async function sendMarked(args: {
  ctx: Context;
  input: SendMessageInput;
  marks: Marks;
}): Promise<SendMessageOutput> {
  const { ctx, input, marks } = args;
  requireCapability(ctx.actor, "messages.send");
  if (input.to) requireScope(ctx.actor, "contacts:read");
  if (input.type === "template") requireScope(ctx.actor, "templates:read");
  const name = `${ctx.actor.organizationId}:${input.client_message_id}`;
  return flightOf(ctx.services)(name, () => sendOnce(ctx, input, marks));
}

async function sendOnce(ctx: Context, input: SendMessageInput, marks: Marks): Promise<SendMessageOutput> {
  const [facts, message] = await Promise.all([readFacts(ctx, input), prepare(ctx, input, marks)]);
  if (facts.earlier) return answerRepeat(ctx, message, facts.earlier);
  const destination = resolveDestination(ctx, input, facts);
  const links = await checkContent(ctx, input, facts, destination);

  let ticket: Ticket | null;
  try {
    ticket = await takeUnit(ctx);
  } catch (error) {
    // Another process may have stored this very message with the last unit. Then it is a repeat, not a refusal.
    const { earlier } = await readFacts(ctx, input);
    if (earlier) return answerRepeat(ctx, message, earlier);
    throw error;
  }
  const accepted = await refundUnlessStored(ticket, () =>
    acceptMessage(ctx, { ...message, ...links }, destination, marks.alsoInTransaction),
  );
  if (accepted === null) {
    // A separate statement, because the one that lost the race can't see the winner.
    const { earlier } = await readFacts(ctx, input);
    if (!earlier) throw new Error("The message that took the id vanished");
    return answerRepeat(ctx, message, earlier);
  }
  ctx.services.jobs.notifyChannel(destination.channelId);
  if (ticket?.kind === "granted") ctx.noteRate?.(ticket.headers);
  ctx.services.metrics.count("waypost_messages_accepted_total", {});
  return {
    message_id: accepted.messageId,
    thread_id: accepted.conversationId,
    contact_id: accepted.contactId,
    delivery_state: "queued",
    client_message_id: message.clientMessageId,
    deduplicated: false,
  };
}

function readFacts(ctx: Context, input: SendMessageInput): Promise<SendFacts> {
  return readSendFacts(ctx.services, {
    organizationId: ctx.actor.organizationId,
    clientMessageId: input.client_message_id,
    threadId: input.thread_id ?? null,
    recipient: input.to ? identityNamed(nameIn(input.to)) : null,
    quotedId: input.reply_to?.message_id ?? null,
    reactedId: input.reaction?.message_id ?? null,
    template: input.template
      ? {
          id: input.template.template_submission_id ?? null,
          name: input.template.name ?? null,
          language: input.template.language ?? null,
        }
      : null,
    storageKey: input.media?.storage_key ?? null,
  });
}

/**
 * Checks the content, and whether it may be sent now: outside the customer window only templates. Permanent refusals
 * come first, because the later ones say that the same request can be sent later.
 */
async function checkContent(
  ctx: Context,
  input: SendMessageInput,
  facts: NewMessageFacts,
  destination: Destination,
): Promise<ContentLinks> {
  const { services } = ctx;
  checkReferences(input, facts.referenced, destination.conversationId);
  if (input.template) {
    const found = await checkTemplate(services, input.template, facts.templates, destination.channelId);
    requireWanted(found, destination, input);
    requireReachable(destination, input);
    return { templateId: found.id, uploadId: null };
  }
  await checkMedia(services, input, facts.upload);
  requireReachable(destination, input);
  if (!destination.windowOpen) throw outsideWindow(destination);
  return { templateId: null, uploadId: facts.upload?.id ?? null };
}

/** If WhatsApp said so, the customer may still have written. */
function outsideWindow({ windowDenied }: Destination): WaypostError {
  const denial = windowDenied ? windowDenial(WINDOW_DENIED) : null;
  const message = denial?.said ?? "The customer hasn't written on this channel in the last 24 hours.";
  return new WaypostError("outside_customer_window", { message });
}

async function prepare(ctx: Context, input: SendMessageInput, marks: Marks): Promise<PreparedMessage> {
  const { resendOf = null } = marks;
  const key = await fingerprintKey(ctx.services, ctx.actor.organizationId);
  const { client_message_id: clientMessageId, ...content } = input;
  return {
    clientMessageId,
    fingerprint: bodyFingerprint(key, resendOf === null ? input : { ...input, resend_of: resendOf }),
    type: input.type,
    content: Object(withoutNulls(content)),
    resendOf,
  };
}

async function answerRepeat(
  ctx: Context,
  message: PreparedMessage,
  earlier: EarlierMessage,
): Promise<SendMessageOutput> {
  if (!canUseChannel(ctx, earlier.channelId)) throw new WaypostError("channel_forbidden");
  if (earlier.fingerprintHex !== message.fingerprint.toString("hex")) throw reused(message, earlier);
  ctx.services.metrics.count("waypost_messages_repeated_total", {});
  if (earlier.isStale) await requeueStale(ctx, earlier.messageId, earlier.channelId);
  return {
    message_id: earlier.messageId,
    thread_id: earlier.threadId,
    contact_id: earlier.contactId,
    delivery_state: earlier.state,
    client_message_id: message.clientMessageId,
    deduplicated: true,
  };
}

/**
 * Requeues a stale message because its sender repeated the request: one that is queued, due, unclaimed, not in doubt,
 * and was enqueued more than a minute ago. Its due time and order stay.
 */
async function requeueStale(ctx: Context, messageId: string, channelId: string): Promise<void> {
  const { sql, jobs } = ctx.services;
  await sql`
    update messages m set enqueued_at = now()
    where m.organization_id = ${ctx.actor.organizationId} and m.id = ${messageId} and ${isStale(sql)}`;
  jobs.notifyChannel(channelId);
}

function reused(message: PreparedMessage, earlier: EarlierMessage): WaypostError {
  const isKept = Object.keys(earlier.content).length > 0;
  const fields = isKept ? differingFields(earlier.content, message.content) : [];
  const difference = fields.length > 0 ? ` Different: ${fields.slice(0, 10).join(", ")}.` : "";
  return new WaypostError("idempotency_key_reused", {
    field: "client_message_id",
    message: `This \`client_message_id\` was already used for a different body, of message ${earlier.messageId}.${difference}`,
  });
}

/** Null for an actor without a limit: only keys have one. */
async function takeUnit(ctx: Context): Promise<Ticket | null> {
  if (ctx.actor.kind !== "key") return null;
  return ctx.services.limits.take(ctx.actor.keyId, "send", ctx.actor.sendLimit);
}

/**
 * Refunds the rate-limit unit, unless the message was or may have been stored: after a broken connection that is
 * unknown.
 */
async function refundUnlessStored(
  ticket: Ticket | null,
  accept: () => Promise<AcceptedMessage | null>,
): Promise<AcceptedMessage | null> {
  const refund = () => ticket?.kind === "granted" && ticket.refund();
  try {
    const accepted = await accept();
    if (accepted === null) refund();
    return accepted;
  } catch (error) {
    if (!isDatabaseUnavailable(error)) refund();
    throw error;
  }
}
