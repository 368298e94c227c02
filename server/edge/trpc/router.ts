import { z } from "zod";
import { accountRouter } from "@/server/domain/account/router";
import { auditRouter } from "@/server/domain/audit/router";
import { channelsRouter } from "@/server/domain/channels/router";
import { inboxRouter } from "@/server/domain/inbox/router";
import { contactsRouter } from "@/server/domain/contacts/router";
import { erasureRouter } from "@/server/domain/erasure/router";
import { ping, pingOutput } from "@/server/domain/keys/ping";
import { keysRouter } from "@/server/domain/keys/router";
import { messagesRouter } from "@/server/domain/messages/router";
import { membersRouter } from "@/server/domain/members/router";
import { phoneRouter } from "@/server/domain/phone/router";
import { organizationRouter } from "@/server/domain/organizations/router";
import { requestsRouter } from "@/server/domain/requests/router";
import { uploadsRouter } from "@/server/domain/uploads/router";
import { supportRouter } from "@/server/domain/support/router";
import { setupRouter } from "@/server/domain/setup/router";
import { templatesRouter } from "@/server/domain/templates/router";
import { threadsRouter } from "@/server/domain/threads/router";
import { usageRouter } from "@/server/domain/usage/router";
import { webhooksRouter } from "@/server/domain/webhooks/router";
import { procedure } from "@/server/core/procedure";
import { t } from "@/server/core/trpc";

export const appRouter = t.router({
  ping: procedure({
    openapi: {
      method: "GET",
      path: "/ping",
      operationId: "ping",
      summary: "Check a key and see what it may do",
      tags: ["Keys"],
    },
    capability: "authenticated",
    bucket: "read",
    status: 200,
    statuses: [200],
    errors: ["rate_limited"],
  })
    .input(z.strictObject({}))
    .output(pingOutput)
    .query(ping),
  account: accountRouter,
  audit: auditRouter,
  channels: channelsRouter,
  contacts: t.mergeRouters(contactsRouter, erasureRouter),
  conversations: supportRouter,
  inbox: inboxRouter,
  keys: keysRouter,
  messages: messagesRouter,
  members: membersRouter,
  organization: organizationRouter,
  phone: phoneRouter,
  setup: setupRouter,
  requests: requestsRouter,
  templates: templatesRouter,
  threads: threadsRouter,
  uploads: uploadsRouter,
  usage: usageRouter,
  webhooks: webhooksRouter,
});

export type AppRouter = typeof appRouter;
