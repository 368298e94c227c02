import { z } from "zod";
import type { MarketingWish } from "../../contacts/marketing";
import { isNamed, type Person, personNamed } from "../../contacts/person";
import type { ReceiveMessageInput } from "../../messages/receive";
import { contentOf } from "./content";
import { maybe, maybeText, seconds, upstreamId } from "./fields";

/** What a customer sent, but for the channel it came to. */
export type InboundMessage = Omit<ReceiveMessageInput, "channelId">;

const PROFILE_NAME_LENGTH_MAX = 256;

/** https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids */
export const contactEntry = z.object({
  wa_id: maybeText,
  user_id: maybeText,
  parent_user_id: maybeText,
  profile: maybe(z.object({ name: maybeText })),
});

export type ContactEntry = z.infer<typeof contactEntry>;

const messageEntry = z
  .object({
    id: upstreamId,
    type: z.string().min(1).max(64),
    // Ours is taken where it can't be read: the customer wrote.
    timestamp: maybe(seconds),
    from: maybeText,
    from_user_id: maybeText,
    from_parent_user_id: maybeText,
    group_id: maybeText,
  })
  .loose();

const systemEvent = z.object({
  type: z.string(),
  wa_id: maybeText,
  new_wa_id: maybeText,
  user_id: maybeText,
  parent_user_id: maybeText,
  previous_user_id: maybeText,
  previous_parent_user_id: maybeText,
});

/** System events by which a person gets new names; the first is what `user_changed_number` was called before. */
const RENAMING_EVENTS: readonly string[] = [
  "customer_changed_number",
  "user_changed_number",
  "user_changed_user_id",
];

/**
 * Types that don't open the customer window. Meta opens it when a customer messages or calls: a reaction, an edit or a
 * deletion is about an earlier message, and what WhatsApp tells of the customer, or couldn't pass on, is none of theirs.
 */
const WINDOWLESS_TYPES: readonly string[] = [
  "reaction",
  "edit",
  "revoke",
  "system",
  "unsupported",
  "unknown",
];

/**
 * @param contacts the people whom the change describes, beside its messages.
 * @param receivedAt for a message that doesn't tell its time.
 * @returns null for what is no message of one customer, such as one of a group.
 */
export function readInbound(
  entry: unknown,
  contacts: readonly ContactEntry[],
  receivedAt: Date,
): InboundMessage | null {
  const parsed = messageEntry.safeParse(entry);
  if (!parsed.success || parsed.data.group_id !== undefined) return null;
  const { data } = parsed;
  const contact = contactOf(data, contacts);
  const renaming = data.type === "system" ? renamingIn(data.system) : null;
  const names = [data.from, contact?.wa_id, data.from_user_id, contact?.user_id];
  const sender = personNamed(...names, data.from_parent_user_id, contact?.parent_user_id);
  const from = renaming ? before(personNamed(data.from), renaming) : sender;
  if (!isNamed(from)) return null;
  return {
    from,
    profileName: contact?.profile?.name?.slice(0, PROFILE_NAME_LENGTH_MAX) ?? null,
    upstreamId: data.id,
    content: contentOf(data.type, data),
    at: data.timestamp ?? receivedAt,
    opensWindow: !WINDOWLESS_TYPES.includes(data.type),
    becomes: renaming ? renaming.now : null,
  };
}

/** The person who is meant: a change can describe several. */
function contactOf(
  message: z.infer<typeof messageEntry>,
  contacts: readonly ContactEntry[],
): ContactEntry | undefined {
  const { from, from_user_id } = message;
  const named = contacts.find(
    (contact) =>
      (from !== undefined && contact.wa_id === from) ||
      (from_user_id !== undefined && contact.user_id === from_user_id),
  );
  return named ?? (contacts.length === 1 ? contacts[0] : undefined);
}

interface Renaming {
  readonly previous: Person;
  readonly now: Person;
}

/** https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/system */
function renamingIn(system: unknown): Renaming | null {
  const parsed = systemEvent.safeParse(system);
  if (!parsed.success || !RENAMING_EVENTS.includes(parsed.data.type)) return null;
  const { wa_id, new_wa_id, user_id, parent_user_id, previous_user_id, previous_parent_user_id } =
    parsed.data;
  const now = personNamed(wa_id, new_wa_id, user_id, parent_user_id);
  return isNamed(now) ? { now, previous: personNamed(previous_user_id, previous_parent_user_id) } : null;
}

/** Who it was before. Where only the new names are told, the change says nothing more than they do. */
function before(sender: Person, { previous, now }: Renaming): Person {
  const known = { ...previous, number: sender.number };
  return isNamed(known) ? known : now;
}

const callEntry = z.object({
  id: upstreamId,
  from: maybeText,
  from_user_id: maybeText,
  from_parent_user_id: maybeText,
  direction: z.literal("USER_INITIATED"),
  timestamp: maybe(seconds),
});

/**
 * A call of a customer opens the window as a message does, answered or not. Its end repeats its id.
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/calling/user-initiated-calls
 */
export function readCall(entry: unknown, receivedAt: Date): InboundMessage | null {
  const parsed = callEntry.safeParse(entry);
  if (!parsed.success) return null;
  const { id, from, from_user_id, from_parent_user_id, timestamp } = parsed.data;
  const person = personNamed(from, from_user_id, from_parent_user_id);
  if (!isNamed(person)) return null;
  return {
    from: person,
    profileName: null,
    upstreamId: id,
    content: { type: "call" },
    at: timestamp ?? receivedAt,
    opensWindow: true,
    becomes: null,
  };
}

const preferenceEntry = z.object({
  wa_id: maybeText,
  user_id: maybeText,
  parent_user_id: maybeText,
  category: z.literal("marketing_messages"),
  value: z.enum(["stop", "resume"]),
  timestamp: maybe(seconds),
});

/** https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/user_preferences */
export function readPreference(entry: unknown, receivedAt: Date): MarketingWish | null {
  const parsed = preferenceEntry.safeParse(entry);
  if (!parsed.success) return null;
  const { wa_id, user_id, parent_user_id, value, timestamp } = parsed.data;
  const person = personNamed(wa_id, user_id, parent_user_id);
  if (!isNamed(person)) return null;
  return { person, profileName: null, isWanted: value === "resume", at: timestamp ?? receivedAt };
}
