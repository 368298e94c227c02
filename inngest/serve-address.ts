import { createHmac } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { z } from "zod";
import type { InngestConfig } from "@/server/platform/inngest-config";
import { boundedFetch } from "./bounded-fetch";
import { SIGNATURE } from "./served";

/** The address that an Inngest server was told to call, and whether this installation's functions are served there. */
export interface ServeAddress {
  /** Checks until the result is known. Logs if another service responds there. */
  begin(): void;
  /** Checks once more. */
  check(): Promise<void>;
  /** Describes the latest result. Null before the first check. */
  found(): string | null;
  stop(): Promise<void>;
}

export interface ServeAddressOptions {
  readonly inngest: Pick<InngestConfig, "isDev" | "signingKey">;
  readonly url: URL;
  readonly log: Logger;
  readonly fetch?: typeof fetch | undefined;
  readonly everyMs?: number;
}

const EVERY_MS = 2_000;
/** A load balancer in front of the processes may take this many checks to notice this process. */
const CHECKS_MAX = 5;

const OURS = "these functions, as seen from here";

/** The SDK handler's description of itself. */
const introspectionSchema = z.object({ function_count: z.number() });

/**
 * Requests the address as the server does, signed with the same key: only a process that also has the key signs its
 * response. The check runs in this process, which may be on another network than the server, so its result is only
 * reported and blocks nothing.
 */
export function watchServeAddress(options: ServeAddressOptions): ServeAddress {
  const { url, log, fetch: ask = boundedFetch(), everyMs = EVERY_MS } = options;
  const stopping = new AbortController();
  let found: string | null = null;
  let isLogged = false;
  let failures = 0;
  let checking: Promise<void> | null = null;
  let beginning: Promise<void> | null = null;

  async function checkOnce(): Promise<void> {
    found = await findAt(options, ask);
    failures = found === OURS ? 0 : failures + 1;
    if (stopping.signal.aborted) return;
    if (found === OURS && isLogged) {
      log.info({ calls: url.href }, "the functions respond at the address that the Inngest server calls");
      isLogged = false;
    } else if (failures >= CHECKS_MAX && !isLogged) {
      const words = "another service responds at the address that the Inngest server was told to call";
      log.warn({ calls: url.href, found, see: "INNGEST_SERVE_ORIGIN" }, words);
      isLogged = true;
    }
  }

  const check = () => (checking ??= checkOnce().finally(() => (checking = null)));

  async function checkUntilKnown(): Promise<void> {
    while (!stopping.signal.aborted) {
      await check();
      if (found === OURS || isLogged) return;
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  return {
    begin: () => void (beginning ??= checkUntilKnown()),
    check,
    found: () => found,
    async stop() {
      stopping.abort();
      await Promise.all([beginning, checking]);
    },
  };
}

async function findAt(
  { inngest, url }: Pick<ServeAddressOptions, "inngest" | "url">,
  ask: typeof fetch,
): Promise<string> {
  const { isDev, signingKey } = inngest;
  const isSigned = !isDev && signingKey !== null;
  try {
    const answer = await ask(url.href, {
      headers: isSigned ? { [SIGNATURE]: signatureOfNothing(signingKey) } : {},
    });
    const isFunctions = introspectionSchema.safeParse(await answer.json().catch(() => null)).success;
    if (answer.ok && isFunctions && (!isSigned || answer.headers.has(SIGNATURE))) return OURS;
    const whose = answer.status === 401 ? ": perhaps Waypost with another INNGEST_SIGNING_KEY" : "";
    return `it answers ${answer.status}${whose}`;
  } catch (error) {
    return error instanceof Error ? error.message : "unknown";
  }
}

/** The signature of an Inngest server's call without a body. */
function signatureOfNothing(signingKey: string): string {
  const at = Math.floor(Date.now() / 1000);
  const key = signingKey.replace(/^signkey-\w+-/, "");
  return `t=${at}&s=${createHmac("sha256", key).update(String(at)).digest("hex")}`;
}
