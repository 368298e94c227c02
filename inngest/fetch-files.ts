import { fetchDueFile } from "@/server/domain/customer-files/fetch";
import { fileDue } from "./events";
import type { Job } from "./job";

/** Fetches a file that a customer sent from the upstream. Its claim prevents conflicts between processes. */
export const fetchFilesJob: Job = {
  id: "fetch-files",
  event: fileDue.name,
  everyMinutes: null,
  concurrencyField: "fileId",
  async run({ services, jobs }, event) {
    const { fileId } = fileDue.schema.parse(event.data);
    jobs.received({ kind: "file", id: fileId });
    await fetchDueFile(services, fileId);
    // The end of this step ends the run, so another process must do it.
    if (services.lifecycle.isStopping()) jobs.notifyFile(fileId);
  },
};
