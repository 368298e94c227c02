const EVERY_MS = 60_000;
const KEYS_MAX = 1_000;
/** Key for all keys beyond the maximum number. */
const OTHERS = "others";

/**
 * Limits how often a message that outsiders can trigger is logged.
 * @param key identifies the message. In each minute, all keys beyond the first thousand count as one.
 * @returns how many messages were suppressed since the last one. Null: don't log now.
 */
export type LogThrottle = (key: string) => number | null;

/** Allows each key once a minute. */
export function createLogThrottle(now: () => number = () => performance.now()): LogThrottle {
  /** In the order of logging, oldest first. */
  const logged = new Map<string, LastLogged>();
  const isOver = ({ atMs }: LastLogged) => now() - atMs >= EVERY_MS;
  return (key) => {
    if (logged.size >= KEYS_MAX) forgetOldest(logged, isOver);
    const name = logged.has(key) || logged.size < KEYS_MAX ? key : OTHERS;
    const last = logged.get(name);
    if (last !== undefined && !isOver(last)) {
      last.suppressed += 1;
      return null;
    }
    logged.delete(name);
    logged.set(name, { atMs: now(), suppressed: 0 });
    return last?.suppressed ?? 0;
  };
}

interface LastLogged {
  readonly atMs: number;
  suppressed: number;
}

/** Forgets the oldest keys. Their counts are lost, which only happens if there are too many keys. */
function forgetOldest(logged: Map<string, LastLogged>, isOver: (one: LastLogged) => boolean): void {
  for (const [key, one] of logged) {
    if (!isOver(one)) return;
    logged.delete(key);
  }
}

const known = new WeakMap<object, LogThrottle>();

/** Returns the throttle of a log, shared by all callers. */
export function logThrottleOf(log: object): LogThrottle {
  const own = known.get(log) ?? createLogThrottle();
  known.set(log, own);
  return own;
}
