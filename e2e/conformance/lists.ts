import { expect } from "vitest";
import type { ApiRequest } from "@/e2e/support/api";
import { ACCEPTED, refused, send, type Expected, type Journey, type Scenario } from "./scenario";
import type { World } from "./world";

const UNKNOWN_ID = "01890a5d-ac96-774b-bcce-b302099a8057";
type KeyName = keyof World["keys"];

/** Every list, with a key that may read it and one that may not. */
const LISTS = {
  "/channels": { key: "main", other: "webhooksOnly" },
  "/messages": { key: "main", other: "webhooksOnly" },
  "/threads": { key: "main", other: "webhooksOnly" },
  "/contacts": { key: "main", other: "webhooksOnly" },
  "/templates": { key: "main", other: "webhooksOnly" },
  "/webhooks": { key: "webhooksOnly", other: "main" },
} as const satisfies Record<string, { key: KeyName; other: KeyName }>;

export function get(path: string, key: KeyName = "main"): (world: World) => ApiRequest {
  return ({ keys }) => ({ path, key: keys[key].secret });
}

export const page = (...data: readonly object[]): Expected => ({
  status: 200,
  code: null,
  body: { data, next_cursor: null },
});

/** Rules of every list. */
const everywhere: readonly Scenario[] = Object.entries(LISTS).flatMap(
  ([path, { key, other }]): Scenario[] => [
    {
      name: `${path} takes a unit of the read bucket, and says so`,
      request: get(path, key),
      expected: {
        status: 200,
        headers: { "x-ratelimit-limit": "1000000", "x-ratelimit-remaining": /^\d+$/ },
      },
    },
    { name: `${path} needs a key`, request: () => ({ path }), expected: refused(401, "api_key_required") },
    {
      name: `${path} needs its scope`,
      request: get(path, other),
      expected: refused(403, "missing_scope"),
    },
    {
      name: `${path} takes no organization`,
      request: get(`${path}?organization_id=${UNKNOWN_ID}`, key),
      expected: refused(400, "organization_not_allowed"),
    },
    ...["0", "101", "-1", "1.5", "1e1", "ten", ""].map((limit): Scenario => ({
      name: `${path} takes no limit of "${limit}"`,
      request: get(`${path}?limit=${limit}`, key),
      expected: refused(400, "validation_failed", "limit"),
    })),
    ...["", "x", "x.y", "WyJ4Il0.x", "%00"].map((cursor): Scenario => ({
      name: `${path} takes no cursor of "${cursor}"`,
      request: get(`${path}?cursor=${cursor}`, key),
      expected: refused(400, "validation_failed"),
    })),
    {
      name: `${path} takes no field that it doesn't know`,
      request: get(`${path}?offset=10`, key),
      expected: refused(400, "validation_failed", "offset"),
    },
    {
      name: `${path} takes no field twice`,
      request: get(`${path}?limit=1&limit=2`, key),
      expected: refused(400, "validation_failed", "limit"),
    },
  ],
);

const channels: readonly Scenario[] = [
  {
    name: "the channels are told with what sending asks for",
    request: get("/channels"),
    expected: ({ demo }) =>
      page(
        {
          id: demo.channels.default,
          name: "Support",
          display_phone_number: expect.stringMatching(/^\+1555\d{7}$/),
          is_default: true,
          state: "active",
          pause_reason: null,
        },
        { id: demo.channels.second, is_default: false, state: "active" },
      ),
  },
  {
    name: "a key limited to a channel is told of that one only",
    request: get("/channels", "secondChannel"),
    expected: ({ demo }) => page({ id: demo.channels.second }),
  },
  {
    name: "listing channels needs messages:send",
    request: get("/channels", "readsOnly"),
    expected: { ...refused(403, "missing_scope"), text: /messages:send/ },
  },
];

/** A filter by a channel that the key can't see. */
const ofChannels: readonly Scenario[] = ["/messages", "/templates"].flatMap((path) =>
  Object.entries<{ key: KeyName; channelOf: (world: World) => string }>({
    "an unknown channel": { key: "main", channelOf: () => UNKNOWN_ID },
    "another organization's channel": { key: "main", channelOf: ({ other }) => other.channels.default },
    "a channel that the key may not use": {
      key: "secondChannel",
      channelOf: ({ demo }) => demo.channels.default,
    },
  }).map(([name, { key, channelOf }]): Scenario => ({
    name: `${path} of ${name} is forbidden`,
    request: (world) => ({ path: `${path}?channel_id=${channelOf(world)}`, key: world.keys[key].secret }),
    expected: refused(403, "channel_forbidden", "channel_id"),
  })),
);

function find(changes = "", key: KeyName = "main") {
  return ({ keys, id }: World): ApiRequest => ({
    path: `/messages?client_message_id=${id}${changes}`,
    key: keys[key].secret,
  });
}

const messages: readonly Scenario[] = [
  {
    name: "a message whose answer was lost is found by its client_message_id, by any key of its channel",
    steps: [
      { request: find(), expected: page() },
      { request: (world) => send(world), expected: ACCEPTED },
      {
        request: find("", "readsOnly"),
        expected: ({ id, demo }) =>
          page({
            client_message_id: id,
            type: "text",
            channel_id: demo.channels.default,
            thread_id: demo.contacts.open_window.thread_id,
            error: null,
          }),
      },
      { request: find("", "secondChannel"), expected: page() },
      { request: find("&state=failed"), expected: page() },
      { request: find("&until=2020-01-01T00:00:00Z"), expected: page() },
      {
        request: find("&since=2020-01-01T00:00:00.000%2B02:00"),
        expected: { status: 200, text: /scenario-/ },
      },
    ],
  },
  {
    name: "listing messages needs messages:read",
    request: get("/messages", "sendsOnly"),
    expected: { ...refused(403, "missing_scope"), text: /messages:read/ },
  },
  ...[
    ["state", "waiting"],
    ["client_message_id", ""],
    ["channel_id", "default"],
    ["since", "yesterday"],
    ["since", "1767225600"],
    ["until", "2026-02-30T00:00:00Z"],
    ["until", "0000-01-01T00:00:00Z"],
  ].map(([field = "", value = ""]): Scenario => ({
    name: `messages with ${field} "${value}" are refused`,
    request: get(`/messages?${field}=${value}`),
    expected: refused(400, "validation_failed", field),
  })),
];

/** `GET /channels`, `GET /templates`, `GET /messages`. */
export const lists: readonly Scenario[] = [...everywhere, ...channels, ...ofChannels, ...messages];

/** Reads the pages of a list, to its end. */
async function pagesOf({ api }: World, path: string, key: string) {
  const pages: Record<string, unknown>[][] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const next = cursor === "" ? path : `${path}&cursor=${cursor}`;
    const body = JSON.parse((await api.call({ path: next, key })).text);
    pages.push(body.data);
    cursor = body.next_cursor;
  }
  return pages;
}

export const paging: readonly Journey[] = [
  {
    name: "pages hold every message once, the newest first",
    async run(world, expect) {
      const { api, other } = world;
      const { secret } = other.api_key;
      const { thread_id } = other.contacts.open_window;
      const sent: string[] = [];
      for (let count = 0; count < 3; count++) {
        const json = {
          client_message_id: `${world.id}-${count}`,
          type: "text",
          thread_id,
          text: { body: "Hi" },
        };
        sent.push(JSON.parse((await api.call({ path: "/messages", key: secret, json })).text).message_id);
      }
      const pages = await pagesOf(world, "/messages?limit=2", secret);
      const ids = pages.flat().map((message) => message.message_id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).not.toContain(other.internal_note_id);
      expect(ids).not.toContain(world.messages.own);
      const mine = ids.filter((id) => sent.some((one) => one === id));
      expect(mine).toEqual(sent.toReversed());
      expect(pages.slice(0, -1).every((page) => page.length === 2)).toBe(true);
    },
  },
  {
    name: "a cursor is of use for its own list and organization only, and only as it was",
    async run(world, expect) {
      const { api, keys, other } = world;
      const first = await api.call({ path: "/templates?limit=1", key: keys.main.secret });
      const { next_cursor: cursor } = JSON.parse(first.text);
      const answerOf = async (path: string, key: string) => (await api.call({ path, key })).code;
      expect(await answerOf(`/templates?cursor=${cursor}`, keys.sibling.secret)).toBeNull();
      for (const [path, key] of [
        [`/templates?cursor=${cursor}x`, keys.main.secret],
        [`/templates?cursor=x${cursor}`, keys.main.secret],
        [`/channels?cursor=${cursor}`, keys.main.secret],
        [`/messages?cursor=${cursor}`, keys.main.secret],
        [`/templates?cursor=${cursor}`, other.api_key.secret],
      ] as const) {
        expect(await answerOf(path, key)).toBe("validation_failed");
      }
    },
  },
  {
    name: "an address of a list doesn't take another method",
    async run({ api, keys }, expect) {
      for (const path of Object.keys(LISTS)) {
        const allow = ["/messages", "/webhooks"].includes(path) ? "GET, POST" : "GET";
        const answer = await api.call({ method: "DELETE", path, key: keys.main.secret });
        expect(answer).toMatchObject({ status: 405, code: "method_not_allowed", headers: { allow } });
      }
    },
  },
];
