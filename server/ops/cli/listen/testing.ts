import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type Finished, type Running, startCommand } from "@/e2e/support/command";
import type { Environment } from "@/e2e/support/program";
import { until } from "@/e2e/support/until";
import type { SystemActor } from "@/server/core/actor";
import { appRouter } from "@/server/edge/trpc/router";
import type { Context, Services } from "@/server/core/context";
import { openConversation } from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { createPublicHandler } from "@/server/edge/public/handle";
import { nodeMount } from "@/server/edge/public/mounts";
import { openWebhookWorld, type WebhookWorld } from "@/server/domain/webhooks/testing";
import { openCommands } from "../testing";

/** The public API on a port, a local program that receives webhooks, and the command between them. */
export async function openListenWorld() {
  const world = await openWebhookWorld({ database: "own" });
  const api = await serveApi(world.services);
  const commands = await openCommands(world.databaseUrl, { WAYPOST_PUBLIC_URL: api.url });
  const listeners: Listener[] = [];
  const begun = (running: Running) => {
    const listener = listenerOf(running);
    listeners.push(listener);
    return listener;
  };
  const start = (line: readonly string[], env: Environment = {}) =>
    begun(startCommand(line, { ...commands.surroundings, ...env }));
  const endAll = async () => {
    api.refuses(null);
    for (const listener of listeners.splice(0)) await listener.stop();
  };
  return {
    ...world,
    api,
    commands,
    /** `webhook listen`, with further variables. Posts to the receiver by default. */
    start: (args: readonly string[], env?: Environment) =>
      start(["webhook", "listen", "--forward", world.receiver.url, ...args], env),
    /** The same without posting. */
    startShowing: (args: readonly string[]) => start(["webhook", "listen", ...args]),
    /** Runs it until it ends. */
    listen: (...args: readonly string[]) =>
      commands.waypost("webhook", "listen", "--forward", world.receiver.url, ...args),
    received: (count: number) => until(`${count} events came`, () => world.receiver.calls.length >= count),
    /** Creates an organization with a channel, without data of earlier tests. */
    async begin() {
      await endAll();
      world.receiver.calls.length = 0;
      world.receiver.answersStatus(204);
      return organizationIn(world);
    },
    async close() {
      await endAll();
      await commands.close();
      await api.close();
      await world.close();
    },
  };
}

async function organizationIn({ services, sql }: WebhookWorld) {
  const ctx: Context<SystemActor> = { ...(await createTestOrganization(services)), services };
  const channelId = await connectTestChannel(ctx, true);
  const { organizationId } = ctx.actor;
  return {
    ctx,
    org: ["--org", organizationId] as const,
    /** Simulates a customer's message, which is an event. @returns the contact. */
    write: async () => (await openConversation(ctx, channelId)).contactId,
    /** Endpoints and keys that still work. */
    left: async () => {
      const [left] = await sql<{ endpoints: number; keys: number }[]>`
        select
          (select count(*)::int from webhook_endpoints
            where organization_id = ${organizationId} and deleted_at is null) as endpoints,
          (select count(*)::int from api_keys
            where organization_id = ${organizationId} and revoked_at is null) as keys`;
      return left;
    },
  };
}

export type ListenWorld = Awaited<ReturnType<typeof openListenWorld>>;

type RejectedRequest = (response: ServerResponse) => void;

async function serveApi(services: Services) {
  const serve = nodeMount(createPublicHandler(services, appRouter));
  let refuse: RejectedRequest | null = null;
  let refused = 0;
  const server = createServer((req, res) => {
    if (refuse === null) return void serve(req, res);
    refused += 1;
    refuse(res);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The API has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** Number of requests refused since refusing began. */
    refused: () => refused,
    /** From now on, handles each request this way. Null: requests are served again. */
    refuses(how: RejectedRequest | null) {
      refused = 0;
      refuse = how;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export interface Listener extends Running {
  /** Resolves when it fetches events. */
  listening(): Promise<unknown>;
  /** Stops it as Ctrl-C does. */
  stop(): Promise<Finished>;
}

export function listenerOf(running: Running): Listener {
  const listens = () => /are posted to|are shown|"listening"/.test(running.stdout());
  return {
    ...running,
    listening: () => until("it listens", listens),
    stop: () => {
      running.interrupt();
      return running.finished;
    },
  };
}
