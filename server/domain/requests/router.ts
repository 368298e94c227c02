import { procedure } from "@/server/core/procedure";
import { t, type ProcedureMeta } from "@/server/core/trpc";
import { listRefusals } from "./refusals";
import { getRequest } from "./get";
import { listRequests } from "./list";
import { getRequestSchema, listRequestsSchema } from "./schemas";

/** For members only: a key learns the reason from the error response itself. */
const FOR_MEMBERS = {
  capability: "requests.read",
  bucket: null,
  status: 200,
  statuses: [200],
  errors: [],
} as const satisfies ProcedureMeta;

export const requestsRouter = t.router({
  list: procedure({ ...FOR_MEMBERS, errors: ["key_not_found"] })
    .input(listRequestsSchema)
    .query(listRequests),
  refusals: procedure(FOR_MEMBERS).query(listRefusals),
  get: procedure({ ...FOR_MEMBERS, errors: ["request_not_found"] })
    .input(getRequestSchema)
    .query(getRequest),
});
