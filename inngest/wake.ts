import type { Inngest } from "inngest";
import type { Logger } from "pino";
import type { Wake } from "@/server/jobs";
import { callbacksReceived, channelDue } from "./events";

/**
 * Sends wake-ups as events. Never rejects: one that is lost is found by the sweep. They carry no id that deduplicates:
 * Inngest would drop a repeated one for a day, and with it the recovery.
 */
export function wakeSender(inngest: Inngest, log: Logger): (wakes: readonly Wake[]) => Promise<void> {
  return async (wakes) => {
    try {
      await inngest.send(wakes.map(eventOf));
    } catch (error) {
      log.warn(
        { err: error, wakes: wakes.length },
        "wake-ups could not be sent; the sweep finds what they were for",
      );
    }
  };
}

function eventOf(wake: Wake) {
  if (wake.kind === "callbacks") return callbacksReceived.create({ channelId: wake.channelId });
  return channelDue.create({ channelId: wake.channelId }, wake.at === null ? {} : { ts: wake.at.getTime() });
}
