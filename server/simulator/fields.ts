/** Returns a value as an error message may contain it. */
export function shown(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 40) : typeof value;
}

/** A JSON object whose fields are not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the value as an object. Null if it isn't one. */
export function asFields(value: unknown): Fields | null {
  // Every object may be read as a record of unknown values.
  return typeof value === "object" && value !== null ? (value as Fields) : null;
}

/** Returns the objects in a list. Empty if the value is no list. */
export function listOfFields(value: unknown): Fields[] {
  if (!Array.isArray(value)) return [];
  return value.map(asFields).filter((fields) => fields !== null);
}

/** Compares the length in code points. They are counted only if the number of code units doesn't decide. */
export function isLonger(text: string, max: number): boolean {
  if (text.length <= max) return false;
  return text.length > 2 * max || Array.from(text).length > max;
}
