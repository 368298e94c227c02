/** A Redis command: its name, then its arguments. */
export type RedisCommand = readonly [string, ...(string | number)[]];

/** A reply in the form of Upstash's REST protocol. `error` is Redis's own error. */
export type RedisReply = { readonly result: unknown } | { readonly error: string };

/** A connection to Redis. */
export interface RedisLink {
  readonly name: "upstash" | "redis";
  /** The variables that configure it, and its address. Contains no user, password or token. */
  readonly place: string;
  /**
   * Sends one command, at most once. A command whose reply was lost is not sent again, because it may have counted.
   * @throws LinkError if no reply came.
   */
  send(command: RedisCommand): Promise<RedisReply>;
  /** Never throws. */
  close(): Promise<void>;
}

/** Timeout of a limiter's store outside PostgreSQL. */
export const LINK_TIMEOUT_MS = 500;

/** No reply, or an unusable one. The message is for the operator, and contains no address, password or token. */
export class LinkError extends Error {
  override readonly name = "LinkError";
}
