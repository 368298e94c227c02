import { drainChannel } from "@/server/domain/messages/deliver/drain";
import { channelDue } from "./events";
import type { Job } from "./job";

/** Sends due messages of one channel to the upstream. Claims prevent conflicts between processes. */
export const drainChannelJob: Job = {
  id: "drain-channel",
  event: channelDue.name,
  everyMinutes: null,
  concurrencyField: "channelId",
  async run({ services, jobs }, event) {
    const { channelId } = channelDue.schema.parse(event.data);
    jobs.received({ kind: "channel", id: channelId });
    await drainChannel(services, channelId);
    // The end of this step ends the run, so another process must do the rest.
    if (services.lifecycle.isStopping()) jobs.notifyChannel(channelId);
  },
};
