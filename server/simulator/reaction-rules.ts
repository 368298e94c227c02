import type { GraphError } from "./graph-errors";
import type { MessageRequest } from "./message-request";
import type { PlannedStatus } from "./outcome-row";
import { readWamid } from "./wamid";

/** Written forms of one number differ before these digits. */
const commonDigits = 8;

/**
 * Returns the error with which Meta fails a reaction after accepting it (Meta, "Reaction messages", 2026-05-21): to a
 * message that isn't in the chat with the recipient, or to a reaction. Null for any other message.
 *
 * Meta describes reactions to customers' messages. Its error is about messages that aren't in the chat, so we assume
 * that the business's own messages are taken too. Meta's limit of 30 days isn't checked: an id doesn't tell its age.
 */
export function reactionError({ type, content, recipient }: MessageRequest): GraphError | null {
  if (type !== "reaction") return null;
  const reacted = readWamid(String(content.message_id));
  const isTaken = reacted?.kind === "message" && isSame(reacted.customer, recipient.id);
  if (isTaken) return null;
  return {
    error: "parameter_value_invalid",
    details: "Parameter reaction['message_id'] is not the id of a message that can be reacted to.",
  };
}

/** One person may have written under a number and be addressed by an id. */
function isSame(customer: string, recipient: string): boolean {
  const isNumber = (name: string) => /^[0-9]+$/.test(name);
  if (isNumber(customer) !== isNumber(recipient)) return true;
  return isNumber(customer)
    ? customer.slice(-commonDigits) === recipient.slice(-commonDigits)
    : customer === recipient;
}

/** Meta reports of a reaction only that it was sent, or that it failed. */
export function reportedOf(type: string, statuses: readonly PlannedStatus[]): readonly PlannedStatus[] {
  if (type !== "reaction") return statuses;
  return statuses.filter(({ status }) => status === "sent" || status === "failed");
}
