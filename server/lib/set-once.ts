/** A value that is set once, after the code that reads it was created. */
export interface SetOnce<T> {
  /** Returns null until it is set. */
  readonly get: () => T | null;
  /** @throws Error until it is set. */
  readonly require: () => T;
  readonly set: (value: T) => void;
}

export function createSetOnce<T extends object | string>(): SetOnce<T> {
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
