import type { WaypostConnectionError, WaypostError } from "./errors.js";
import type { OperationName } from "./operations.js";

const BASE_PATH = "/api/public/v1";
const TIMEOUT_MS_DEFAULT = 30_000;
const MAX_RETRIES_DEFAULT = 4;
const RETRY_BUDGET_MS_DEFAULT = 120_000;
/** The longest delay of timers in JavaScript. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Limits of a call. Each method accepts them too, for that call alone. */
export interface CallOptions {
  /** Ends the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Time limit of each try, for the whole answer. Default 30,000; for uploads 600,000. */
  timeoutMs?: number | undefined;
  /** Maximum retries. Default 4; 0 for none. */
  maxRetries?: number | undefined;
  /**
   * Time limit of all tries and the waits between them, from the start of the call. Default 120,000. The first try may
   * last longer, if `timeoutMs` says so.
   */
  retryBudgetMs?: number | undefined;
}

/** A try that failed and will be repeated. */
export interface Retry {
  operation: OperationName;
  /** Number of the next try; the first retry is 2. */
  attempt: number;
  /** Wait before it. */
  delayMs: number;
  error: WaypostError | WaypostConnectionError;
}

export interface WaypostOptions extends Omit<CallOptions, "signal"> {
  /** An API key (`ak_live_…`). It is sent to `baseUrl` only, and never shown. */
  apiKey: string | undefined;
  /** Address of Waypost, such as `https://waypost.example.com`. */
  baseUrl: string | undefined;
  /** Allows plain http to other hosts than this machine: anyone on the way can then read the key. */
  allowInsecureHttp?: boolean | undefined;
  /** Replaces the global `fetch`, for example to use a proxy. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Called before each retry, for your log. An error of it is ignored. */
  onRetry?: ((retry: Retry) => void) | undefined;
}

/** @throws TypeError if they aren't an object, or if their `signal` is no signal. The error doesn't show them. */
export function checkOptions(options: unknown): void {
  if (typeof options !== "object" || options === null)
    throw new TypeError(`The options must be an object, not ${options === null ? "null" : typeof options}`);
  const { signal }: { readonly signal?: unknown } = options;
  const isSignal = typeof Object(signal).throwIfAborted === "function";
  if (!isSignal && signal !== undefined && signal !== null)
    throw new TypeError("`signal` must be an AbortSignal");
}

/** @throws TypeError if it can't be a key. The error doesn't show it. */
export function checkApiKey(apiKey: unknown): string {
  if (typeof apiKey !== "string" || apiKey === "")
    throw new TypeError("`apiKey` is missing: pass an API key of your organization");
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError("`apiKey` contains a character that no key has, for example a line break or a space");
  return apiKey;
}

/**
 * Returns the address of the API, without a slash at its end.
 * @param baseUrl of Waypost, or of the API itself.
 * @throws TypeError if it isn't an address that a key may be sent to.
 */
export function apiUrlOf(baseUrl: unknown, { allowInsecureHttp = false } = {}): string {
  if (typeof baseUrl !== "string" || baseUrl === "")
    throw new TypeError(
      "`baseUrl` is missing: pass the address of Waypost, such as https://waypost.example.com",
    );
  const url = parseUrl(baseUrl);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new TypeError("`baseUrl` must be an address without user, password, query and fragment");
  if (url.protocol !== "https:" && !allowInsecureHttp && !isLoopback(url.hostname)) {
    throw new TypeError(
      "`baseUrl` must start with https://, because plain http shows your key to anyone on the way. In a network that " +
        "you trust, set `allowInsecureHttp`",
    );
  }
  const path = url.pathname.replace(/\/+$/, "");
  return url.origin + (path.endsWith(BASE_PATH) ? path : path + BASE_PATH);
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new TypeError("`baseUrl` must be an http or https address, such as https://waypost.example.com");
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** The limits of a call, complete. */
export interface Limits {
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly retryBudgetMs: number;
}

/**
 * Completes limits.
 * @param sources each one is used where those before it say nothing.
 * @throws TypeError for a value that isn't a limit.
 */
export function limitsOf(...sources: readonly CallOptions[]): Limits {
  const find = (name: keyof Limits, fallback: number, max: number) => {
    const value = sources.map((source) => source[name]).find((one) => one !== undefined) ?? fallback;
    if (typeof value === "number" && value >= 0 && value <= max) return value;
    throw new TypeError(`\`${name}\` must be a number from 0 to ${max}, not ${String(value)}`);
  };
  return {
    timeoutMs: find("timeoutMs", TIMEOUT_MS_DEFAULT, TIMER_MS_MAX),
    maxRetries: find("maxRetries", MAX_RETRIES_DEFAULT, 100),
    retryBudgetMs: find("retryBudgetMs", RETRY_BUDGET_MS_DEFAULT, TIMER_MS_MAX),
  };
}
