import { syncAllTemplates } from "@/server/domain/templates/claim";
import type { Job } from "./job";

/** Reads every channel's templates from the upstream, because callbacks about their states can be lost. */
export const syncTemplatesJob: Job = {
  id: "sync-templates",
  event: null,
  everyMinutes: 10,
  concurrencyField: null,
  run: ({ services }) => syncAllTemplates(services),
};
