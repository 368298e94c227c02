import { z } from "zod";
import { accountRouter } from "../account/router";
import { auditRouter } from "../audit/router";
import { channelsRouter } from "../channels/router";
import { inboxRouter } from "../demo/inbox/router";
import { contactsRouter } from "../contacts/router";
import { ping, pingOutput } from "../keys/ping";
import { keysRouter } from "../keys/router";
import { messagesRouter } from "../messages/router";
import { membersRouter } from "../members/router";
import { organizationRouter } from "../organizations/router";
import { requestsRouter } from "../requests/router";
import { uploadsRouter } from "../uploads/router";
import { setupRouter } from "../setup/router";
import { templatesRouter } from "../templates/router";
import { usageRouter } from "../usage/router";
import { webhooksRouter } from "../webhooks/router";
import { procedure } from "./procedure";
import { t } from "./trpc";

export const appRouter = t.router({
  ping: procedure({
    openapi: { method: "GET", path: "/ping", summary: "Check a key and see what it may do", tags: ["Keys"] },
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
  contacts: contactsRouter,
  inbox: inboxRouter,
  keys: keysRouter,
  messages: messagesRouter,
  members: membersRouter,
  organization: organizationRouter,
  setup: setupRouter,
  requests: requestsRouter,
  templates: templatesRouter,
  uploads: uploadsRouter,
  usage: usageRouter,
  webhooks: webhooksRouter,
});

export type AppRouter = typeof appRouter;
