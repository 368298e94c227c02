const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the text can be the id of a key at all. What can't is answered like an unknown one. */
export function isKeyId(text: string): boolean {
  return UUID.test(text);
}
