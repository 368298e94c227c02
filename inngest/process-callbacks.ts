import { processCallbacks } from "@/server/domain/callbacks/process";
import { callbacksReceived } from "./events";
import type { Job } from "./job";

/** Merges one channel's stored callbacks into messages and conversations. Channels never wait for each other. */
export const processCallbacksJob: Job = {
  id: "process-callbacks",
  event: callbacksReceived.name,
  everyMinutes: null,
  concurrencyField: "channelId",
  async run({ services, jobs }, event) {
    const { channelId } = callbacksReceived.schema.parse(event.data);
    jobs.received({ kind: "callbacks", id: channelId });
    const isMoreDue = await processCallbacks(services, channelId);
    // The end of this step ends the run, so another process must do the rest.
    if (isMoreDue || services.lifecycle.isStopping()) jobs.notifyCallbacks(channelId);
  },
};
