import { requireScope } from "@/server/core/capabilities";
import { canUseChannel } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { isGiven } from "../model/content-rules";
import type { DestinationTo } from "../model/destination-schema";
import type { SendMessageInput } from "../model/send-request";
import type { ChannelFact, NewMessageFacts } from "./send-facts";

/** The destination of a message. Contact and conversation are null if the message creates them. */
export interface Destination {
  readonly channelId: string;
  readonly contactId: string | null;
  readonly conversationId: string | null;
  readonly recipient: string;
  /** ISO 8601. Set while WhatsApp's report that nothing can be delivered to the recipient is believed. */
  readonly refusedUntil: string | null;
  /** The contact wants no marketing messages. */
  readonly isOptedOut: boolean;
  readonly windowOpen: boolean;
  /** The window is closed because the upstream said so. */
  readonly windowDenied: boolean;
}

/**
 * Determines channel, thread and contact of a request. A given channel must be the thread's, and the key must be
 * allowed to use it. Without one, the channel is one that the key may use.
 * @throws WaypostError `channel_forbidden`, `thread_not_found`, `identity_conflict`, `missing_scope`.
 */
export function resolveDestination(
  ctx: Context,
  input: SendMessageInput,
  facts: NewMessageFacts,
): Destination {
  const allowed = facts.channels.filter((channel) => canUseChannel(ctx, channel.id));
  const explicit = isGiven(input.channel_id)
    ? requireChannel(allowed, input.channel_id.toLowerCase(), "channel_id")
    : null;
  return input.to
    ? toPerson(ctx, input.to, explicit ?? pickChannel(input, allowed, facts), facts)
    : toThread(explicit, allowed, facts);
}

function toThread(
  explicit: ChannelFact | null,
  allowed: readonly ChannelFact[],
  facts: NewMessageFacts,
): Destination {
  const { thread } = facts;
  if (thread === null || (explicit !== null && thread.channelId !== explicit.id)) {
    throw new WaypostError("thread_not_found", { field: "thread_id" });
  }
  const channel = requireChannel(allowed, thread.channelId, "thread_id");
  if (thread.recipient === null) {
    const message = "The customer of this conversation was erased, or has no number any more.";
    throw new WaypostError("thread_not_found", { field: "thread_id", message });
  }
  return {
    channelId: channel.id,
    contactId: thread.contactId,
    conversationId: thread.id,
    recipient: thread.recipient.handle,
    refusedUntil: thread.recipient.refusedUntil,
    isOptedOut: thread.isOptedOut,
    windowOpen: thread.windowOpen,
    windowDenied: thread.windowDenied,
  };
}

/** Returns the number or the id that a request is addressed to. */
export function nameIn(to: DestinationTo): string {
  return to.kind === "whatsapp" ? to.handle : to.user_id;
}

/** Returns the field of a request that names its recipient. */
export function fieldOf({ to }: Pick<SendMessageInput, "to">): string {
  if (!to) return "thread_id";
  return to.kind === "whatsapp" ? "to.handle" : "to.user_id";
}

function toPerson(
  ctx: Context,
  to: DestinationTo,
  channel: ChannelFact,
  facts: NewMessageFacts,
): Destination {
  if (facts.contacts.length > 1) throw new WaypostError("identity_conflict", { field: fieldOf({ to }) });
  const contact = facts.contacts[0];
  if (!contact) requireScope(ctx.actor, "contacts:write");
  const name = nameIn(to);
  const recipient = contact?.names.find(({ handle }) => handle === name) ?? contact?.names[0];
  const conversation = contact?.conversations.find((candidate) => candidate.channelId === channel.id);
  return {
    channelId: channel.id,
    contactId: contact?.id ?? null,
    conversationId: conversation?.id ?? null,
    recipient: recipient?.handle ?? name,
    refusedUntil: recipient?.refusedUntil ?? null,
    isOptedOut: contact?.isOptedOut ?? false,
    windowOpen: conversation?.windowOpen ?? channel.unknownWindowOpen,
    windowDenied: conversation?.windowDenied ?? false,
  };
}

/**
 * Without `channel_id`: the template's channel if one is named by id; else the channel to which the contact wrote last,
 * else the default, else the oldest, among the allowed ones.
 */
function pickChannel(
  { template }: SendMessageInput,
  allowed: readonly ChannelFact[],
  facts: NewMessageFacts,
): ChannelFact {
  const [named] = isGiven(template?.template_submission_id) ? facts.templates : [];
  if (named) return requireChannel(allowed, named.channelId, "template.template_submission_id");
  const latest = facts.contacts
    .flatMap((contact) => contact.conversations)
    .filter((conversation) => conversation.lastInboundAt !== null)
    .sort((a, b) => Date.parse(b.lastInboundAt ?? "") - Date.parse(a.lastInboundAt ?? ""))
    .map((conversation) => allowed.find((channel) => channel.id === conversation.channelId))
    .find((channel) => channel !== undefined);
  const channel = latest ?? allowed.find((candidate) => candidate.isDefault) ?? allowed[0];
  if (!channel) throw new WaypostError("channel_forbidden", { field: "channel_id" });
  return channel;
}

function requireChannel(allowed: readonly ChannelFact[], id: string, field: string): ChannelFact {
  const channel = allowed.find((candidate) => candidate.id === id);
  if (!channel) throw new WaypostError("channel_forbidden", { field });
  return channel;
}

/**
 * Refuses a number that the upstream refused within the last day, unless something has disproved that since.
 * @throws WaypostError `recipient_unreachable`.
 */
export function requireReachable({ refusedUntil }: Destination, input: SendMessageInput): void {
  if (refusedUntil === null) return;
  const resendAfter = new Date(refusedUntil);
  throw new WaypostError("recipient_unreachable", {
    field: fieldOf(input),
    message:
      "WhatsApp refused to deliver a message to this number within the last 24 hours. You can send the same request again from " +
      `${resendAfter.toISOString()} on, or once the customer has written.`,
    resendAfter,
  });
}
