import { createHash } from "node:crypto";
import { Redis } from "ioredis";
import { systemCodeOf } from "@/server/lib/error-causes";
import { LinkError, type RedisCommand, type RedisLink, type RedisReply } from "./redis-link";

const DEFAULT_PORT = 6379;
const CONNECT_TIMEOUT_MS = 2_000;
/** A connection with waiting commands that receives no data for this long is closed, and its commands fail. */
const SOCKET_TIMEOUT_MS = 2_000;
const RECONNECT_STEP_MS = 100;
const RECONNECT_MS_MAX = 2_000;
const KEEP_ALIVE_MS = 10_000;
/**
 * Maximum number of bytes of an incomplete reply. A reply takes about 20, the server's self-description about 6,000.
 */
const ANSWER_BYTES_MAX = 256 * 1024;

/**
 * Opens a plain Redis or Valkey (`redis://`, `rediss://`). While there is no connection, every command fails
 * immediately. Reconnects without a limit.
 * @param url may contain user, password and database number.
 */
export function openTcpLink(url: string): RedisLink {
  const { protocol, hostname, port } = new URL(url);
  const unreachable = `Redis can't be reached${protocol === "rediss:" ? " over TLS" : ""}`;
  let reason = `${unreachable}: not connected`;
  const client = new Redis(url, {
    connectionName: "waypost-limits",
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    keepAlive: KEEP_ALIVE_MS,
    retryStrategy: (attempt) => Math.min(attempt * RECONNECT_STEP_MS, RECONNECT_MS_MAX),
    // The server has become a replica, so the name now leads to another one.
    reconnectOnError: (error) => error.message.startsWith("READONLY"),
    // Commands that couldn't be sent, or were lost, must not be sent later: their requests were let through long ago.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  });
  client.on("error", (error: Error) => {
    reason = isRedisError(error) ? `Redis refused: ${error.message}` : `${unreachable}: ${wordsOf(error)}`;
  });
  const answers = boundAnswers(client);
  // Waits only for the first connection, because the store isn't considered failed at the start.
  const firstAttempt = new Promise<void>((resolve) => {
    client.once("ready", resolve);
    client.once("close", resolve);
  });
  const withoutFlags = createFlagRemover();
  return {
    name: "redis",
    place: `REDIS_URL (${protocol}//${hostname}:${port || DEFAULT_PORT})`,
    async send(command) {
      await firstAttempt;
      if (client.status !== "ready") throw new LinkError(reason);
      const [name, ...values] = withoutFlags(command);
      try {
        const result = await client.call(name, ...values);
        answers.noteWhole();
        return { result };
      } catch (error) {
        return replyOf(error);
      }
    },
    async close() {
      client.disconnect();
    },
  };
}

/** Closes a connection whose reply grows without a limit. `noteWhole` must be called for each complete reply. */
function boundAnswers(client: Redis): { noteWhole(): void } {
  let bytesUnanswered = 0;
  client.on("connect", () => {
    const { stream } = client;
    bytesUnanswered = 0;
    stream.on("data", (chunk: Buffer) => {
      bytesUnanswered += chunk.length;
      if (bytesUnanswered > ANSWER_BYTES_MAX) stream.destroy(new Error("An answer was too long"));
    });
  });
  return { noteWhole: () => void (bytesUnanswered = 0) };
}

/** @throws LinkError for any error that isn't Redis's reply. */
function replyOf(error: unknown): RedisReply {
  if (isRedisError(error)) return { error: error.message };
  throw new LinkError(`Redis gave no answer: ${wordsOf(error)}`);
}

/** Returns true for an error that Redis replied with, false for one of the connection. */
function isRedisError(error: unknown): error is Error {
  return error instanceof Error && error.name === "ReplyError";
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (error.name === "MaxRetriesPerRequestError") return "the connection broke";
  // The message of a system error contains the address.
  return systemCodeOf(error) ?? error.message;
}

const FLAGS = /^#!lua flags=.*\n/;

/**
 * Removes the flag that the library's scripts begin with. Only Upstash knows it, and Redis refuses it. Without the
 * flag, a script has another hash, so calls by hash are redirected once the script was seen.
 */
function createFlagRemover(): (command: RedisCommand) => RedisCommand {
  const hashes = new Map<unknown, string>();
  return ([name, script, ...values]) => {
    if (name === "evalsha") return [name, hashes.get(script) ?? String(script), ...values];
    if (name !== "eval" || !FLAGS.test(String(script)))
      return script === undefined ? [name] : [name, script, ...values];
    const plain = String(script).replace(FLAGS, "");
    hashes.set(sha1(String(script)), sha1(plain));
    return [name, plain, ...values];
  };
}

function sha1(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}
