import type { Inngest } from "inngest";
import type { Logger } from "pino";
import type { Wake } from "@/server/core/jobs";
import { withinTime } from "@/server/lib/time-limit";
import { createTrouble, type TroubleWords } from "@/server/lib/trouble";
import { callbacksReceived, channelDue, webhookDue } from "./events";

/** The SDK tries five times; nobody who waits for a message waits for all of them. */
const SEND_MAX_MS = 3_000;

const WORDS: TroubleWords = {
  level: "warn",
  fails: "wake-ups don't reach the Inngest server",
  isOver: "wake-ups reach the Inngest server again",
  counted: "wakes",
};

/**
 * Sends wake-ups as events to an Inngest server. Never rejects: one that is lost is found by the sweep. They carry no id
 * that deduplicates: Inngest would drop a repeated one for a day, and with it the recovery.
 * @param unsent told of every failure, and why; answers whether the log is told of it elsewhere. Where it isn't, it is
 * told when wake-ups begin to fail, and when that is over.
 */
export function wakeSender(options: {
  inngest: Inngest;
  log: Logger;
  /** As the log names it. */
  server: string;
  unsent: (wakes: readonly Wake[], error: unknown) => boolean;
}): (wakes: readonly Wake[]) => Promise<void> {
  const { inngest, log, server, unsent } = options;
  const trouble = createTrouble(log, WORDS, { server });
  return async (wakes) => {
    try {
      await withinTime(inngest.send(wakes.map(eventOf)), SEND_MAX_MS);
      trouble.answered();
    } catch (error) {
      if (!unsent(wakes, error)) trouble.failed(error, wakes.length);
    }
  };
}

export function eventOf({ kind, id, at }: Wake) {
  const options = at === null ? {} : { ts: at.getTime() };
  switch (kind) {
    case "channel":
      return channelDue.create({ channelId: id }, options);
    case "callbacks":
      return callbacksReceived.create({ channelId: id }, options);
    case "endpoint":
      return webhookDue.create({ endpointId: id }, options);
  }
}
