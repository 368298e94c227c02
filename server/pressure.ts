/** How hard this process is pressed by requests, so that work that can wait makes room. */
export interface Pressure {
  /** A request came in; call what it returns when it is answered. */
  enter(): () => void;
  /** So many requests wait for an answer that accepting goes before sending. */
  readonly isHigh: () => boolean;
}

/** Far above what a healthy process has under way at some hundred requests a second. */
const REQUESTS_HIGH = 16;

export function createPressure(): Pressure {
  let requests = 0;
  return {
    enter() {
      requests += 1;
      return () => void (requests -= 1);
    },
    isHigh: () => requests >= REQUESTS_HIGH,
  };
}
