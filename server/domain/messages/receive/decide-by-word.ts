import type { TransactionSql } from "@/db/client";
import type { InboundContent } from "@/server/adapters/whatsapp/inbound-content";
import { recordPreferenceIn } from "@/server/domain/contacts/record-preference";
import { decisionOfWord } from "@/server/domain/organizations/marketing-words";

interface Answer {
  readonly organizationId: string;
  readonly contactId: string;
  /** The message that it answers, if Waypost knows it. */
  readonly quotedId: string | null;
}

/**
 * A text that is one of the organization's words is a decision about marketing messages. So is a tap on a button of a
 * template, unless the template is known to be for something else: "Cancel" can be about an order.
 * @returns the endpoints to notify.
 */
export async function decideByWord(
  tx: TransactionSql,
  { organizationId, contactId, quotedId }: Answer,
  { content, at }: { readonly content: InboundContent; readonly at: Date },
): Promise<readonly string[]> {
  const said = decisiveText(content);
  const isWanted = said === null ? null : await decisionOfWord(tx, organizationId, said);
  if (isWanted === null) return [];
  if (content.type === "button" && quotedId !== null) {
    const [other] = await tx`
      select from messages m join templates t on t.id = m.template_id and t.organization_id = m.organization_id
      where m.id = ${quotedId} and m.organization_id = ${organizationId} and t.category <> 'marketing'`;
    if (other) return [];
  }
  return recordPreferenceIn(tx, organizationId, contactId, { isWanted, at, source: "word" });
}

/** A written text, or the title of a template's button. Buttons of interactive messages answer a question. */
function decisiveText({ type, text, reply }: InboundContent): string | null {
  if (type === "text") return text?.body ?? null;
  return type === "button" ? (reply?.title ?? null) : null;
}
