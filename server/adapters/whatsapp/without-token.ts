/** Meta's tokens have hundreds of characters; a shorter one could be a part of anything, and of the answer's form. */
const TOKEN_LENGTH_MIN = 16;

/**
 * An answer freed of the token that it was asked for with: Meta repeats a malformed one in its words, which are stored
 * and shown to staff.
 */
export function withoutToken(answer: string, accessToken: string): string {
  return accessToken.length < TOKEN_LENGTH_MIN ? answer : answer.replaceAll(accessToken, "[access token]");
}
