import type { TransactionSql } from "@/db/client";
import type { Person } from "@/server/adapters/whatsapp/person";
import { type NewEvent, storeEvents } from "@/server/domain/webhooks/outbox/store-events";
import { type Party, partyOf, type PublicIdentity } from "./names";

/** Where a decision about marketing messages comes from, with its meaning for people. */
export const PREFERENCE_SOURCES = {
  whatsapp:
    "the customer's setting in WhatsApp, or the decision of another contact that WhatsApp proved to be the same person",
  word: "a text of the customer, or the button of a template that the customer tapped, is one of your opt-out or opt-in words",
  api: "a request of an API key",
  member: "a member of your organization",
  upstream: "WhatsApp refused a marketing message, because the customer had stopped them",
} as const;
export type PreferenceSource = keyof typeof PREFERENCE_SOURCES;

/** The data of `contact.opted_out` and `contact.opted_in`. */
export interface PreferenceEventData {
  readonly contact_id: string;
  readonly sequence: number;
  readonly identities: readonly PublicIdentity[];
  readonly marketing_opt_out: boolean;
  readonly source: PreferenceSource;
  readonly at: string;
}

/** The data of `contact.changed`. */
export interface ContactChangedEventData {
  readonly contact_id: string;
  readonly sequence: number;
  readonly old: Party;
  readonly new: Party;
  readonly at: string;
}

/** Stores an event about a contact in the transaction of the change. @returns endpoints to notify after the commit. */
export function announceContact(
  tx: TransactionSql,
  organizationId: string,
  event: Pick<NewEvent, "type" | "at"> & { data: PreferenceEventData | ContactChangedEventData },
): Promise<readonly string[]> {
  const { contact_id: contactId, sequence } = event.data;
  const data = { ...event.data };
  return storeEvents(tx, [
    { ...event, data, organizationId, subject: { kind: "contact", contactId }, sequence },
  ]);
}

/**
 * Announces that a person has new names, in the transaction that stores them. Call it only if the contact has changed.
 * @returns endpoints to notify after the commit.
 */
export async function announceChanged(
  tx: TransactionSql,
  organizationId: string,
  change: { contactId: string; previous: Person; now: Person; at: Date | null },
): Promise<readonly string[]> {
  const { contactId, previous, now, at } = change;
  const [row] = await tx<{ sequence: number; storedAt: Date }[]>`
    update contacts set event_sequence = event_sequence + 1
    where organization_id = ${organizationId} and id = ${contactId}
    returning event_sequence as sequence, clock_timestamp() as "storedAt"`;
  if (!row) throw new Error("The contact vanished while its lock was held");
  const { sequence, storedAt } = row;
  const happenedAt = (at ?? storedAt).toISOString();
  const data = { contact_id: contactId, sequence, old: named(previous), new: named(now), at: happenedAt };
  return announceContact(tx, organizationId, { type: "contact.changed", at: storedAt, data });
}

const named = ({ number, userId }: Person): Party => partyOf(number, userId);
