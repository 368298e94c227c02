import { randomBytes, randomInt } from "node:crypto";
import type { Api } from "@/e2e/support/api";
import { demo, type ApiKey, type Demo } from "@/e2e/support/cli";
import { REPOSITORY } from "@/e2e/support/program";
import type { SharedServer } from "@/e2e/support/shared-server";
import { customerSends, customerWrites } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import type { SystemActor } from "@/server/core/actor";
import { attach } from "@/server/ops/cli/attach";
import { createClosers } from "@/server/lib/closers";
import { readConfig } from "@/server/platform/config";
import type { Context } from "@/server/core/context";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import { createKey } from "@/server/domain/keys/create";
import { revokeKey } from "@/server/domain/keys/revoke";
import { rotateKey } from "@/server/domain/keys/rotate";
import type { CreateKeyInput } from "@/server/domain/keys/schemas";
import { createLogger } from "@/server/platform/log";
import { setUploadQuota } from "@/server/domain/organizations/set-upload-quota";

type KeyOptions = Omit<CreateKeyInput, "name">;

const UNLIMITED = { sendLimit: 1_000_000, readLimit: 1_000_000 };

/** The keys of the demo organization that scenarios use. Each key with a small limit belongs to one scenario. */
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
    channelIds: [channels.second],
  }),
  secondChannel: ({ channels }) => ({ ...UNLIMITED, channelIds: [channels.second] }),
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
  uploads: () => UNLIMITED,
  refusedUploads: () => UNLIMITED,
  oneSendForWaiting: () => ({ ...UNLIMITED, sendLimit: 1 }),
  twoSends: () => ({ ...UNLIMITED, sendLimit: 2 }),
  twoReads: () => ({ ...UNLIMITED, readLimit: 2 }),
  oneRead: () => ({ ...UNLIMITED, readLimit: 1 }),
  oneReadWithoutScope: () => ({ readLimit: 1, scopes: ["messages:send"] }),
} satisfies Record<string, (demo: Demo) => KeyOptions>;

type KeyName = keyof typeof KEYS;

/** Shared by scenarios; created once per mount. */
export interface SharedWorld {
  readonly server: SharedServer;
  readonly api: Api;
  readonly demo: Demo;
  /** Another organization. */
  readonly other: Demo;
  /** An organization whose upload quota is too small for any file. */
  readonly full: Demo;
  readonly keys: Readonly<Record<KeyName, ApiKey>>;
  /** The secrets that rotation replaced: one ended immediately, one still in its overlap. */
  readonly former: Readonly<Record<"rotated" | "overlapping", string>>;
  /** Ids of messages that can't be read for different reasons, and of one that can. */
  readonly messages: Readonly<Record<"own" | "ofOther" | "withFile" | "withGoneFile" | "erased", string>>;
}

export interface World extends SharedWorld {
  /** A `client_message_id` that only this run of this scenario uses. */
  readonly id: string;
}

export function worldOf(shared: SharedWorld): World {
  return { ...shared, id: `scenario-${randomBytes(8).toString("hex")}` };
}

export async function createWorld(server: SharedServer, api: Api): Promise<SharedWorld> {
  const [own, other, full] = await Promise.all([demo(server), demo(server), demo(server)]);
  const { keys, former } = await withContext(server, own, (ctx) => createKeys(ctx, own));
  await withContext(server, full, (ctx) => setUploadQuota({ ctx, input: { bytes: 1 } }));
  const messages = {
    own: await firstMessage(api, own, keys.oneSendForWaiting.secret),
    ofOther: await firstMessage(api, other, other.api_key.secret),
    withFile: await messageWithFile(server, own, { mime_type: "image/png" }),
    withGoneFile: await messageWithFile(server, own, { mime_type: "image/png", id: "100000000000001" }),
    erased: await erasedMessage(server, own),
  };
  await until("the short-lived keys have expired", () => isRefused(api, keys.expired.secret));
  return { server, api, demo: own, other, full, keys, former, messages };
}

/** Works as the operator's commands do, over connections that are closed at the end. */
async function withContext<T>(
  { env }: SharedServer,
  { organization_id: organizationId }: Demo,
  work: (ctx: Context<SystemActor>) => Promise<T>,
): Promise<T> {
  const closers = createClosers();
  try {
    const config = readConfig({ ...env, NODE_ENV: "production" }, REPOSITORY);
    const { services } = await attach({ config, log: createLogger({ level: "warn" }), closers });
    return await work({ services, actor: { kind: "system", organizationId, job: "test" }, requestId: null });
  } finally {
    await closers.closeAll();
  }
}

async function createKeys(
  ctx: Context<SystemActor>,
  own: Demo,
): Promise<Pick<SharedWorld, "keys" | "former">> {
  const creating = Object.entries<(demo: Demo) => KeyOptions>(KEYS).map(
    async ([name, optionsOf]): Promise<[string, ApiKey]> => [
      name,
      await createKey({ ctx, input: { name: "Test", ...optionsOf(own) } }),
    ],
  );
  // Guarantee: there is an entry for every name of KEYS.
  const keys = Object.fromEntries(await Promise.all(creating)) as Record<KeyName, ApiKey>;
  const rotate = ({ id }: ApiKey, overlapSeconds: number) =>
    rotateKey({ ctx, input: { keyId: id, overlapSeconds } });
  const [rotated, overlapping] = await Promise.all([
    rotate(keys.rotated, 0),
    rotate(keys.overlapping, 3600),
    ...[keys.revoked, keys.revokedWithoutScope, keys.revokedAndExpired].map(({ id }) =>
      revokeKey({ ctx, input: { keyId: id } }),
    ),
  ]);
  return {
    keys: { ...keys, rotated, overlapping },
    former: { rotated: keys.rotated.secret, overlapping: keys.overlapping.secret },
  };
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

/** A customer sends a picture. @returns the message's id, when its file is fetched, or gone. */
async function messageWithFile(server: SharedServer, own: Demo, content: object): Promise<string> {
  const phoneNumberId = await withContext(server, own, async ({ services, actor }) => {
    const [channel] = await services.sql<{ phoneNumberId: string }[]>`
      select phone_number_id as "phoneNumberId" from channels
      where id = ${own.channels.default} and organization_id = ${actor.organizationId}`;
    return channel?.phoneNumberId ?? "";
  });
  const mark = randomBytes(8).toString("hex");
  await customerSends(server.simulatorUrl, {
    phoneNumberId,
    from: own.contacts.open_window.handle,
    type: "image",
    content: { ...content, caption: mark },
  });
  return withContext(server, own, ({ services, actor }) =>
    until("the file is fetched", async () => {
      const [row] = await services.sql<{ id: string }[]>`
        select m.id from messages m join customer_files f on f.message_id = m.id
        where m.organization_id = ${actor.organizationId} and f.state <> 'pending'
          and m.content #>> '{media,caption}' = ${mark}`;
      return row?.id;
    }),
  );
}

/** A customer writes and is erased. @returns the message's id. */
async function erasedMessage(server: SharedServer, own: Demo): Promise<string> {
  const from = `49151${randomInt(1e6, 1e7)}`;
  const phoneNumberId = own.phone_number_ids.default;
  await customerWrites(server.simulatorUrl, { phoneNumberId, from, body: "Hello" });
  return withContext(server, own, async (ctx) => {
    const { id, contactId } = await until("the message is received", async () => {
      const [row] = await ctx.services.sql<{ id: string; contactId: string }[]>`
        select m.id, m.contact_id as "contactId"
        from messages m join contact_identities i on i.contact_id = m.contact_id
        where m.organization_id = ${ctx.actor.organizationId} and i.handle = ${from}`;
      return row;
    });
    await eraseContact({ ctx, input: { contactId } });
    return id;
  });
}

async function isRefused(api: Api, key: string): Promise<boolean> {
  return (await api.call({ path: "/ping", key })).status === 401;
}
