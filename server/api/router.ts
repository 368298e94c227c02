import { z } from "zod";
import { channelsRouter } from "../channels/router";
import { ping, pingOutput } from "../keys/ping";
import { keysRouter } from "../keys/router";
import { messagesRouter } from "../messages/router";
import { uploadsRouter } from "../uploads/router";
import { templatesRouter } from "../templates/router";
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
  channels: channelsRouter,
  keys: keysRouter,
  messages: messagesRouter,
  templates: templatesRouter,
  uploads: uploadsRouter,
});

export type AppRouter = typeof appRouter;
