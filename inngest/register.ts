import { serve } from "inngest/edge";
import type { InngestConfig } from "@/server/platform/inngest-config";
import { createLogger } from "@/server/platform/log";
import { createFunctions } from ".";
import { boundedFetch } from "./bounded-fetch";
import { createInngestClient } from "./client";
import type { JobRunner } from "./job";

/** Why an Inngest server hasn't accepted the functions. */
export interface RegistrationError {
  /** The part that needs attention: the connection, `INNGEST_SIGNING_KEY`, or the server. */
  readonly kind: "unreachable" | "key" | "server";
  readonly reason: string;
}

export interface RegisterOptions {
  readonly inngest: InngestConfig;
  readonly runner: Omit<JobRunner, "send">;
  /** The address that the server must call. */
  readonly serveUrl: URL;
  /** Replaces the network. */
  readonly fetch?: typeof fetch | undefined;
}

const WORDS_LENGTH_MAX = 100;

/**
 * Uses the SDK's own registration: `PUT` of its serve handler. The server's response is read in addition, and the SDK's
 * log lines about it are suppressed: they name neither server nor key, and are written at each attempt.
 * @returns null if the server has accepted the functions. Calls must not overlap.
 */
export function createRegister(options: RegisterOptions): () => Promise<RegistrationError | null> {
  const { inngest, runner, serveUrl } = options;
  const received = listening(options.fetch ?? boundedFetch());
  const log = createLogger({ level: "silent" });
  const client = createInngestClient({ inngest, log, fetch: received.fetch });
  const functions = createFunctions(client, runner);
  const { origin: serveOrigin, pathname: servePath } = serveUrl;
  // This handler isn't reachable from outside, so its requests need no signature.
  const handler = serve({ client, functions, serveOrigin, servePath, enableUnauthedSync: true });
  return async () => {
    received.forget();
    // The SDK requires the header, but uses the configured serve address.
    const { status } = await handler(
      new Request(serveUrl, { method: "PUT", headers: { host: serveUrl.host } }),
    );
    return status === 200 ? null : toRegistrationError(received.last());
  };
}

/** A response, or the reason why there was none. */
type ServerAnswer = { readonly status: number; readonly words: string } | string;

function toRegistrationError(received: ServerAnswer | null): RegistrationError {
  if (received === null) return { kind: "server", reason: "it wasn't asked" };
  if (typeof received === "string") return { kind: "unreachable", reason: received };
  const said = `${received.status} ${received.words}`.trim();
  const isRefused = received.status === 401 || received.status === 403;
  return isRefused
    ? { kind: "key", reason: `it refuses INNGEST_SIGNING_KEY: ${said}` }
    : { kind: "server", reason: `it answers ${said}` };
}

function listening(inner: typeof fetch) {
  let received: ServerAnswer | null = null;
  const listened: typeof fetch = async (input, init) => {
    try {
      const answer = await inner(input, init);
      const words = (await answer.clone().text()).trim().slice(0, WORDS_LENGTH_MAX);
      received = { status: answer.status, words };
      return answer;
    } catch (error) {
      received = error instanceof Error ? error.message : "unknown";
      throw error;
    }
  };
  return { fetch: listened, forget: () => void (received = null), last: (): ServerAnswer | null => received };
}
