import { procedure } from "@/server/core/procedure";
import { type ProcedureMeta, t } from "@/server/core/trpc";
import { SEND_ERRORS } from "@/server/domain/messages/router";
import { answerConversation, answerInput } from "./answer";
import { assignConversation, assignConversationInput } from "./assign";
import { listAssignees, listAssigneesInput } from "./assignees";
import { conversationIdInput, getConversation } from "./get";
import { listConversations, listConversationsInput } from "./list";
import { addNote, addNoteInput } from "./note";
import { closeConversation, reopenConversation } from "./set-status";
import { readConversationTimeline, timelineInput } from "./timeline";

type Errors = ProcedureMeta["errors"];

/** For members only: none of these is a route of the public API. */
const forMembers = (capability: "messages.read" | "messages.send", errors: Errors) =>
  procedure({ capability, bucket: null, status: 200, statuses: [200], errors });

const reading = (errors: Errors) => forMembers("messages.read", errors);
const acting = (errors: Errors) => forMembers("messages.send", errors);

export const supportRouter = t.router({
  list: reading(["channel_forbidden"]).input(listConversationsInput).query(listConversations),
  get: reading(["thread_not_found"]).input(conversationIdInput).query(getConversation),
  timeline: reading(["thread_not_found"]).input(timelineInput).query(readConversationTimeline),
  assignees: reading([]).input(listAssigneesInput).query(listAssignees),
  answer: acting(["message_not_found", ...SEND_ERRORS])
    .input(answerInput)
    .mutation(answerConversation),
  note: acting(["thread_not_found", "idempotency_key_reused"]).input(addNoteInput).mutation(addNote),
  close: acting(["thread_not_found"]).input(conversationIdInput).mutation(closeConversation),
  reopen: acting(["thread_not_found"]).input(conversationIdInput).mutation(reopenConversation),
  assign: acting(["thread_not_found", "member_not_found"])
    .input(assignConversationInput)
    .mutation(assignConversation),
});
