import { procedure } from "@/server/core/procedure";
import { type ProcedureMeta, t } from "@/server/core/trpc";
import { getReceived, getReceivedSchema } from "./get";
import { listInbox } from "./list";

const FOR_MEMBERS = {
  capability: "webhooks.manage",
  bucket: null,
  status: 200,
  statuses: [200],
  errors: [],
} as const satisfies ProcedureMeta;

export const inboxRouter = t.router({
  list: procedure(FOR_MEMBERS).query(listInbox),
  get: procedure({ ...FOR_MEMBERS, errors: ["webhook_delivery_not_found"] })
    .input(getReceivedSchema)
    .query(getReceived),
});
