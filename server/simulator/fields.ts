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
