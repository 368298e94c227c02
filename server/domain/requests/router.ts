import { procedure } from "@/server/core/procedure";
import { t, type ProcedureMeta } from "@/server/core/trpc";
import { listRefusals } from "./refusals";
import { getRequest } from "./get";
import { countListedRequests, listRequests } from "./list";
import { filterSchema, getRequestSchema, listRequestsSchema, summarizeRequestsSchema } from "./schemas";
import { summarizeRequests } from "./summary";

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
  count: procedure({ ...FOR_MEMBERS, errors: ["key_not_found"] })
    .input(filterSchema)
    .query(countListedRequests),
  summary: procedure({ ...FOR_MEMBERS, errors: ["key_not_found"] })
    .input(summarizeRequestsSchema)
    .query(summarizeRequests),
  refusals: procedure(FOR_MEMBERS).query(listRefusals),
  get: procedure({ ...FOR_MEMBERS, errors: ["request_not_found"] })
    .input(getRequestSchema)
    .query(getRequest),
});
