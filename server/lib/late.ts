/** A value that is set once, after those who read it were created. */
export interface Late<T> {
  /** Null until it is set. */
  readonly get: () => T | null;
  /** @throws Error until it is set. */
  readonly require: () => T;
  readonly set: (value: T) => void;
}

export function createLate<T extends object | string>(): Late<T> {
  let current: T | null = null;
  return {
    get: () => current,
    require: () => {
      if (current === null) throw new Error("The value is read before it is set");
      return current;
    },
    set: (value) => {
      current = value;
    },
  };
}
