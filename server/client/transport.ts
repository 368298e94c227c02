import { readAnswer } from "./answer.js";
import { WaypostConnectionError, WaypostError } from "./errors.js";
import { describeFailure, neverConnected, sleep, TimeLimitExceeded, withTimeLimit } from "./network.js";
import { type Answers, changesSomething, operationOf, type OperationName, pathOf } from "./operations.js";
import {
  apiUrlOf,
  type CallOptions,
  checkApiKey,
  checkOptions,
  limitsOf,
  type Retry,
  type WaypostOptions,
} from "./options.js";
import { asFailure, type Failure, retryDelayMs } from "./retry.js";
import type { UploadBody } from "./upload-body.js";

/** The arguments of an operation. */
export interface Call {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: object;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly file?: UploadBody;
  readonly headers?: Readonly<Record<string, string>>;
  /** Used where neither the caller nor the client's options say something else. */
  readonly defaults?: CallOptions;
}

/**
 * Calls an operation of the API, with retries, and returns the parsed body of its answer.
 * @throws WaypostError if Waypost refuses it; WaypostConnectionError if no answer of Waypost arrives; the reason of an
 * aborted signal; TypeError for arguments that can't be sent.
 */
export type Send = <Name extends OperationName>(
  operation: Name,
  call: Call,
  options?: CallOptions,
) => Promise<Answers[Name]>;

/** @throws TypeError for options that can't be used. */
export function createTransport(settings: WaypostOptions): Send {
  checkOptions(settings);
  const apiKey = checkApiKey(settings.apiKey);
  const apiUrl = apiUrlOf(settings.baseUrl, { allowInsecureHttp: settings.allowInsecureHttp === true });
  limitsOf(settings);

  return async (operation, call, options = {}) => {
    checkOptions(options);
    const limits = limitsOf(options, settings, call.defaults ?? {});
    const startedAt = performance.now();
    const elapsedMs = () => performance.now() - startedAt;
    let mayBeDone = false;
    try {
      const request = requestOf(apiUrl, apiKey, operation, call);
      for (let tries = 1; ; tries += 1) {
        const leftMs = tries === 1 ? limits.timeoutMs : limits.retryBudgetMs - elapsedMs();
        const timeoutMs = Math.min(limits.timeoutMs, leftMs);
        const { fetch = globalThis.fetch } = settings;
        const outcome = await tryOnce({ ...request, fetch, timeoutMs, signal: options.signal });
        if (outcome.failure === null) return asAnswer(operation, outcome.body);
        const { failure } = outcome;
        if (mayBeDone && isGone(failure)) return asAnswer(operation, undefined);
        mayBeDone ||= mayBeAccepted(failure);
        const canRepeat = call.file?.canRepeat() ?? true;
        const delayMs = canRepeat ? retryDelayMs({ failure, tries, elapsedMs: elapsedMs(), limits }) : null;
        if (delayMs === null) throw finalError(failure, tries, mayBeDone);
        void report(settings, { operation, attempt: tries + 1, delayMs, error: failure });
        await sleep(delayMs, options.signal);
      }
    } finally {
      call.file?.close();
    }
  };
}

/** A log that fails must not fail the call. */
async function report({ onRetry }: WaypostOptions, retry: Retry): Promise<void> {
  try {
    const logging: unknown = onRetry?.(retry);
    await logging;
  } catch {
    // Nobody could handle it.
  }
}

/** Guarantee: the answer is Waypost's, which answers what its OpenAPI document says, of which the types are made. */
function asAnswer<Name extends OperationName>(_: Name, body: unknown): Answers[Name] {
  return body as Answers[Name];
}

interface PreparedRequest {
  readonly operation: OperationName;
  readonly url: string;
  readonly init: RequestInit;
  readonly json: unknown;
  readonly file: UploadBody | undefined;
}

/** Prepares what is the same in each try, byte by byte. */
function requestOf(apiUrl: string, apiKey: string, operation: OperationName, call: Call): PreparedRequest {
  const { path = {}, query = {}, json, file, headers = {} } = call;
  checkDates(query);
  checkDates(json);
  const given = Object.entries(query).filter(([name, value]) => !isAbsent(name, value));
  const search = new URLSearchParams(
    given.flatMap(([name, value]) => textsOf(value).map((text) => [name, text])),
  ).toString();
  const own = { accept: "application/json", authorization: `Bearer ${apiKey}` };
  const init = {
    method: operationOf(operation).method,
    headers: new Headers({ ...headers, ...own }),
    redirect: "manual",
  } as const;
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  if (json !== undefined) init.headers.set("content-type", "application/json");
  const url = apiUrl + pathOf(operation, path) + (search === "" ? "" : `?${search}`);
  return { operation, url, init: { ...init, ...body }, json, file };
}

/** A program that has no cursor yet may have stored an empty text. */
const isAbsent = (name: string, value: unknown) =>
  value === undefined || value === null || (name === "cursor" && value === "");

/** In JSON, an invalid date would be null. @throws TypeError */
function checkDates(members: unknown): void {
  for (const [name, value] of Object.entries(Object(members)))
    if (value instanceof Date && Number.isNaN(value.getTime()))
      throw new TypeError(`\`${name}\` isn't a valid date`);
}

/** A list is given by repeating its parameter. */
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : [textOf(value)]);

const textOf = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value));

type Outcome = { readonly failure: null; readonly body: unknown } | { readonly failure: Failure };

interface Try extends PreparedRequest {
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** @throws the reason of an aborted signal; what the file's stream throws. */
async function tryOnce(attempt: Try): Promise<Outcome> {
  const { operation, url, init, json, file, fetch, timeoutMs, signal } = attempt;
  signal?.throwIfAborted();
  try {
    const answer = await withTimeLimit(timeoutMs, signal, async (inner) => {
      const body = file === undefined ? {} : { body: asBody(await file.open()), duplex: "half" };
      return readAnswer(operation, await fetch(url, { ...init, ...body, signal: inner }), json);
    });
    return { failure: null, body: answer };
  } catch (error) {
    signal?.throwIfAborted();
    file?.throwIfFailed();
    return { failure: asFailure(error) ?? connectionError(operation, error) };
  }
}

/** Guarantee: bytes in shared memory, which the type includes, are refused by `fetch` itself. */
function asBody(bytes: Awaited<ReturnType<UploadBody["open"]>>): BodyInit {
  return bytes as BodyInit;
}

function connectionError(operation: OperationName, error: unknown): WaypostConnectionError {
  const isLate = error instanceof TimeLimitExceeded;
  return new WaypostConnectionError({
    message: `No answer to ${operation}: ${isLate ? error.message : describeFailure(error)}.`,
    reason: isLate ? "timeout" : "network",
    operation,
    mayHaveBeenAccepted: changesSomething(operation) && !neverConnected(error),
    cause: isLate ? undefined : error,
  });
}

function mayBeAccepted(failure: Failure): boolean {
  if (failure instanceof WaypostConnectionError) return failure.mayHaveBeenAccepted;
  return failure.status >= 500 && changesSomething(failure.operation);
}

/** A repeat that finds nothing: an earlier try did it. */
function isGone(failure: Failure): boolean {
  return failure instanceof WaypostError && failure.code === operationOf(failure.operation).doneIfRefusedWith;
}

/** The error of the last try, with what is known of all. It is made here, so that its stack names the caller. */
function finalError(failure: Failure, tries: number, mayBeDone: boolean): Failure {
  if (failure instanceof WaypostError) return new WaypostError(failure);
  const number = tries === 1 ? "" : ` It was tried ${tries} times.`;
  const advice = mayBeDone ? " Waypost may have carried it out." : "";
  const { reason, operation, status, retryAfterMs, cause } = failure;
  const message = failure.message + number + advice;
  return new WaypostConnectionError({
    message,
    reason,
    operation,
    mayHaveBeenAccepted: mayBeDone,
    status,
    retryAfterMs,
    cause,
  });
}
