let aheadMs = 0;

/**
 * The time of day of this process. It is the machine's, except in a demo whose clock was moved: then it is ahead by as
 * much as the database's. Use the machine's own time (`Date`) for what others compare with their clocks, such as the
 * time of a signature, and for people's sessions.
 */
export const wallClock = {
  nowMs: () => Date.now() + aheadMs,
  now: () => new Date(wallClock.nowMs()),
  aheadMs: () => aheadMs,
  setAheadMs(ms: number): void {
    aheadMs = ms;
  },
};
