/** A Redis command: its name, then its arguments. */
export type RedisCommand = readonly [string, ...(string | number)[]];

/** As Upstash's REST protocol words it; `error` is what Redis itself answered. */
export type RedisReply = { readonly result: unknown } | { readonly error: string };

/** A way to a Redis. */
export interface RedisLink {
  readonly name: "upstash" | "redis";
  /** Which variables name it, and its address. No user, password or token. */
  readonly place: string;
  /**
   * Sends one command, at most once: a command whose answer was lost is not sent again, since it may have counted.
   * @throws LinkError when no answer came.
   */
  send(command: RedisCommand): Promise<RedisReply>;
  /** Never throws. */
  close(): Promise<void>;
}

/** How long a limiter's store beyond PostgreSQL is waited for. */
export const LINK_TIMEOUT_MS = 500;

/** No answer, or none that is of use. The message is for the operator, and names no address, password or token. */
export class LinkError extends Error {
  override readonly name = "LinkError";
}
