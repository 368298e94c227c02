import { procedure } from "@/server/core/procedure";
import { t, type ProcedureMeta } from "@/server/core/trpc";
import { readOrganization } from "./read";
import { renameOrganization, renameOrganizationSchema } from "./rename";
import { setMarketingWords, setMarketingWordsSchema } from "./set-marketing-words";
import { setRetention, setRetentionSchema } from "./set-retention";

const MANAGING = {
  capability: "organization.manage",
  bucket: null,
  status: 200,
  statuses: [200],
  errors: [],
} as const satisfies ProcedureMeta;

export const organizationRouter = t.router({
  current: procedure({ ...MANAGING, capability: "organization.read" }).query(readOrganization),
  rename: procedure(MANAGING).input(renameOrganizationSchema).mutation(renameOrganization),
  setMarketingWords: procedure(MANAGING).input(setMarketingWordsSchema).mutation(setMarketingWords),
  setRetention: procedure(MANAGING).input(setRetentionSchema).mutation(setRetention),
});
