/** The prefix of an API key, anywhere in the text. */
const SECRET = /ak_live_/i;

/** Returns whether a text contains an API key, whole or in part. A key is a secret and must not go into a URL. */
export function holdsSecret(text: string): boolean {
  return SECRET.test(text);
}
