/**
 * The port that verbs call after their commit. Rows are the truth and these are only wake-ups: a lost one is found
 * by the sweep, so nothing here waits, throws or is retried (design section 1).
 */
export interface Jobs {
  /** Messages of the channel are due now, or will be at `at`. */
  wakeChannel(channelId: string, at?: Date): void;
  /** Raw callbacks wait to be processed. */
  wakeCallbacks(): void;
}
