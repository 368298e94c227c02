import { WaypostError } from "@/server/platform/errors";
import type { SendMessageInput } from "../model/send-request";
import type { ReferencedFact } from "./send-facts";

/**
 * Checks the messages that a request refers to: the one that it quotes, and the one that it reacts to. Each must be a
 * message of the same conversation, in either direction, that hasn't failed.
 * @param conversationId null if the message creates its conversation.
 * @throws WaypostError `validation_failed` with `reply_to.message_id` or `reaction.message_id`.
 */
export function checkReferences(
  { reply_to, reaction }: SendMessageInput,
  referenced: readonly ReferencedFact[],
  conversationId: string | null,
): void {
  if (reply_to) requireFound("reply_to.message_id", reply_to.message_id, referenced, conversationId);
  if (!reaction) return;
  const field = "reaction.message_id";
  const reacted = requireFound(field, reaction.message_id, referenced, conversationId);
  // WhatsApp would accept these two, and fail them later (131009).
  if (reacted.type === "reaction") throw invalid(field, "is itself a reaction, which takes none");
  if (reacted.isTooOldForReaction)
    throw invalid(field, "is older than 30 days. WhatsApp shows no reaction to it");
}

function requireFound(
  field: string,
  id: string,
  referenced: readonly ReferencedFact[],
  conversationId: string | null,
): ReferencedFact {
  const found = referenced.find((message) => message.id === id);
  if (!found || found.conversationId !== conversationId)
    throw invalid(field, "must be the id of a message of the same conversation");
  if (found.state === "failed")
    throw invalid(field, "is a message that failed, so the customer doesn't have it");
  return found;
}

function invalid(field: string, words: string): WaypostError {
  return new WaypostError("validation_failed", { field, message: `\`${field}\` ${words}.` });
}
