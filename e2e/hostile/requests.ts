import fc from "fast-check";
import { BASE_PATH } from "@/e2e/support/api";
import { asJson } from "@/e2e/support/contract";
import { type HeaderLine, type HostileCase, chunked, headBytes, requestBytes } from "./case";
import { messageBodies, SEND_TARGET } from "./messages";
import { anyText, headerValue, pathGarbage, PROTOTYPE_NAMES } from "./nasty";
import { valuesOf, withoutReferences } from "./schema";
import type { HostileWorld } from "./world";

const HOST = { name: "Host", value: "hostile.example" } as const;
const JSON_TYPE = { name: "Content-Type", value: "application/json" } as const;

export function signedIn({ secret }: Pick<HostileWorld, "secret">): readonly HeaderLine[] {
  return [HOST, { name: "Authorization", value: `Bearer ${secret}` }];
}

/** `POST /messages` with all kinds of bodies, whole, in chunks and in pieces. */
export function sends(world: HostileWorld): fc.Arbitrary<HostileCase> {
  const line = { method: "POST", target: SEND_TARGET };
  const headers = [...signedIn(world), JSON_TYPE];
  const toCase = (
    pieces: readonly Buffer[],
    { bytes, isGood }: { bytes: Buffer; isGood: boolean },
  ): HostileCase => ({
    family: "a body",
    pieces,
    requests: [line],
    ending: "each",
    message: bytes,
    ...(isGood ? { mustBe: 201 } : {}),
  });
  const inChunks = headBytes(`POST ${SEND_TARGET} HTTP/1.1`, [
    ...headers,
    { name: "Transfer-Encoding", value: "chunked" },
  ]);
  return fc
    .tuple(
      messageBodies(world),
      fc.constantFrom("whole", "whole", "chunked", "pieces"),
      fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 5 }),
    )
    .map(([body, delivery, sizes]) => {
      if (delivery === "chunked") return toCase([inChunks, chunked(body.bytes, sizes)], body);
      const bytes = requestBytes(line, headers, body.bytes);
      return toCase(delivery === "whole" ? [bytes] : piecesOf(bytes, sizes), body);
    });
}

function piecesOf(bytes: Buffer, sizes: readonly number[]): readonly Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return [...pieces, bytes.subarray(at)].filter((piece) => piece.length > 0);
}

/** `POST /messages/{id}/read` with bodies of all kinds, and with none. */
export function marks(world: HostileWorld): fc.Arbitrary<HostileCase> {
  const values = fc.oneof(fc.boolean(), fc.jsonValue(), anyText(20));
  const names = fc.oneof(fc.constantFrom("typing", "id", ...PROTOTYPE_NAMES), anyText(10));
  const bodies = fc.oneof(
    fc.constantFrom("", "{}", "null", "[]", "{", '{"typing":true,"typing":false}'),
    fc.array(fc.tuple(names, values), { maxLength: 3 }).map((members) => {
      return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",")}}`;
    }),
    anyText(100),
  );
  return fc.tuple(ids(world), bodies).map(([id, body]): HostileCase => {
    const line = { method: "POST", target: `${BASE_PATH}/messages/${id}/read` };
    const pieces = [requestBytes(line, [...signedIn(world), JSON_TYPE], Buffer.from(body))];
    return { family: "a body", pieces, requests: [line], ending: "each" };
  });
}

/** Every documented path, with valid or invalid query values. */
export function reads(world: HostileWorld): fc.Arbitrary<HostileCase> {
  const { document } = world.contract;
  const paths = Object.entries(asJson(asJson(document).paths));
  const operations = paths.flatMap(([path, item]) => {
    const { get } = asJson(item);
    return get === undefined
      ? []
      : [{ path, query: queryOf(withoutReferences(document, asJson(get).parameters)) }];
  });
  const operation = fc.oneof(
    ...operations.map(({ path, query }) =>
      fc.tuple(ids(world), query).map(([id, pairs]) => [path.replace(/\{[^}]+\}/g, id), pairs] as const),
    ),
  );
  return operation.map(([path, pairs]): HostileCase => {
    const target = BASE_PATH + path + (pairs.length === 0 ? "" : `?${pairs.join("&")}`);
    const line = { method: "GET", target };
    return {
      family: "a query",
      pieces: [requestBytes(line, signedIn(world))],
      requests: [line],
      ending: "each",
    };
  });
}

function ids({ demo }: HostileWorld): fc.Arbitrary<string> {
  return fc.oneof(
    fc.uuid(),
    fc.constantFrom(demo.internal_note_id, ...PROTOTYPE_NAMES),
    pathGarbage.map(withoutSlash),
  );
}

const withoutSlash = (text: string) => text.replaceAll(/[/?#]/g, "-") || "-";

/** Encoded query pairs: documented and undocumented ones. */
function queryOf(parameters: unknown): fc.Arbitrary<readonly string[]> {
  const known = (Array.isArray(parameters) ? parameters : [])
    .map(asJson)
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema }) =>
      fc
        .oneof(valuesOf(schema, {}), anyText(30))
        .map((value) => `${String(name)}=${encodeURIComponent(String(value))}`),
    );
  const names = fc.oneof(
    fc.constantFrom(...PROTOTYPE_NAMES, "limit", "cursor", "organization_id", "id"),
    pathGarbage,
  );
  const unknown = fc
    .tuple(names, fc.constantFrom("=", "[]=", "[a]=", "", "=&&="), pathGarbage)
    .map((parts) => parts.join(""));
  const oneOfThem = fc.oneof(
    { weight: 5, arbitrary: fc.oneof(unknown, ...known) },
    { weight: 1, arbitrary: unknown },
  );
  return fc
    .array(oneOfThem, { maxLength: 4 })
    .map((pairs) => pairs.map((pair) => pair.replaceAll(/[#\s]/g, "-")));
}

const NAMES = [
  "Authorization",
  "X-Api-Key",
  "X-Organization-Id",
  "Content-Type",
  "Content-Encoding",
  "X-Filename",
  "X-Request-Id",
  "X-Forwarded-For",
  "X-HTTP-Method-Override",
  "Cookie",
  "Accept",
  "Accept-Encoding",
  "Origin",
  "Referer",
  "Range",
  "If-None-Match",
  "If-Modified-Since",
  "TE",
  "Upgrade",
  "Forwarded",
  "Next-Action",
  "RSC",
  "X-Middleware-Subrequest",
  "__proto__",
  "constructor",
] as const;

/** Valid requests with bad headers. */
export function headers(world: HostileWorld): fc.Arbitrary<HostileCase> {
  const line = fc.oneof(
    fc.constant({ method: "GET", target: `${BASE_PATH}/ping` }),
    fc.constant({ method: "GET", target: `${BASE_PATH}/openapi.json` }),
    fc.constant({ method: "POST", target: SEND_TARGET }),
  );
  const one = fc
    .tuple(
      fc.oneof(fc.constantFrom(...NAMES), fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,20}$/)),
      headerValue,
    )
    .map(([name, value]): HeaderLine => ({ name, value }));
  const several = fc.oneof(
    fc.array(one, { minLength: 1, maxLength: 5 }),
    fc.tuple(one, fc.integer({ min: 2, max: 40 })).map(([header, count]) => Array(count).fill(header)),
    fc.constant(Array.from({ length: 1_000 }, (_, index) => ({ name: `X-${index}`, value: "1" }))),
  );
  const key = fc.constantFrom<readonly HeaderLine[]>(
    signedIn(world),
    [HOST, { name: "x-api-key", value: world.secret }],
    [HOST, { name: "X-Api-Key", value: world.limitedSecret }],
    [HOST],
  );
  return fc
    .tuple(line, key, several, fc.boolean())
    .map(([request, keyLines, extra, isBefore]): HostileCase => {
      const all = isBefore ? [...extra, ...keyLines] : [...keyLines, ...extra];
      const body = request.method === "POST" ? Buffer.from("{}") : null;
      // A header that frames the body, or that exceeds the total size, makes it a different kind of request.
      const isFramed = extra.some(({ name }) =>
        /^(content-length|transfer-encoding|connection|host|expect)$/i.test(name),
      );
      const bytes = requestBytes(request, all, body);
      const isLarge = bytes.length > 16_000;
      return {
        family: "headers",
        pieces: [bytes],
        requests: [request],
        ending: isFramed || isLarge ? "refused" : "each",
      };
    });
}

const METHODS = [
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "HEAD",
  "TRACE",
  "PROPFIND",
  "PURGE",
  "SEARCH",
  "LINK",
] as const;

/** Unknown paths, roundabout forms of known ones, and unsupported methods. */
export function targets(world: HostileWorld): fc.Arbitrary<HostileCase> {
  const segment = fc.oneof(
    fc.constantFrom(
      "api",
      "public",
      "v1",
      "messages",
      "ping",
      "uploads",
      "openapi.json",
      "upstream",
      "healthz",
      "docs",
      "whatsapp",
      "..",
      ".",
    ),
    pathGarbage,
  );
  const path = fc.oneof(
    fc.array(segment, { maxLength: 3 }).map((parts) => [BASE_PATH, ...parts].join("/")),
    fc.array(segment, { maxLength: 6 }).map((parts) => `/${parts.join("/")}`),
    pathGarbage.map((text) => `/api/public/v1${text}`),
    fc.constantFrom(
      "//api//public//v1//ping",
      "/API/PUBLIC/V1/ping",
      "/api/public/v1%2fping",
      "/api%2fpublic/v1/ping",
    ),
    absoluteTargets(world),
    fc.constantFrom("*"),
  );
  return fc
    .tuple(fc.constantFrom(...METHODS), path, fc.boolean())
    .map(([method, raw, hasBody]): HostileCase => {
      const target = raw.replaceAll(/[#\s]/g, "-").slice(0, 9_000);
      const line = { method, target };
      const bytes = requestBytes(line, signedIn(world), hasBody ? Buffer.from("{}") : null);
      return { family: "a target", pieces: [bytes], requests: [line], ending: "each" };
    });
}

/** The form of a request to a proxy, which every server must accept (RFC 9112 section 3.2.2). */
const absoluteTargets = ({ baseUrl }: HostileWorld) =>
  fc.constantFrom(
    `${baseUrl}${BASE_PATH}/ping`,
    `http://elsewhere.example${BASE_PATH}/ping?a=1`,
    "http://elsewhere.example",
    "https://user:secret@elsewhere.example:1/healthz",
    "file:///etc/passwd",
    "http://[::1",
    "http:///",
  );
