/** Codes of postgres.js and Node for a connection that couldn't be made, or that broke. */
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

/** SQLSTATEs of a server that is going, coming or full (PostgreSQL documentation, appendix A). */
const UNAVAILABLE_STATES = /^(08|57P0[1-5]|53[0-9A-Z]{3}|25006)/;

const RETRYABLE_STATES = new Set(["40001", "40P01"]);

function codeOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null) return null;
  if ("code" in error && typeof error.code === "string") return error.code;
  return "cause" in error ? codeOf(error.cause) : null;
}

/** The database can't be reached now, or the connection broke: whether the statement took effect is not known. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  return code !== null && (CONNECTION_CODES.has(code) || UNAVAILABLE_STATES.test(code));
}

/** A deadlock or serialisation failure: the transaction had no effect, and may succeed when run again. */
function isRetryableConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code !== null && RETRYABLE_STATES.has(code);
}

const CONFLICT_TRIES_MAX = 5;

/** Runs a transaction again after a deadlock or serialisation failure. Its body must have no effect outside of it. */
export async function retryOnConflict<T>(transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction();
    } catch (error) {
      if (!isRetryableConflict(error) || tries >= CONFLICT_TRIES_MAX) throw error;
    }
  }
}
