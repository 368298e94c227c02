import { procedure } from "@/server/core/procedure";
import { t } from "@/server/core/trpc";
import { threadOutput } from "@/server/domain/conversations/thread";
import { getThread, getThreadInput } from "./get";
import { listThreads, listThreadsInput, threadPage } from "./list";

export const threadsRouter = t.router({
  list: procedure({
    openapi: {
      method: "GET",
      path: "/threads",
      operationId: "listThreads",
      summary: "List conversations, those with the newest message first",
      description:
        "A conversation that gets a message while you read the pages moves to the front. To follow all messages, use " +
        "`GET /messages` with `updated_since`, or webhooks. Conversations with erased contacts aren't listed, nor those " +
        "that continue in another conversation because their contact was merged.",
      tags: ["Conversations"],
    },
    capability: "messages.read",
    bucket: "read",
    status: 200,
    statuses: [200],
    errors: ["channel_forbidden", "rate_limited"],
  })
    .input(listThreadsInput)
    .output(threadPage)
    .query(listThreads),

  get: procedure({
    openapi: {
      method: "GET",
      path: "/threads/{thread_id}",
      operationId: "getThread",
      summary: "Get a conversation and its customer service window",
      description:
        "The id of a conversation that continues in another one, because its contact was merged, returns that one. " +
        "Conversations with erased contacts aren't found.",
      tags: ["Conversations"],
    },
    capability: "messages.read",
    bucket: "read",
    status: 200,
    statuses: [200],
    errors: ["thread_not_found", "rate_limited"],
  })
    .input(getThreadInput)
    .output(threadOutput)
    .query(getThread),
});
