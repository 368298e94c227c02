import { procedure } from "../api/procedure";
import { t } from "../api/trpc";
import { listTemplates, listTemplatesInput, templatePage } from "./list";

export const templatesRouter = t.router({
  list: procedure({
    openapi: {
      method: "GET",
      path: "/templates",
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
});
