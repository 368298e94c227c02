/** Counts requests in progress, so that work that can wait makes room for them. */
export interface Load {
  /** Counts a request. Returns a function to call when it is answered. */
  enter(): () => void;
  /** True when so many requests are in progress that accepting goes before sending. */
  readonly isHigh: () => boolean;
  /** For how many requests a statement waits a moment, to serve them together. 1 when the load is low. */
  readonly batchSize: () => number;
}

/** Far above what a healthy process has in progress at some hundred requests a second. */
const REQUESTS_HIGH = 16;
/**
 * A request runs several statements one after another: a third of the requests at each keeps program and database
 * busy.
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
