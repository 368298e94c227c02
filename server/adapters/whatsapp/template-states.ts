import type { TemplateState } from "@/db/schema";

/**
 * Meta's words for the state of a template, as its API (`status`) and its callbacks (`event`) say them
 * (https://developers.facebook.com/docs/whatsapp/business-management-api/guides/message-templates).
 */
const STATES: Readonly<Record<string, TemplateState>> = {
  APPROVED: "approved",
  REINSTATED: "approved",
  // Still sent; a warning that it may be disabled.
  FLAGGED: "approved",
  PENDING: "pending",
  IN_APPEAL: "pending",
  IN_REVIEW: "pending",
  UNARCHIVED: "pending",
  REJECTED: "rejected",
  PAUSED: "paused",
  LIMIT_EXCEEDED: "paused",
  LOCKED: "disabled",
  DISABLED: "disabled",
  ARCHIVED: "disabled",
  PENDING_DELETION: "disabled",
  DELETED: "disabled",
};

/** Our state for Meta's word. A word that isn't known counts as `pending`: nothing is sent on a guess. */
export function templateState(word: string): TemplateState {
  return STATES[word.toUpperCase()] ?? "pending";
}
