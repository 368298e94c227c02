import type { Inngest } from "inngest";
import type { Logger } from "pino";
import type { Wake } from "@/server/jobs";
import { withinTime } from "@/server/time-limit";
import { callbacksReceived, channelDue } from "./events";

/** The SDK tries five times; nobody who waits for a message waits for all of them. */
const SEND_MAX_MS = 3_000;

/**
 * Sends wake-ups as events to an Inngest server. Never rejects: one that is lost is found by the sweep. They carry no id
 * that deduplicates: Inngest would drop a repeated one for a day, and with it the recovery.
 * @param unsent told of every failure, and why; the log is told of the first of several in a row.
 */
export function wakeSender(options: {
  inngest: Inngest;
  log: Logger;
  unsent: (wakes: readonly Wake[], error: unknown) => void;
}): (wakes: readonly Wake[]) => Promise<void> {
  const { inngest, log, unsent } = options;
  let isFailing = false;
  return async (wakes) => {
    try {
      await withinTime(inngest.send(wakes.map(eventOf)), SEND_MAX_MS);
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, "wake-ups don't reach the Inngest server");
      isFailing = true;
      unsent(wakes, error);
    }
  };
}

export function eventOf(wake: Wake) {
  if (wake.kind === "callbacks") return callbacksReceived.create({ channelId: wake.channelId });
  return channelDue.create({ channelId: wake.channelId }, wake.at === null ? {} : { ts: wake.at.getTime() });
}
