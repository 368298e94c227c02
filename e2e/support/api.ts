import { asJson, createContract } from "./contract";
import { httpCall, type HttpAnswer, type HttpCall, type RequestHeaders } from "./http-call";

export const BASE_PATH = "/api/public/v1";

export interface ApiRequest {
  /** GET by default; POST with a body. */
  readonly method?: string;
  /** Below the base path, including the query. */
  readonly path: string;
  /** An API key, sent as `Authorization: Bearer`. */
  readonly key?: string;
  readonly headers?: RequestHeaders;
  readonly hasHost?: boolean;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged, without a Content-Type except in `headers`. */
  readonly raw?: string | Uint8Array;
  readonly delivery?: HttpCall["delivery"];
}

export interface ApiAnswer extends HttpAnswer {
  /** The body if it is JSON, else null. */
  readonly body: unknown;
  /** `error.code`; null in a response that isn't an error. */
  readonly code: string | null;
}

/** A client of the public API that checks every response against the server's own `/openapi.json`. */
export interface Api {
  /** @throws Error if the response doesn't match the document. */
  call(request: ApiRequest): Promise<ApiAnswer>;
  /** The same without that check, for responses from before the public API. */
  callUnchecked(request: ApiRequest): Promise<ApiAnswer>;
  /** Checks the body of a webhook against the document. @throws Error if it doesn't match. */
  checkEvent(event: Readonly<Record<string, unknown>>): void;
  readonly document: unknown;
  /** Operations of the document that haven't been called yet. */
  unasked(): readonly string[];
}

export async function openApi(baseUrl: string): Promise<Api> {
  const root = `${baseUrl}${BASE_PATH}`;
  const published = await httpCall({ method: "GET", url: `${root}/openapi.json`, headers: {} });
  if (published.status !== 200) throw new Error(`/openapi.json answered ${published.status}`);
  const contract = createContract(JSON.parse(published.text));
  return {
    document: contract.document,
    unasked: contract.unasked,
    checkEvent: contract.checkEvent,
    callUnchecked: (request) => call(root, request),
    async call(request) {
      const answer = await call(root, request);
      const [path = ""] = request.path.split("?", 1);
      contract.check(methodOf(request), path, answer);
      return answer;
    },
  };
}

/** Returns the result for a key: 200, or the code of the refusal. */
export async function pingWith(api: Api, key: string): Promise<number | string> {
  const { status, code } = await api.call({ path: "/ping", key });
  return code ?? status;
}

async function call(root: string, request: ApiRequest): Promise<ApiAnswer> {
  const answer = await httpCall({
    method: methodOf(request),
    url: root + request.path,
    headers: headersOf(request),
    hasHost: request.hasHost,
    body: bodyOf(request),
    delivery: request.delivery,
  });
  const body = parse(answer.text);
  const { code } = asJson(asJson(body).error);
  return { ...answer, body, code: typeof code === "string" ? code : null };
}

function methodOf({ method, json, raw }: ApiRequest): string {
  return method ?? (json === undefined && raw === undefined ? "GET" : "POST");
}

function bodyOf({ json, raw }: ApiRequest): Uint8Array | undefined {
  if (raw !== undefined) return typeof raw === "string" ? Buffer.from(raw) : raw;
  return json === undefined ? undefined : Buffer.from(JSON.stringify(json));
}

function headersOf({ key, json, headers }: ApiRequest): RequestHeaders {
  return {
    ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
    ...(json === undefined ? {} : { "Content-Type": "application/json" }),
    ...headers,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
