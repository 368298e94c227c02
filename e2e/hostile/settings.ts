/** How much is tried, and from which seed: more, or the same once more, by variables. */
export interface HostileSettings {
  readonly cases: number;
  readonly seed: number;
}

const SEED_END = 2 ** 30;

/** `HOSTILE_CASES` and `HOSTILE_SEED`; else these, with a seed that nobody knows where none is given. */
export function hostileSettings({ cases, seed }: { cases: number; seed?: number }): HostileSettings {
  return {
    cases: numberFrom("HOSTILE_CASES") ?? cases,
    seed: numberFrom("HOSTILE_SEED") ?? seed ?? Math.floor(Math.random() * SEED_END),
  };
}

function numberFrom(name: string): number | null {
  const text = process.env[name];
  if (text === undefined || text === "") return null;
  if (!/^[0-9]{1,9}$/.test(text)) throw new Error(`${name} must be a whole number, not "${text}"`);
  return Number(text);
}
