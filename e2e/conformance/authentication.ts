import { crc32 } from "node:zlib";
import type { ApiRequest } from "@/e2e/support/api";
import { refused, send, type Expected, type Scenario } from "./scenario";
import type { World } from "./world";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * Returns a well-formed key that doesn't exist. Its last six base62 digits are the CRC-32 of all characters before
 * them.
 */
function unknownKey(): string {
  const body = `ak_live_${"A".repeat(43)}`;
  let checksum = "";
  for (let rest = crc32(body), digit = 0; digit < 6; digit += 1, rest = Math.floor(rest / 62)) {
    checksum = `${ALPHABET[rest % 62]}${checksum}`;
  }
  return body + checksum;
}

function ping(headers: ApiRequest["headers"]): ApiRequest {
  return { path: "/ping", headers };
}

function twice(name: string, ...secrets: readonly string[]): readonly string[] {
  return secrets.map((secret) => (name === "Authorization" ? `Bearer ${secret}` : secret));
}

const WORKS: Expected = { status: 200, code: null, body: { ok: true } };
const CHALLENGE = { "www-authenticate": /^Bearer/ } as const;
const KEY_REQUIRED: Expected = { ...refused(401, "api_key_required"), headers: CHALLENGE };
const INVALID_KEY: Expected = { ...refused(401, "invalid_api_key"), headers: CHALLENGE };

/** Only the interface description needs no key; any other request without one valid key gets 401. */
export const authentication: readonly Scenario[] = [
  ...Object.entries<Readonly<Record<string, string>>>({
    "no header": {},
    "an empty Authorization": { Authorization: "" },
    "Bearer without a value": { Authorization: "Bearer " },
    "another scheme": { Authorization: "Basic YTpi" },
    "another scheme with a key": { Authorization: `Token ${unknownKey()}` },
    "an empty X-Api-Key": { "X-Api-Key": "" },
  }).map(([name, headers]) => ({
    name: `${name} is refused as absent`,
    request: () => ping(headers),
    expected: KEY_REQUIRED,
  })),
  {
    name: "a key in the query counts as absent",
    request: ({ keys }) => ({ path: `/ping?api_key=${keys.main.secret}` }),
    expected: KEY_REQUIRED,
  },
  {
    name: "the scheme alone is refused as absent on POST /messages too",
    request: (world) => ({ ...send(world), key: undefined, headers: { Authorization: "Bearer" } }),
    expected: KEY_REQUIRED,
  },
  ...["Bearer", "bearer", "BEARER"].map((scheme) => ({
    name: `Authorization with the scheme written ${scheme} works`,
    request: ({ keys }: World) => ping({ Authorization: `${scheme} ${keys.main.secret}` }),
    expected: WORKS,
  })),
  {
    name: "X-Api-Key works",
    request: ({ keys }) => ping({ "X-Api-Key": keys.main.secret }),
    expected: WORKS,
  },
  {
    name: "the same key in both headers works",
    request: ({ keys }) => ({ ...ping({ "X-Api-Key": keys.main.secret }), key: keys.main.secret }),
    expected: WORKS,
  },
  ...["Authorization", "X-Api-Key"].map((name): Scenario => ({
    name: `the same key in two ${name} headers works`,
    request: ({ keys }) => ping({ [name]: twice(name, keys.main.secret, keys.main.secret) }),
    expected: WORKS,
  })),
  ...["Authorization", "X-Api-Key"].map((name): Scenario => ({
    name: `two keys that each work are refused together in two ${name} headers`,
    request: ({ keys }) => ping({ [name]: twice(name, keys.main.secret, keys.sibling.secret) }),
    expected: INVALID_KEY,
  })),
  {
    name: "two keys that each work are refused together",
    request: ({ keys }) => ({ ...ping({ "X-Api-Key": keys.sibling.secret }), key: keys.main.secret }),
    expected: { ...INVALID_KEY, text: /Two different API keys/ },
  },
  ...[
    { name: "a key without its prefix", spoil: (key: string) => key.slice("ak_live_".length) },
    { name: "a key with another prefix", spoil: (key: string) => key.replace("ak_live_", "ak_test_") },
    { name: "a key cut short", spoil: (key: string) => key.slice(0, -1) },
    { name: "a key with a character too many", spoil: (key: string) => `${key}0` },
    {
      name: "a key with a wrong checksum",
      spoil: (key: string) => key.slice(0, -1) + otherDigit(key.at(-1)),
    },
    {
      name: "a key with a changed secret",
      spoil: (key: string) => key.replace(/^(ak_live_.{20})(.)/, changeDigit),
    },
    { name: "a key in other letters", spoil: (key: string) => key.toUpperCase() },
    { name: "a word", spoil: () => "secret" },
    { name: "a key of a thousand characters", spoil: () => `ak_live_${"A".repeat(1000)}` },
    { name: "a well-formed key that nobody was given", spoil: unknownKey },
  ].map(({ name, spoil }) => ({
    name: `${name} is refused as invalid`,
    request: ({ keys }: World) => ping({ "X-Api-Key": spoil(keys.main.secret) }),
    expected: INVALID_KEY,
  })),
  ...[
    { name: "a key that works", keyOf: ({ keys }: World) => keys.main.secret },
    { name: "a key that nobody was given", keyOf: unknownKey },
    { name: "half a key", keyOf: () => "ak_live_A" },
  ].map(({ name, keyOf }): Scenario => ({
    name: `${name} in Authorization without Bearer is refused as invalid, in words that say how to send it`,
    request: (world) => ping({ Authorization: keyOf(world) }),
    expected: { ...INVALID_KEY, text: /Authorization: Bearer/ },
  })),
  ...[
    { name: "the same key", keyOf: ({ keys }: World) => keys.main.secret },
    { name: "another organization's key", keyOf: ({ other }: World) => other.api_key.secret },
  ].map(({ name, keyOf }): Scenario => ({
    name: `${name} in Authorization without Bearer is refused as invalid beside a key in X-Api-Key`,
    request: (world) => ping({ Authorization: keyOf(world), "X-Api-Key": world.keys.main.secret }),
    expected: { ...INVALID_KEY, text: /Authorization: Bearer/ },
  })),
  {
    name: "a revoked key is refused as revoked",
    request: ({ keys }) => ({ path: "/ping", key: keys.revoked.secret }),
    expected: { ...refused(401, "api_key_revoked"), headers: CHALLENGE },
  },
  {
    name: "an expired key is refused as expired",
    request: ({ keys }) => ({ path: "/ping", key: keys.expired.secret }),
    expected: { ...refused(401, "api_key_expired"), headers: CHALLENGE },
  },
  {
    name: "a key both revoked and expired is refused as revoked",
    request: ({ keys }) => ({ path: "/ping", key: keys.revokedAndExpired.secret }),
    expected: refused(401, "api_key_revoked"),
  },
  {
    name: "a rotated key works with its new secret, and the old one is refused as revoked",
    steps: [
      { request: ({ keys }) => ({ path: "/ping", key: keys.rotated.secret }), expected: WORKS },
      {
        request: ({ former }) => ({ path: "/ping", key: former.rotated }),
        expected: refused(401, "api_key_revoked"),
      },
    ],
  },
  {
    name: "both secrets of a key work during the overlap, and are one key",
    steps: [
      {
        request: ({ keys }) => ({ path: "/ping", key: keys.overlapping.secret }),
        expected: ({ keys }) => ({ ...WORKS, body: { key: { id: keys.overlapping.id } } }),
      },
      {
        request: ({ former }) => ({ path: "/ping", key: former.overlapping }),
        expected: ({ keys }) => ({ ...WORKS, body: { key: { id: keys.overlapping.id } } }),
      },
    ],
  },
  {
    name: "ping tells the organization and the key, with the default scopes",
    request: ({ keys }) => ({ path: "/ping", key: keys.main.secret }),
    expected: ({ demo, keys }) => ({
      ...WORKS,
      body: {
        ok: true,
        organization_id: demo.organization_id,
        key: {
          id: keys.main.id,
          scopes: ["messages:send", "messages:read", "contacts:read", "contacts:write", "templates:read"],
          expires_at: null,
        },
      },
    }),
  },
  {
    name: "the interface description needs no key",
    request: () => ({ path: "/openapi.json" }),
    expected: { status: 200, body: { info: { version: "1.0.0" } }, text: /"openapi":"3\.1\./ },
  },
];

function otherDigit(digit: string | undefined): string {
  return digit === "0" ? "1" : "0";
}

function changeDigit(_: string, before: string, digit: string): string {
  return before + otherDigit(digit);
}
