import { procedure } from "@/server/core/procedure";
import { t } from "@/server/core/trpc";
import { getTemplate, getTemplateInput } from "./get";
import { listTemplates, listTemplatesInput, templatePage } from "./list";
import { refreshTemplates, refreshTemplatesInput } from "./refresh";
import { searchTemplates, searchTemplatesInput } from "./search";

const read = { capability: "templates.read", bucket: null, status: 200, statuses: [200] } as const;

export const templatesRouter = t.router({
  list: procedure({
    openapi: {
      method: "GET",
      path: "/templates",
      operationId: "listTemplates",
      summary: "List message templates, with the variables that each needs",
      tags: ["Templates"],
    },
    capability: "templates.read",
    bucket: "read",
    status: 200,
    statuses: [200],
    errors: ["channel_forbidden", "rate_limited"],
  })
    .input(listTemplatesInput)
    .output(templatePage)
    .query(listTemplates),

  search: procedure({ ...read, errors: [] })
    .input(searchTemplatesInput)
    .query(searchTemplates),

  get: procedure({ ...read, errors: ["template_not_found"] })
    .input(getTemplateInput)
    .query(getTemplate),

  refresh: procedure({ ...read, errors: [] })
    .input(refreshTemplatesInput)
    .mutation(refreshTemplates),
});
