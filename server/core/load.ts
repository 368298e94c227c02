/** Counts requests in progress, so that work that can wait yields to them. */
export interface Load {
  /** Counts a request. Returns a function to call when the response was sent. */
  enter(): () => void;
  /** Returns true if so many requests are in progress that accepting takes priority over sending. */
  readonly isHigh: () => boolean;
  /** Number of requests that a statement waits for, to serve them in one batch. 1 if the load is low. */
  readonly batchSize: () => number;
}

/** More than a healthy process has in progress at a few hundred requests a second. */
const REQUESTS_HIGH = 6;
/**
 * A request runs several statements one after another. Batches of a third of the requests keep both the program and the
 * database busy.
 */
const BATCH_SHARE = 1 / 3;
const BATCH_MAX = 32;

export function createLoad(): Load {
  let requests = 0;
  return {
    enter() {
      requests += 1;
      return () => void (requests -= 1);
    },
    isHigh: () => requests >= REQUESTS_HIGH,
    batchSize: () =>
      requests >= REQUESTS_HIGH ? Math.min(Math.floor(requests * BATCH_SHARE), BATCH_MAX) : 1,
  };
}
