import { post } from "./json";
import { ACCEPTED, refused, send, textTo, type Expected, type Scenario } from "./scenario";
import type { World } from "./world";

const BODY_BYTES_MAX = 65_536;
const INVALID = refused(400, "validation_failed");
const TOO_LARGE = refused(413, "payload_too_large");
const NOT_FOUND = refused(404, "not_found");
const ORGANIZATION = refused(400, "organization_not_allowed");

/** The scenario's text as JSON, padded with spaces to exactly that many bytes. */
function bodyOfBytes(world: World, bytes: number): string {
  const json = JSON.stringify(textTo(world));
  return json + " ".repeat(bytes - Buffer.byteLength(json));
}

function notAllowed(allow: string): Expected {
  return { ...refused(405, "method_not_allowed"), headers: { allow } };
}

const paths: readonly Scenario[] = [
  ...[
    { name: "an unknown path", path: "/nothing" },
    { name: "the base path", path: "" },
    { name: "the base path with a slash", path: "/" },
    { name: "a trailing slash", path: "/messages/" },
    { name: "a trailing slash after an id", path: "/messages/01890a5d-ac96-774b-bcce-b302099a8057/" },
    { name: "other letters", path: "/Messages" },
    { name: "a path that goes on", path: "/ping/pong" },
  ].map(({ name, path }) => ({
    name: `${name} is not found`,
    request: ({ keys }: World) => ({ path, key: keys.main.secret }),
    expected: NOT_FOUND,
  })),
  {
    name: "a doubled slash is not found",
    request: ({ keys }) => ({ path: "//ping", key: keys.main.secret }),
    expected: NOT_FOUND,
    elsewhere: {
      mount: "next",
      reason: "Next sends a path with doubled slashes to the one without, before any route is asked.",
      expected: { status: 308, headers: { location: "/api/public/v1/ping" } },
    },
  },
  {
    name: "an encoded dot segment is not found",
    request: ({ keys }) => ({ path: "/%2e%2e/v1/ping", key: keys.main.secret }),
    expected: NOT_FOUND,
    elsewhere: {
      mount: "next",
      reason: "A route handler gets a URL, and URL has resolved dot segments already.",
      expected: { status: 200 },
    },
  },
  {
    name: "an id with a broken escape is one of no message",
    request: ({ keys }) => ({ path: "/messages/%E0%A4%A", key: keys.main.secret }),
    expected: refused(404, "message_not_found"),
    elsewhere: {
      mount: "next",
      reason: "Next would fail on the path before any route is asked.",
      expected: NOT_FOUND,
    },
  },
  ...[
    { method: "PUT", path: "/messages", allow: "GET, POST" },
    { method: "DELETE", path: "/messages", allow: "GET, POST" },
    { method: "OPTIONS", path: "/messages", allow: "GET, POST" },
    { method: "POST", path: "/ping", allow: "GET" },
    { method: "PATCH", path: "/ping", allow: "GET" },
    { method: "POST", path: "/openapi.json", allow: "GET" },
    { method: "DELETE", path: "/messages/01890a5d-ac96-774b-bcce-b302099a8057", allow: "GET" },
  ].map(({ method, path, allow }) => ({
    name: `${method} ${path} isn't allowed and says what is`,
    request: () => ({ method, path }),
    expected: notAllowed(allow),
  })),
  {
    name: "HEAD isn't allowed, and is answered without a body",
    request: () => ({ method: "HEAD", path: "/ping" }),
    expected: { status: 405, headers: { allow: "GET" }, text: /^$/ },
  },
];

const sizes: readonly Scenario[] = [
  {
    name: "a body of exactly 64 KiB is taken",
    request: (world) => post(world, bodyOfBytes(world, BODY_BYTES_MAX), "application/json"),
    expected: ACCEPTED,
  },
  {
    name: "a body that declares a byte more is refused",
    request: (world) => post(world, bodyOfBytes(world, BODY_BYTES_MAX + 1), "application/json"),
    expected: TOO_LARGE,
  },
  {
    name: "a body declared too large is refused before it is sent",
    request: ({ keys }) => ({
      method: "POST",
      path: "/messages",
      key: keys.main.secret,
      headers: { "Content-Type": "application/json", "Content-Length": "1000000000" },
      delivery: "stalled",
    }),
    expected: TOO_LARGE,
  },
  {
    name: "a chunked body is taken",
    request: (world) => ({
      ...post(world, JSON.stringify(textTo(world)), "application/json"),
      delivery: "chunked",
    }),
    expected: ACCEPTED,
  },
  {
    name: "a chunked body is refused as soon as it is too large",
    request: (world) => ({
      ...post(world, bodyOfBytes(world, BODY_BYTES_MAX + 1), "application/json"),
      delivery: "chunked",
    }),
    expected: TOO_LARGE,
  },
  {
    name: "a body of many megabytes is refused, and the client gets to read so",
    request: (world) => ({
      ...post(world, bodyOfBytes(world, 8 * 1024 * 1024), "application/json"),
      delivery: "halves",
    }),
    expected: TOO_LARGE,
  },
  {
    name: "a body that stops coming is refused after ten seconds",
    request: (world) => ({
      ...post(world, JSON.stringify(textTo(world)), "application/json"),
      delivery: "stalled",
    }),
    expected: refused(408, "request_timeout"),
  },
];

/** Enough headers to exceed 16 KiB in total. */
const MANY_HEADERS = Object.fromEntries(Array.from({ length: 1_600 }, (_, index) => [`X-${index}`, "12345"]));
const CLOSED = { ...INVALID, headers: { connection: /^close$/i } } as const satisfies Expected;

/** Node's own server responds, in front of both mounts. */
const requests: readonly Scenario[] = [
  {
    name: "a request without Host is refused",
    request: (world) => ({ ...send(world), hasHost: false }),
    expected: CLOSED,
  },
  {
    name: "headers of more than 16 KiB are refused",
    request: (world) => ({ ...send(world), headers: MANY_HEADERS }),
    expected: CLOSED,
  },
  {
    name: "a thousand headers are read, the key behind them too",
    request: ({ keys }) => ({
      path: "/ping",
      headers: { F: Array.from({ length: 1_000 }, () => "1"), "X-Api-Key": keys.main.secret },
    }),
    expected: { status: 200 },
  },
  {
    name: "an expectation that nobody knows is refused",
    request: (world) => ({ ...send(world), headers: { "Content-Type": "application/json", Expect: "foo" } }),
    expected: CLOSED,
  },
];

const types: readonly Scenario[] = [
  ...["gzip", "br", "deflate", "identity, gzip"].map((encoding): Scenario => ({
    name: `Content-Encoding ${encoding} isn't supported`,
    request: (world) => ({
      ...send(world),
      headers: { "Content-Type": "application/json", "Content-Encoding": encoding },
    }),
    expected: refused(415, "unsupported_media_type"),
  })),
  {
    name: "Content-Encoding identity is none",
    request: (world) => ({
      ...send(world),
      headers: { "Content-Type": "application/json", "Content-Encoding": "identity" },
    }),
    expected: ACCEPTED,
  },
  ...[undefined, "application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8"].map(
    (type): Scenario => ({
      name: `Content-Type ${type ?? "absent"} counts as JSON`,
      request: (world) => post(world, JSON.stringify(textTo(world)), type),
      expected: ACCEPTED,
    }),
  ),
  ...[
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/jsonp",
    "text/json; application/json",
  ].map((type): Scenario => ({
    name: `Content-Type ${type} isn't supported`,
    request: (world) => post(world, JSON.stringify(textTo(world)), type),
    expected: refused(415, "unsupported_media_type"),
  })),
];

const organization: readonly Scenario[] = [
  {
    name: "X-Organization-Id is refused, also with the key's own organization",
    request: (world) => ({
      ...send(world),
      headers: { "Content-Type": "application/json", "X-Organization-Id": world.demo.organization_id },
    }),
    expected: ORGANIZATION,
  },
  {
    name: "X-Organization-Id is refused on GET /messages/{id}",
    request: ({ keys, messages, demo }) => ({
      path: `/messages/${messages.own}`,
      key: keys.main.secret,
      headers: { "X-Organization-Id": demo.organization_id },
    }),
    expected: ORGANIZATION,
  },
  {
    name: "X-Organization-Id is refused on GET /ping, an empty one too",
    request: ({ keys }) => ({ path: "/ping", key: keys.main.secret, headers: { "X-Organization-Id": "" } }),
    expected: ORGANIZATION,
  },
  {
    name: "organization_id in the body is refused, also the key's own",
    request: (world) => send(world, { organization_id: world.demo.organization_id }),
    expected: ORGANIZATION,
  },
  {
    name: "organization_id in the query is refused",
    request: (world) => ({ ...send(world), path: `/messages?organization_id=${world.demo.organization_id}` }),
    expected: ORGANIZATION,
  },
  {
    name: "organization_id in the query is refused as a list too",
    request: (world) => ({ ...send(world), path: "/messages?organization_id[]=1" }),
    expected: ORGANIZATION,
  },
  ...["/messages", "/ping"].map((path): Scenario => ({
    name: `an unknown field in the query of ${path} is refused`,
    request: (world) => ({
      ...(path === "/ping" ? { key: world.keys.main.secret } : send(world)),
      path: `${path}?preview_url=1`,
    }),
    expected: refused(400, "validation_failed", "preview_url"),
  })),
  {
    name: "organization_id in the query is refused on GET /ping",
    request: ({ keys, demo }) => ({
      path: `/ping?organization_id=${demo.organization_id}`,
      key: keys.main.secret,
    }),
    expected: ORGANIZATION,
  },
];

/** The server checks path, method, size, type and organization before the rules of sending. */
export const transport: readonly Scenario[] = [...paths, ...requests, ...sizes, ...types, ...organization];
