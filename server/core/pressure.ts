/** How hard this process is pressed by requests, so that work that can wait makes room. */
export interface Pressure {
  /** A request came in; call what it returns when it is answered. */
  enter(): () => void;
  /** So many requests wait for an answer that accepting goes before sending. */
  readonly isHigh: () => boolean;
  /** So many requests are worth waiting for, a moment, before one statement asks for all of them; 1 without pressure. */
  readonly gathered: () => number;
}

/** Far above what a healthy process has under way at some hundred requests a second. */
const REQUESTS_HIGH = 16;
/** Requests pass several statements one after another: a third of them at each keeps program and database both busy. */
const GATHERED_PART = 1 / 3;
const GATHERED_MAX = 32;

export function createPressure(): Pressure {
  let requests = 0;
  return {
    enter() {
      requests += 1;
      return () => void (requests -= 1);
    },
    isHigh: () => requests >= REQUESTS_HIGH,
    gathered: () =>
      requests >= REQUESTS_HIGH ? Math.min(Math.floor(requests * GATHERED_PART), GATHERED_MAX) : 1,
  };
}
