import { upperFirst } from "@/app/ui/format";

/** Meta’s names of why a template was rejected, and of states that ours say less of. */
const WORDS: Readonly<Record<string, string>> = {
  ABUSIVE_CONTENT: "What it says breaks WhatsApp’s rules for businesses.",
  ARCHIVED: "It is archived at Meta.",
  CATEGORY_NOT_AVAILABLE: "Its category isn’t open to this account.",
  DELETED: "It was deleted at Meta.",
  IN_APPEAL: "Its rejection is being looked at again.",
  INCORRECT_CATEGORY: "Its category doesn’t fit what it says.",
  INVALID_FORMAT: "It isn’t written as WhatsApp wants it, such as a variable at its beginning or end.",
  LIMIT_EXCEEDED: "The account has as many templates as it may have.",
  PENDING_DELETION: "It is being deleted at Meta.",
  PROMOTIONAL: "It advertises, which its category doesn’t allow.",
  SCAM: "WhatsApp takes it for a fraud.",
  TAG_CONTENT_MISMATCH: "Its language or category doesn’t fit what it says.",
};

/** In plain words why a template is in its state. A name that isn’t known here is shown as words; words stay as they are. */
export function reasonWords(reason: string): string {
  const known = Object.hasOwn(WORDS, reason) ? WORDS[reason] : undefined;
  if (known !== undefined) return known;
  if (!/^[A-Z][A-Z0-9_]*$/.test(reason)) return reason;
  return `${upperFirst(reason.toLowerCase().replaceAll("_", " "))}.`;
}
