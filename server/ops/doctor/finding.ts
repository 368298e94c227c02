export const STATES = ["ok", "warn", "fail"] as const;
/** `warn`: it works, and somebody should look. `fail`: it doesn't work, or soon won't. */
export type State = (typeof STATES)[number];

/** One line of the report. Holds no secret and nothing of what customers wrote. */
export interface Finding {
  /** What was looked at, such as `migrations`. */
  readonly what: string;
  readonly state: State;
  /** What was seen. */
  readonly seen: string;
  /** What to do; null where nothing is to be done. */
  readonly remedy: string | null;
}

export const ok = (what: string, seen: string): Finding => ({ what, state: "ok", seen, remedy: null });

export const warn = (what: string, seen: string, remedy: string): Finding => ({
  what,
  state: "warn",
  seen,
  remedy,
});

export const fail = (what: string, seen: string, remedy: string): Finding => ({
  what,
  state: "fail",
  seen,
  remedy,
});

/** The worst of them. */
export function worstOf(states: readonly State[]): State {
  return STATES.findLast((state) => states.includes(state)) ?? "ok";
}

/** How bad an amount is that is better the smaller it is. */
export function graded(amount: number, limits: { readonly warn: number; readonly fail: number }): State {
  if (amount > limits.fail) return "fail";
  return amount > limits.warn ? "warn" : "ok";
}

const UNITS = [
  { name: "days", seconds: 86_400 },
  { name: "h", seconds: 3_600 },
  { name: "min", seconds: 60 },
] as const;

/** A span in the largest unit of which there are at least two, such as `90 s` or `3 min`. */
export function span(seconds: number): string {
  const unit = UNITS.find((candidate) => seconds >= 2 * candidate.seconds);
  return unit
    ? `${Math.floor(seconds / unit.seconds)} ${unit.name}`
    : `${Math.max(0, Math.round(seconds))} s`;
}
