/** The beginning of an API key, wherever it stands. */
const SECRET = /ak_live_/i;

/** Whether a text has an API key in it, whole or in part. It is a secret: it goes into no address. */
export function holdsSecret(text: string): boolean {
  return SECRET.test(text);
}
