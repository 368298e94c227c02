const PAUSE_MIN_MS = 1_000;
const PAUSE_MAX_MS = 60_000;
/** Share of the time without a change. */
const PAUSE_SHARE = 0.1;

interface Looked {
  /** Keeps its identity while the data is unchanged: TanStack Query guarantees that. */
  readonly data: unknown;
  /** Milliseconds since 1970. */
  readonly dataUpdatedAt: number;
}

/**
 * Returns the polling interval for one item: a second at first, and longer the longer nothing has changed. The interval
 * stays the same between two polls, so that rendering the page again doesn’t postpone the next one.
 */
export function createFollower(): (looked: Looked) => number {
  let seen: unknown;
  let changedAt = 0;
  return ({ data, dataUpdatedAt }) => {
    if (data !== seen) {
      seen = data;
      changedAt = dataUpdatedAt;
    }
    const pauseMs = (dataUpdatedAt - changedAt) * PAUSE_SHARE;
    return Math.min(Math.max(pauseMs, PAUSE_MIN_MS), PAUSE_MAX_MS);
  };
}
