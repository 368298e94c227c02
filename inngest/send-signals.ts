import type { Inngest } from "inngest";
import type { Logger } from "pino";
import type { JobSignal } from "@/server/core/jobs";
import { withinTime } from "@/server/lib/time-limit";
import { createOutageLog, type OutageLogWords } from "@/server/lib/outage-log";
import { callbacksReceived, channelDue, fileDue, marksDue, webhookDue } from "./events";

/** The SDK makes five attempts. No caller that waits for a message waits for all of them. */
const SEND_MAX_MS = 3_000;

const WORDS: OutageLogWords = {
  level: "warn",
  fails: "wake-ups don't reach the Inngest server",
  isOver: "wake-ups reach the Inngest server again",
  counted: "wakes",
};

/**
 * Sends job signals as events to an Inngest server. Never rejects: the sweep finds the work of a lost signal. The
 * events have no id for deduplication, because Inngest would drop a repeated one for a day, and with it the recovery.
 * @param unsent receives every failure; returns whether it is logged elsewhere. Otherwise the log gets a line when
 * sending begins to fail, and one when it works again.
 */
export function createSignalSender(options: {
  inngest: Inngest;
  log: Logger;
  /** The server's name in the log. */
  server: string;
  unsent: (signals: readonly JobSignal[], error: unknown) => boolean;
}): (signals: readonly JobSignal[]) => Promise<void> {
  const { inngest, log, server, unsent } = options;
  const outageLog = createOutageLog(log, WORDS, { server });
  return async (signals) => {
    try {
      await withinTime(inngest.send(signals.map(eventOf)), SEND_MAX_MS);
      outageLog.answered();
    } catch (error) {
      if (!unsent(signals, error)) outageLog.failed(error, signals.length);
    }
  };
}

export function eventOf({ kind, id, at }: JobSignal) {
  const options = at === null ? {} : { ts: at.getTime() };
  switch (kind) {
    case "channel":
      return channelDue.create({ channelId: id }, options);
    case "callbacks":
      return callbacksReceived.create({ channelId: id }, options);
    case "marks":
      return marksDue.create({ channelId: id }, options);
    case "endpoint":
      return webhookDue.create({ endpointId: id }, options);
    case "file":
      return fileDue.create({ fileId: id }, options);
  }
}
