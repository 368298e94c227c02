import type { ApiRequest } from "@/e2e/support/api";
import { refused, type Scenario } from "./scenario";
import type { World } from "./world";

const UNKNOWN_ID = "01890a5d-ac96-774b-bcce-b302099a8057";

type Json = Readonly<Record<string, unknown>>;
type KeyName = keyof World["keys"];

const post =
  (json: Json, key: KeyName = "webhooksOnly") =>
  ({ keys }: World): ApiRequest => ({
    path: "/webhooks",
    key: keys[key].secret,
    json,
  });

/** Refused requests, which create nothing. */
export const webhooks: readonly Scenario[] = [
  {
    name: "managing webhooks needs webhooks:manage",
    request: post({ url: null }, "main"),
    expected: { ...refused(403, "missing_scope"), text: /webhooks:manage/ },
  },
  ...["http://localhost:3000/hook", "https://127.0.0.1/hook", "https://[::1]/hook"].map((url): Scenario => ({
    name: `webhooks can't be posted to ${url}, and the refusal says what else there is`,
    request: post({ url }),
    expected: {
      ...refused(400, "webhook_url_forbidden", "url"),
      text: /npm run -s waypost -- webhook listen --forward URL` there in a checkout of Waypost/,
    },
  })),
  {
    name: "webhooks can't be posted to an address that isn't https, and the refusal says so",
    request: post({ url: "mailto:ada@example.com" }),
    expected: { ...refused(400, "webhook_url_forbidden", "url"), text: /must begin with https:/ },
  },
  {
    name: "an endpoint without an address must say so",
    request: post({}),
    expected: { ...refused(400, "validation_failed", "url"), text: /is required: a URL, or null/ },
  },
  ...(
    [
      ["events", { events: [] }],
      ["events.0", { events: ["webhook.test"] }],
      ["description", { description: "a".repeat(501) }],
      ["channel_ids.0", { channel_ids: ["default"] }],
      ["enabled", { enabled: "false" }],
      ["url", { url: 1 }],
      ["name", { name: "Shop" }],
    ] as const
  ).map(([field, json]): Scenario => ({
    name: `an endpoint with ${JSON.stringify(json).slice(0, 40)} is refused`,
    request: post({ url: null, ...json }),
    expected: refused(400, "validation_failed", field),
  })),
  ...Object.entries<{ key: KeyName; channelOf: (world: World) => string }>({
    "an unknown channel": { key: "webhooksOnly", channelOf: () => UNKNOWN_ID },
    "another organization's channel": {
      key: "webhooksOnly",
      channelOf: ({ other }) => other.channels.default,
    },
    "a channel that the key may not use": {
      key: "webhooksOfSecond",
      channelOf: ({ demo }) => demo.channels.default,
    },
  }).map(([name, { key, channelOf }]): Scenario => ({
    name: `an endpoint for ${name} is forbidden`,
    request: (world) => post({ url: null, channel_ids: [channelOf(world)] }, key)(world),
    expected: refused(403, "channel_forbidden", "channel_ids"),
  })),
];
