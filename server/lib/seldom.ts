const EVERY_MS = 60_000;
const KEYS_MAX = 1_000;
/** Stands for all keys beyond the most that are remembered. */
const OTHERS = "others";

/**
 * Whether something that strangers can bring about as often as they like is told now.
 * @param key what is told. Of many keys in one minute, those beyond the first thousand are taken for one.
 * @returns how often it happened untold since it was told last; null: not now.
 */
export type Seldom = (key: string) => number | null;

/** Lets each key through once a minute. */
export function createSeldom(now: () => number = () => performance.now()): Seldom {
  /** Those told longest ago come first. */
  const told = new Map<string, Told>();
  const isOver = ({ atMs }: Told) => now() - atMs >= EVERY_MS;
  return (key) => {
    if (told.size >= KEYS_MAX) forgetOldest(told, isOver);
    const name = told.has(key) || told.size < KEYS_MAX ? key : OTHERS;
    const last = told.get(name);
    if (last !== undefined && !isOver(last)) {
      last.untold += 1;
      return null;
    }
    told.delete(name);
    told.set(name, { atMs: now(), untold: 0 });
    return last?.untold ?? 0;
  };
}

interface Told {
  readonly atMs: number;
  untold: number;
}

/** Their counts are lost, which happens only while there are too many to tell them all. */
function forgetOldest(told: Map<string, Told>, isOver: (one: Told) => boolean): void {
  for (const [key, one] of told) {
    if (!isOver(one)) return;
    told.delete(key);
  }
}

const known = new WeakMap<object, Seldom>();

/** The one of a log, whoever asks. */
export function seldomOf(log: object): Seldom {
  const own = known.get(log) ?? createSeldom();
  known.set(log, own);
  return own;
}
