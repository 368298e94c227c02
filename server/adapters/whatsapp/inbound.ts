import type { InboundMessage } from "./reports";
import { z } from "zod";
import type { MarketingPreference } from "./reports";
import { isNamed, type Person, personNamed } from "./person";
import type { DatedRenaming, Renaming } from "./reports";
import { contentOf } from "./content";
import { maybe, maybeText, seconds, upstreamId } from "./fields";
import { opensWindow } from "./window";

const PROFILE_NAME_LENGTH_MAX = 256;

/** https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids */
export const contactEntry = z.object({
  wa_id: maybeText,
  user_id: maybeText,
  parent_user_id: maybeText,
  profile: maybe(z.object({ name: maybeText })),
});

type ContactEntry = z.infer<typeof contactEntry>;

/** The people that a change describes, separate from its messages. */
export interface ContactBook {
  readonly byName: ReadonlyMap<string, ContactEntry>;
  /** The described person, if there is only one: then it is the sender. */
  readonly only: ContactEntry | undefined;
}

export function contactBook(contacts: readonly ContactEntry[]): ContactBook {
  const named = contacts.flatMap((contact) =>
    [contact.wa_id, contact.user_id].flatMap((name) =>
      name === undefined ? [] : [[name, contact] as const],
    ),
  );
  // If several share a name, the first counts.
  return { byName: new Map(named.toReversed()), only: contacts.length === 1 ? contacts[0] : undefined };
}

const messageEntry = z
  .object({
    id: upstreamId,
    type: z.string().min(1).max(64),
    // Falls back to our time if it is unreadable, because the customer did write.
    timestamp: maybe(seconds),
    from: maybeText,
    from_user_id: maybeText,
    from_parent_user_id: maybeText,
    group_id: maybeText,
  })
  .loose();

const systemEvent = z.object({
  type: z.string(),
  body: maybeText,
  wa_id: maybeText,
  new_wa_id: maybeText,
  user_id: maybeText,
  parent_user_id: maybeText,
  previous_user_id: maybeText,
  previous_parent_user_id: maybeText,
});

/** System events that give a person new names. The first one is the former name of `user_changed_number`. */
const RENAMING_EVENTS: readonly string[] = [
  "customer_changed_number",
  "user_changed_number",
  "user_changed_user_id",
];

/**
 * @param receivedAt used for a message without a time.
 * @returns null if it isn't a message of one customer, such as one of a group.
 */
export function readInbound(entry: unknown, contacts: ContactBook, receivedAt: Date): InboundMessage | null {
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
    opensWindow: opensWindow(data.type, data),
    becomes: renaming ? renaming.now : null,
  };
}

function contactOf(
  { from, from_user_id }: z.infer<typeof messageEntry>,
  { byName, only }: ContactBook,
): ContactEntry | undefined {
  return byName.get(from ?? "") ?? byName.get(from_user_id ?? "") ?? only;
}

/** Only the event's text contains the person's previous id: "User NAME changed from OLD to NEW". */
const CHANGE_ANNOUNCED = /^.* changed from (\S+) to \S+$/s;

/** https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/system */
function renamingIn(system: unknown): Renaming | null {
  const parsed = systemEvent.safeParse(system);
  if (!parsed.success || !RENAMING_EVENTS.includes(parsed.data.type)) return null;
  const {
    body = "",
    wa_id,
    new_wa_id,
    user_id,
    parent_user_id,
    previous_user_id,
    previous_parent_user_id,
  } = parsed.data;
  const now = personNamed(wa_id, new_wa_id, user_id, parent_user_id);
  const announced = CHANGE_ANNOUNCED.exec(body)?.[1];
  return isNamed(now)
    ? { now, previous: personNamed(previous_user_id, previous_parent_user_id, announced) }
    : null;
}

/** Returns the person's previous names. If only the new names are known, the change contains no further information. */
function before(sender: Person, { previous, now }: Renaming): Person {
  const known = { ...previous, number: sender.number ?? previous.number };
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
 * Reads a customer's call. It opens the window as a message does, answered or not. The call's end repeats its id.
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
export function readPreference(entry: unknown, receivedAt: Date): MarketingPreference | null {
  const parsed = preferenceEntry.safeParse(entry);
  if (!parsed.success) return null;
  const { wa_id, user_id, parent_user_id, value, timestamp } = parsed.data;
  const person = personNamed(wa_id, user_id, parent_user_id);
  if (!isNamed(person)) return null;
  return { person, profileName: null, isWanted: value === "resume", at: timestamp ?? receivedAt };
}

const newId = maybe(z.object({ previous: maybeText, current: maybeText }));

const renamingEntry = z.object({
  wa_id: maybeText,
  user_id: newId,
  parent_user_id: newId,
  timestamp: maybe(seconds),
});

/**
 * Reads a change of number. WhatsApp gives a person a new id with a new number.
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids
 */
export function readRenaming(entry: unknown, receivedAt: Date): DatedRenaming | null {
  const parsed = renamingEntry.safeParse(entry);
  if (!parsed.success) return null;
  const { wa_id, user_id, parent_user_id, timestamp } = parsed.data;
  const now = personNamed(wa_id, user_id?.current, parent_user_id?.current);
  if (!isNamed(now)) return null;
  const previous = personNamed(user_id?.previous, parent_user_id?.previous);
  return { now, previous, at: timestamp ?? receivedAt };
}
