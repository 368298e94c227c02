const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns true if the text has the form of an id. Callers treat other text like an unknown id, because PostgreSQL would
 * raise an error.
 */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Sorts before every other UUID (RFC 9562 section 5.9). */
export const NIL_UUID = "00000000-0000-0000-0000-000000000000";

/** Sorts after every other UUID (RFC 9562 section 5.10). */
export const MAX_UUID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
