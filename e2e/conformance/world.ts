import { randomBytes } from "node:crypto";
import type { Api } from "@/e2e/support/api";
import {
  createKey,
  demo,
  revokeKey,
  rotateKey,
  type ApiKey,
  type Demo,
  type KeyOptions,
} from "@/e2e/support/cli";
import { until } from "@/e2e/support/until";
import type { Waypost } from "@/e2e/support/waypost";

const UNLIMITED = { sendLimit: 1_000_000, readLimit: 1_000_000 } as const;
const COMMANDS_AT_ONCE_MAX = 3;

/** The keys of the demo organization that scenarios use. Those with a small limit belong to one scenario each. */
const KEYS = {
  /** The default scopes. */
  main: () => UNLIMITED,
  sibling: () => UNLIMITED,
  readsOnly: () => ({ ...UNLIMITED, scopes: ["messages:read"] }),
  sendsOnly: () => ({ ...UNLIMITED, scopes: ["messages:send"] }),
  sendsToKnown: () => ({ ...UNLIMITED, scopes: ["messages:send", "contacts:read"] }),
  webhooksOnly: () => ({ ...UNLIMITED, scopes: ["webhooks:manage"] }),
  webhooksOfSecond: ({ channels }) => ({
    ...UNLIMITED,
    scopes: ["webhooks:manage"],
    channels: [channels.second],
  }),
  secondChannel: ({ channels }) => ({ ...UNLIMITED, channels: [channels.second] }),
  rotated: () => UNLIMITED,
  overlapping: () => UNLIMITED,
  revoked: () => UNLIMITED,
  revokedWithoutScope: () => ({ ...UNLIMITED, scopes: ["messages:read"] }),
  expired: () => ({ ...UNLIMITED, expiresInSeconds: 1 }),
  revokedAndExpired: () => ({ ...UNLIMITED, expiresInSeconds: 1 }),
  oneSendForRepeats: () => ({ ...UNLIMITED, sendLimit: 1 }),
  oneSendForRefusals: () => ({ ...UNLIMITED, sendLimit: 1 }),
  oneSendForRotation: () => ({ ...UNLIMITED, sendLimit: 1 }),
  oneSendForRules: () => ({ ...UNLIMITED, sendLimit: 1 }),
  oneSendForContents: () => ({ ...UNLIMITED, sendLimit: 1 }),
  oneReadForOrder: () => ({ ...UNLIMITED, readLimit: 1 }),
  oneSendForUploads: () => ({ ...UNLIMITED, sendLimit: 1 }),
  oneSendForWaiting: () => ({ ...UNLIMITED, sendLimit: 1 }),
  twoSends: () => ({ ...UNLIMITED, sendLimit: 2 }),
  twoReads: () => ({ ...UNLIMITED, readLimit: 2 }),
  oneRead: () => ({ ...UNLIMITED, readLimit: 1 }),
  oneReadWithoutScope: () => ({ readLimit: 1, scopes: ["messages:send"] }),
} as const satisfies Record<string, (demo: Demo) => KeyOptions>;

type KeyName = keyof typeof KEYS;
const WAITING = "oneSendForWaiting" satisfies KeyName;

/** What scenarios work with; made once for a mount. */
export interface SharedWorld {
  readonly server: Waypost;
  readonly api: Api;
  readonly demo: Demo;
  /** Another organization. */
  readonly other: Demo;
  readonly keys: Readonly<Record<KeyName, ApiKey>>;
  /** The secrets that rotation replaced: one ended at once, one still in its overlap. */
  readonly former: Readonly<Record<"rotated" | "overlapping", string>>;
  /** Ids of messages in the places from which they may not be read, and of one that may. */
  readonly messages: Readonly<Record<"own" | "ofOther", string>>;
}

export interface World extends SharedWorld {
  /** A `client_message_id` that only this run of this scenario uses. */
  readonly id: string;
}

export function worldOf(shared: SharedWorld): World {
  return { ...shared, id: `scenario-${randomBytes(8).toString("hex")}` };
}

export async function createWorld(server: Waypost, api: Api): Promise<SharedWorld> {
  const [own, other] = await Promise.all([demo(server), demo(server)]);
  // First of all, so that the wait for its limit to end goes by while the rest is made.
  const waiting = await createKey(server, own.organization_id, KEYS.oneSendForWaiting());
  const messages = {
    own: await firstMessage(api, own, waiting.secret),
    ofOther: await firstMessage(api, other, other.api_key.secret),
  };
  const keys = { ...(await createKeys(server, own)), oneSendForWaiting: waiting };
  const [rotated, overlapping] = await Promise.all([
    rotateKey(server, keys.rotated.id),
    rotateKey(server, keys.overlapping.id, 3600),
    revokeKey(server, keys.revoked.id),
    revokeKey(server, keys.revokedWithoutScope.id),
    revokeKey(server, keys.revokedAndExpired.id),
  ]);
  await until("the short-lived keys have expired", () => isRefused(api, keys.expired.secret));
  return {
    server,
    api,
    demo: own,
    other,
    keys: { ...keys, rotated, overlapping },
    former: { rotated: keys.rotated.secret, overlapping: keys.overlapping.secret },
    messages,
  };
}

async function createKeys(
  server: Waypost,
  own: Demo,
): Promise<Record<Exclude<KeyName, typeof WAITING>, ApiKey>> {
  const entries = Object.entries<(demo: Demo) => KeyOptions>(KEYS).filter(([name]) => name !== WAITING);
  const keys = new Map<string, ApiKey>();
  const work = async () => {
    for (let next = entries.shift(); next; next = entries.shift()) {
      const [name, optionsOf] = next;
      keys.set(name, await createKey(server, own.organization_id, optionsOf(own)));
    }
  };
  await Promise.all(Array.from({ length: COMMANDS_AT_ONCE_MAX }, work));
  return asKeys(Object.fromEntries(keys));
}

/** Guarantee: `keys` has an entry for every name of KEYS but that one, by the loop that made it. */
function asKeys(keys: Readonly<Record<string, ApiKey>>): Record<Exclude<KeyName, typeof WAITING>, ApiKey> {
  return keys as Record<KeyName, ApiKey>;
}

async function firstMessage(api: Api, { contacts }: Demo, key: string): Promise<string> {
  const { status, text } = await api.call({
    path: "/messages",
    key,
    json: {
      client_message_id: "first",
      type: "text",
      thread_id: contacts.open_window.thread_id,
      text: { body: "Hello" },
    },
  });
  if (status !== 201) throw new Error(`The first message was answered with ${status} ${text}`);
  return JSON.parse(text).message_id;
}

async function isRefused(api: Api, key: string): Promise<boolean> {
  return (await api.call({ path: "/ping", key })).status === 401;
}
