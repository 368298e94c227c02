import { procedure } from "@/server/core/procedure";
import { type ProcedureMeta, t } from "@/server/core/trpc";
import { countAuditInput, countListedAudit, listAudit, listAuditInput } from "./list";
import { auditOptions } from "./options";

const FOR_MEMBERS = {
  capability: "audit.read",
  bucket: null,
  status: 200,
  statuses: [200],
  errors: [],
} as const satisfies ProcedureMeta;

export const auditRouter = t.router({
  list: procedure(FOR_MEMBERS).input(listAuditInput).query(listAudit),
  count: procedure(FOR_MEMBERS).input(countAuditInput).query(countListedAudit),
  options: procedure(FOR_MEMBERS).query(auditOptions),
});
