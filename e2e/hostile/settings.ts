/** The number of cases and the seed. Variables can increase the number or repeat a seed. */
export interface HostileSettings {
  readonly cases: number;
  readonly seed: number;
}

const SEED_END = 2 ** 30;

/** Reads `HOSTILE_CASES` and `HOSTILE_SEED`; otherwise returns these, with a random seed if none is given. */
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
