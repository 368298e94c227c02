/**
 * Meta's tokens have hundreds of characters. A shorter one could match any text, including the response's own syntax.
 */
const TOKEN_LENGTH_MIN = 16;

/**
 * Removes the token of the request from a response. Meta repeats a malformed token in its error text, which is stored
 * and shown to staff.
 */
export function withoutToken(answer: string, accessToken: string): string {
  return accessToken.length < TOKEN_LENGTH_MIN ? answer : answer.replaceAll(accessToken, "[access token]");
}
