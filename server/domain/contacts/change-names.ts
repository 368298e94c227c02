import type { TransactionSql } from "@/db/client";
import { canonicalHandle } from "@/server/adapters/whatsapp/handles";
import { identitiesOf, type Person } from "@/server/adapters/whatsapp/person";
import { announceChanged } from "./announce";
import { type Attached, attachPersonIn, takeNumberIn } from "./attach";
import { markCurrentNames, readCurrentNames } from "./current-names";

interface Reported {
  readonly contactId: string;
  /** By WhatsApp's clock. Null: now. */
  readonly at: Date | null;
}

/**
 * Gives a contact the names that WhatsApp reports as its new ones: it is reached by them from then on. The old ones
 * stay, because callbacks of earlier messages still use them. A number of another contact moves here, by the rules of
 * `takeNumberIn`. Announces the change if the contact's current names become others.
 * @param change the old names as far as WhatsApp gives them, and the new ones; `before` if some are attached already.
 */
export async function applyNameChange(
  tx: TransactionSql,
  organizationId: string,
  { contactId, at }: Reported,
  change: { readonly previous: Person; readonly now: Person; readonly before?: Person | null },
): Promise<Pick<Attached, "conflicts" | "endpointIds">> {
  const names = identitiesOf(change.now);
  const before = change.before ?? (await readCurrentNames(tx, organizationId, contactId));
  const taken = await takeNumberIn(tx, organizationId, { contactId, names, at });
  const attached = await attachPersonIn(tx, organizationId, contactId, change.now);
  await markCurrentNames(tx, organizationId, { contactId, names, at });
  const now = await readCurrentNames(tx, organizationId, contactId);
  const endpointIds = [...taken, ...attached.endpointIds];
  const { conflicts } = attached;
  if (sameNumber(before.number, now.number) && before.userId === now.userId)
    return { conflicts, endpointIds };
  const { number, userId } = change.previous;
  const previous = {
    ...before,
    number: number === null || sameNumber(number, now.number) ? before.number : number,
    userId: userId === null || userId === now.userId ? before.userId : userId,
  };
  const announced = await announceChanged(tx, organizationId, { contactId, previous, now, at });
  return { conflicts, endpointIds: [...endpointIds, ...announced] };
}

/**
 * Records that WhatsApp used a person's names for a contact, after they were attached. Announces a change if they replace
 * others, of which WhatsApp reports no change of its own: a person with the same id writes from another number, for
 * example. A name that wasn't known before is no change.
 * @returns endpoints to notify after the commit.
 */
export async function recordNamesSeen(
  tx: TransactionSql,
  organizationId: string,
  { contactId, at }: Reported,
  { person, previous }: { readonly person: Person } & Pick<Attached, "previous">,
): Promise<readonly string[]> {
  if (previous === null) return [];
  await markCurrentNames(tx, organizationId, { contactId, names: identitiesOf(person), at });
  const now = await readCurrentNames(tx, organizationId, contactId);
  const isNumberKept =
    previous.number === null || now.number === null || sameNumber(previous.number, now.number);
  const isIdKept = previous.userId === null || now.userId === null || previous.userId === now.userId;
  if (isNumberKept && isIdKept) return [];
  return announceChanged(tx, organizationId, { contactId, previous, now, at });
}

/** Returns true for two written forms of one number. */
const sameNumber = (one: string | null, other: string | null): boolean =>
  one === null || other === null ? one === other : canonicalHandle(one) === canonicalHandle(other);
