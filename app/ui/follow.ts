const PAUSE_MIN_MS = 1_000;
const PAUSE_MAX_MS = 60_000;
/** Of the time for which nothing has changed. */
const PAUSE_SHARE = 0.1;

interface Looked {
  /** The same object as long as nothing changes, which TanStack Query sees to. */
  readonly data: unknown;
  /** Milliseconds since 1970. */
  readonly dataUpdatedAt: number;
}

/**
 * How long to wait until one thing is looked at again: a second at first, and longer the longer nothing has changed. Between
 * two looks always the same, so that a page that is drawn anew doesn’t put the next one off.
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
