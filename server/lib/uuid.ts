const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the text can be an id at all. What can't is answered like an unknown one: PostgreSQL would refuse to look. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Before every other (RFC 9562 section 5.9). */
export const NIL_UUID = "00000000-0000-0000-0000-000000000000";
