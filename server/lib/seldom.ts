const EVERY_MS = 60_000;

/**
 * Whether something that strangers can bring about as often as they like is told now.
 * @param key what is told; from a closed set, since each is remembered.
 * @returns how often it happened untold since it was told last; null: not now.
 */
export type Seldom = (key: string) => number | null;

/** Lets each key through once a minute. */
export function createSeldom(now: () => number = () => performance.now()): Seldom {
  const told = new Map<string, { readonly atMs: number; untold: number }>();
  return (key) => {
    const last = told.get(key);
    if (last !== undefined && now() - last.atMs < EVERY_MS) {
      last.untold += 1;
      return null;
    }
    told.set(key, { atMs: now(), untold: 0 });
    return last?.untold ?? 0;
  };
}

const known = new WeakMap<object, Seldom>();

/** The one of a log, whoever asks. */
export function seldomOf(log: object): Seldom {
  const own = known.get(log) ?? createSeldom();
  known.set(log, own);
  return own;
}
