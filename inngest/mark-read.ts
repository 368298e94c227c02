import { handOverMarks } from "@/server/domain/messages/marks/hand-over-marks";
import { marksDue } from "./events";
import type { Job } from "./job";

/** Tells the upstream what was marked as read on one channel. It never waits for the channel's messages. */
export const markReadJob: Job = {
  id: "mark-read",
  event: marksDue.name,
  everyMinutes: null,
  concurrencyField: "channelId",
  async run({ services, jobs }, event) {
    const { channelId } = marksDue.schema.parse(event.data);
    jobs.received({ kind: "marks", id: channelId });
    await handOverMarks(services, channelId);
    // The end of this step ends the run, so another process must do the rest.
    if (services.lifecycle.isStopping()) jobs.notifyMarks(channelId);
  },
};
