import { upperFirst } from "@/app/ui/format";

/** Meta’s names for rejection reasons, and for states that our states don't distinguish. */
const WORDS: Readonly<Record<string, string>> = {
  ABUSIVE_CONTENT: "The content breaks WhatsApp’s rules for businesses.",
  ARCHIVED: "The template is archived at Meta.",
  CATEGORY_NOT_AVAILABLE: "This account can’t use the template’s category.",
  DELETED: "The template was deleted at Meta.",
  IN_APPEAL: "Meta is reviewing the rejection again.",
  INCORRECT_CATEGORY: "The category doesn’t match the content.",
  INVALID_FORMAT: "The format is invalid, for example because of a variable at the beginning or end.",
  LIMIT_EXCEEDED: "The account has reached its template limit.",
  PENDING_DELETION: "The template is being deleted at Meta.",
  PROMOTIONAL: "The template contains advertising, and its category doesn’t allow that.",
  SCAM: "WhatsApp considers the template to be a scam.",
  TAG_CONTENT_MISMATCH: "The language or category doesn’t match the content.",
};

/** Says in plain words why a template is in its state. An unknown name is shown as words; sentences stay unchanged. */
export function reasonWords(reason: string): string {
  const known = Object.hasOwn(WORDS, reason) ? WORDS[reason] : undefined;
  if (known !== undefined) return known;
  if (!/^[A-Z][A-Z0-9_]*$/.test(reason)) return reason;
  return `${upperFirst(reason.toLowerCase().replaceAll("_", " "))}.`;
}
