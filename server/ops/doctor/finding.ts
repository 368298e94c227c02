export const STATES = ["ok", "warn", "fail"] as const;
/** `warn`: it works, but needs attention. `fail`: it doesn't work, or soon won't. */
export type State = (typeof STATES)[number];

/** One line of the report. Contains no secret and no content from customers. */
export interface Finding {
  /** The checked part, such as `migrations`. */
  readonly what: string;
  readonly state: State;
  /** The observed state. */
  readonly seen: string;
  /** What to do. Null if there is nothing to do. */
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

/** Returns the worst state. */
export function worstOf(states: readonly State[]): State {
  return STATES.findLast((state) => states.includes(state)) ?? "ok";
}

/** Rates an amount. Smaller amounts are better. */
export function graded(amount: number, limits: { readonly warn: number; readonly fail: number }): State {
  if (amount > limits.fail) return "fail";
  return amount > limits.warn ? "warn" : "ok";
}

const UNITS = [
  { name: "days", seconds: 86_400 },
  { name: "h", seconds: 3_600 },
  { name: "min", seconds: 60 },
] as const;

/** Formats a duration in the largest unit of which there are at least two, such as `90 s` or `3 min`. */
export function span(seconds: number): string {
  const unit = UNITS.find((candidate) => seconds >= 2 * candidate.seconds);
  return unit
    ? `${Math.floor(seconds / unit.seconds)} ${unit.name}`
    : `${Math.max(0, Math.round(seconds))} s`;
}
