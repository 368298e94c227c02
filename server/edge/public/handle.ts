import { newId } from "@/db/schema";
import { isDatabaseUnavailable } from "@/db/errors";
import { unavailable } from "@/server/core/procedure";
import type { KeyActor } from "@/server/core/actor";
import type { AppRouter } from "@/server/edge/trpc/router";
import { requireCapability } from "@/server/core/capabilities";
import type { Context, GivenFile, Services } from "@/server/core/context";
import { type ErrorCode, isWaypostError, WaypostError } from "@/server/platform/errors";
import { countRequest, knownMethod } from "@/server/transport/count-request";
import { authenticateKey, type Credentials, sentSecretHash } from "@/server/domain/keys/authenticate";
import type { RateHeaders } from "@/server/adapters/limits/limits";
import type {
  RefusedRequest,
  RequestCaller,
  SucceededRequest,
} from "@/server/domain/requests/recorded-request";
import {
  checkContentEncoding,
  checkContentType,
  checkDeclaredLength,
  parseJsonObject,
  readBody,
} from "@/server/transport/body";
import { createBridge } from "./bridge";
import { withFile } from "@/server/transport/file-answer";
import { errorResponse, type PublicResponse, UNSHARED } from "@/server/transport/envelope";
import { checkDeclaredFile, incomingFile } from "./file";
import { logResponse } from "./log-response";
import { createPublished, isPublished } from "./published";
import { publicRoutes, type PublicRoute } from "./routes";
import { BASE_PATH } from "@/server/platform/addresses";

/** A request as both mounts pass it on. Header names are lower-case; repeated headers are joined by a comma. */
export interface PublicRequest {
  readonly method: string;
  /** Path and query, from the root. */
  readonly url: string;
  header(name: string): string | undefined;
  /** Not read before the request is authorized. */
  body(): AsyncIterable<Uint8Array>;
  readonly remoteAddress: string | undefined;
  /** Returns true if the client has closed the connection, so that no response can be sent. */
  hasLeft(): boolean;
}

export type PublicHandler = (request: PublicRequest) => Promise<PublicResponse>;

/** Observers of requests. None may throw or block. */
export interface Observers {
  /** Called for every accepted key. */
  readonly keyUsed?: (actor: KeyActor) => void;
  /** Called for every request with an error response that may have a key. */
  readonly refused?: (request: RefusedRequest) => void;
  /** Called for every other request with an accepted key. */
  readonly succeeded?: (request: SucceededRequest) => void;
}

const WITH_BODY = new Set(["POST", "PUT", "PATCH"]);

/**
 * The transport part of the public API. It checks, in this order: declared size, path and method, key, scope,
 * organization, body. The procedure does the rest. Never throws: every response has the envelope, `X-Request-Id`, and
 * `Cache-Control: no-store`.
 */
export function createPublicHandler(
  services: Services,
  router: AppRouter,
  observers: Observers = {},
): PublicHandler {
  const routes = publicRoutes(router);
  const bridge = createBridge(router);
  const published = createPublished(router);

  async function answer(
    request: PublicRequest,
    requestId: string,
    requestFacts: RequestFacts,
  ): Promise<PublicResponse> {
    const [path, query] = splitOnce(request.url.slice(BASE_PATH.length), "?");
    const ofPath = routes.filter((one) => one.matches(path));
    const found = ofPath.find((one) => one.method === request.method);
    const checkLength = found !== undefined && takesFile(found) ? checkDeclaredFile : checkDeclaredLength;
    checkLength(request.header("content-length"));
    if (isPublished(path)) {
      requestFacts.route = BASE_PATH + path;
      return documentFor(request.method, published(path, services.urls.forClients()));
    }
    const route = found ?? refuseRoute(ofPath);
    requestFacts.route = route.template;
    const actor = await authenticateKey({ services, ...credentialsOf(request) });
    observers.keyUsed?.(actor);
    requestFacts.actor = actor;
    requireCapability(actor, route.meta.capability);
    refuseOrganization(request, query);
    const file = takesFile(route) ? incomingFile(request) : undefined;
    const body = !file && WITH_BODY.has(request.method) ? await readJson(request, route) : undefined;
    requestFacts.body = body;
    rejectPathParameters(route, [...namesOf(query), ...Object.keys(body ?? {})]);
    let rate: RateHeaders | undefined;
    let given: GivenFile | undefined;
    const noteRate = (headers: RateHeaders) => (rate = headers);
    const giveFile = (one: GivenFile) => (given = one);
    const ctx: Context = { services, actor, requestId, noteRate, file, giveFile };
    rejectInvisibleFields(request.method, query);
    const url = withoutResolving(path, query);
    // Counted only from here on, because a client that is slow to send its body causes no load.
    const leave = file ? () => undefined : services.load.enter();
    const answered = await bridge({ method: request.method, url, body, ctx }).finally(leave);
    const response = given && !answered.errorCode ? withFile(answered, given) : answered;
    if (rate === undefined || isOfAnotherLimit(response)) return response;
    return { ...response, headers: { ...rate, ...response.headers } };
  }

  return (request) => observed(services, request, answer, observers);
}

/** If another limit refuses a request, the bucket's remaining units don't say when it will succeed. */
const isOfAnotherLimit = ({ status, errorCode }: PublicResponse) =>
  status === 429 && errorCode !== "rate_limited";

type Answer = (
  request: PublicRequest,
  requestId: string,
  requestFacts: RequestFacts,
) => Promise<PublicResponse>;

/** Adds the request's id to the response, counts it, logs it and notifies the observers. Never throws. */
async function observed(
  services: Services,
  request: PublicRequest,
  answer: Answer,
  observers: Observers,
): Promise<PublicResponse> {
  const requestId = newId();
  const startedAt = performance.now();
  const requestFacts: RequestFacts = { route: UNKNOWN_ROUTE };
  let response: PublicResponse;
  try {
    response = await answer(request, requestId, requestFacts);
  } catch (error) {
    response = errorResponse(toWaypostError(services, requestId, error), services, request.method);
  }
  const { route, actor } = requestFacts;
  const status = request.hasLeft() ? "aborted" : response.status;
  const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
  countRequest(services.metrics, { route, method: request.method, status, durationMs });
  if (status !== "aborted") {
    const facts = { method: knownMethod(request.method), route, status };
    const { errorCode: code, errorField: field } = response;
    if (code !== undefined) {
      services.metrics.count("waypost_public_api_errors_total", { code });
      const caller = callerOf(request, code, requestFacts);
      if (caller !== null)
        observers.refused?.({
          ...facts,
          requestId,
          caller,
          code,
          field,
          body: requestFacts.body,
          durationMs,
        });
    } else if (actor !== undefined) observers.succeeded?.({ ...facts, caller: keyCaller(actor) });
  }
  logResponse(services, request, response, { requestId, route, keyId: actor?.keyId, durationMs });
  return { ...response, headers: { ...response.headers, ...UNSHARED, "X-Request-Id": requestId } };
}

/** Facts about a request in progress. */
interface RequestFacts {
  /** Template of the path. */
  route: string;
  actor?: KeyActor;
  body?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns the key of a request. Null if it can't have one. Some requests are refused before their key is checked. */
function callerOf(request: PublicRequest, code: ErrorCode, { actor }: RequestFacts): RequestCaller | null {
  if (actor !== undefined) return keyCaller(actor);
  const hash = code === "invalid_api_key" ? null : sentSecretHash(credentialsOf(request));
  return hash === null ? null : { kind: "secret", hash };
}

const keyCaller = ({ organizationId, keyId, secretId }: KeyActor) =>
  ({ kind: "key", organizationId, keyId, secretId }) as const;

function credentialsOf(request: PublicRequest): Credentials {
  return {
    authorization: sameOnce(request.header("authorization")),
    xApiKey: sameOnce(request.header("x-api-key")),
  };
}

const UNKNOWN_ROUTE = `${BASE_PATH}/*`;

const takesFile = ({ meta }: PublicRoute) => meta.openapi?.takesFile === true;

/** The document needs no key. */
function documentFor(method: string, body: string): PublicResponse {
  if (method !== "GET") throw new WaypostError("method_not_allowed", { headers: { Allow: "GET" } });
  return { status: 200, headers: { "Content-Type": "application/json; charset=utf-8" }, body };
}

/** @throws WaypostError `not_found`, or `method_not_allowed` with the methods that the path supports. */
function refuseRoute(ofPath: readonly PublicRoute[]): never {
  if (ofPath.length === 0) throw new WaypostError("not_found");
  const allowed = [...new Set(ofPath.map((route) => route.method))].sort().join(", ");
  throw new WaypostError("method_not_allowed", { headers: { Allow: allowed } });
}

/** Merges a header that was sent twice with the same value. Different values stay joined: no key has that form. */
function sameOnce(value: string | undefined): string | undefined {
  if (value === undefined || !value.includes(",")) return value;
  const [first, ...others] = new Set(value.split(",").map((one) => one.trim()));
  return others.length === 0 ? first : value;
}

/** The key determines the organization. A request that names one is refused, even if it is the key's own. */
function refuseOrganization(request: PublicRequest, query: string): void {
  if (request.header("x-organization-id") !== undefined) throw new WaypostError("organization_not_allowed");
  if (namesOf(query).some((name) => ORGANIZATION_NAME.test(name))) {
    throw new WaypostError("organization_not_allowed", { field: "organization_id" });
  }
}

/** Also as a list, `organization_id[]`. */
const ORGANIZATION_NAME = /^organization_id(\[.*\])?$/s;

/**
 * Rejects query fields that the procedure wouldn't see. trpc-openapi ignores the query of a request with a body, and
 * otherwise collects it in a plain object, where some names already exist.
 */
function rejectInvisibleFields(method: string, query: string): void {
  const isUnusable = (name: string) => WITH_BODY.has(method) || name in Object.prototype;
  const unusable = namesOf(query).find(isUnusable);
  if (unusable === undefined) return;
  const field = unusable.slice(0, FIELD_LENGTH_MAX);
  throw new WaypostError("validation_failed", {
    field,
    message: `\`${field}\` isn't a field of this request.`,
  });
}

/** Rejects a body or query field with the name of a path parameter, which the path's value would replace unnoticed. */
function rejectPathParameters({ template }: PublicRoute, names: readonly string[]): void {
  const field = names.find((name) => template.includes(`{${name}}`));
  if (field === undefined) return;
  throw new WaypostError("validation_failed", {
    field,
    message: `\`${field}\` is part of this request's path. It can't also be in its query or body.`,
  });
}

/** Field names come from the client. Errors show only as much as helps to find them. */
const FIELD_LENGTH_MAX = 200;

function namesOf(query: string): readonly string[] {
  return query === "" ? [] : [...new URLSearchParams(query).keys()];
}

/**
 * Returns path and query in a form that trpc-openapi uses unchanged. Otherwise it would resolve dot segments to another
 * path, read a backslash as a slash, and drop everything after a `#`. Such text is treated like any other id that
 * doesn't exist.
 */
function withoutResolving(path: string, query: string): string {
  const kept = path
    .replace(/\/(?:\.|%2e){1,2}(?=\/|$)/gi, "/-")
    .replaceAll("\\", "%5C")
    .replaceAll("#", "%23");
  return query === "" ? kept : `${kept}?${query.replaceAll("#", "%23")}`;
}

async function readJson(request: PublicRequest, { meta }: PublicRoute): Promise<Record<string, unknown>> {
  const bytes = await readBody(request.body());
  if (bytes.length === 0 && meta.openapi?.takesNoBody === true) return {};
  checkContentType(request.header("content-type"));
  checkContentEncoding(request.header("content-encoding"));
  return parseJsonObject(bytes);
}

function toWaypostError(services: Services, requestId: string, error: unknown): WaypostError {
  if (isWaypostError(error)) return error;
  if (isDatabaseUnavailable(error)) return unavailable();
  services.log.error({ err: error, requestId }, "public request failed");
  return new WaypostError("internal_error", { cause: error });
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}
