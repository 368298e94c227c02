/** Codes of postgres.js and Node for a connection that failed or broke. */
const CONNECTION_CODES = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
]);

/** SQLSTATEs of a server that is stopping, starting or full (PostgreSQL documentation, appendix A). */
const UNAVAILABLE_STATES = /^(08|57P0[1-5]|53[0-9A-Z]{3}|25006)/;

const RETRYABLE_STATES = new Set(["40001", "40P01"]);

function codeOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null) return null;
  if ("code" in error && typeof error.code === "string") return error.code;
  return "cause" in error ? codeOf(error.cause) : null;
}

/**
 * Returns true if the database is unavailable or the connection broke. It is unknown whether the statement took effect.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  return code !== null && (CONNECTION_CODES.has(code) || UNAVAILABLE_STATES.test(code));
}

/**
 * Returns true for a deadlock or a serialization failure: the transaction had no effect, and may succeed when it is
 * retried.
 */
function isRetryableConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code !== null && RETRYABLE_STATES.has(code);
}

const CONFLICT_TRIES_MAX = 5;

/** Retries a transaction after a deadlock or a serialization failure. Its body must have no effect outside of it. */
export async function retryOnConflict<T>(transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction();
    } catch (error) {
      if (!isRetryableConflict(error) || tries >= CONFLICT_TRIES_MAX) throw error;
    }
  }
}
