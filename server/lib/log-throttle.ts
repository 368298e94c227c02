const EVERY_MS = 60_000;
const KEYS_MAX = 1_000;
/** Stands for all keys beyond the most that are remembered. */
const OTHERS = "others";

/**
 * Limits how often a message that outsiders can trigger is logged.
 * @param key what is logged. Of many keys in one minute, those beyond the first thousand count as one.
 * @returns how many were suppressed since the last one; null: don't log now.
 */
export type LogThrottle = (key: string) => number | null;

/** Lets each key through once a minute. */
export function createLogThrottle(now: () => number = () => performance.now()): LogThrottle {
  /** The one logged longest ago comes first. */
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

/** Their counts are lost, which only happens when there are too many keys. */
function forgetOldest(logged: Map<string, LastLogged>, isOver: (one: LastLogged) => boolean): void {
  for (const [key, one] of logged) {
    if (!isOver(one)) return;
    logged.delete(key);
  }
}

const known = new WeakMap<object, LogThrottle>();

/** The throttle of a log: one for all callers. */
export function logThrottleOf(log: object): LogThrottle {
  const own = known.get(log) ?? createLogThrottle();
  known.set(log, own);
  return own;
}
