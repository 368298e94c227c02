import type { TemplateState } from "@/db/schema";

/**
 * Meta's words for the state of a template, in its API (`status`) and its callbacks (`event`)
 * (https://developers.facebook.com/docs/whatsapp/business-management-api/guides/message-templates).
 */
const STATES: Readonly<Record<string, TemplateState>> = {
  APPROVED: "approved",
  REINSTATED: "approved",
  // Can still be sent. It is a warning that the template may be disabled.
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

/** Returns our state for Meta's word. An unknown word counts as `pending`, so that nothing is sent based on a guess. */
export function templateState(word: string): TemplateState {
  return STATES[word.toUpperCase()] ?? "pending";
}
