import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { until } from "@/e2e/support/until";
import type { SystemActor } from "../../api/actor";
import { appRouter } from "../../api/router";
import type { Context, Services } from "../../context";
import { openConversation } from "../../messages/testing";
import { connectTestChannel, createTestOrganization } from "../../organizations/testing";
import { createPublicHandler } from "../../public-api/handle";
import { nodeMount } from "../../public-api/mounts";
import { openWebhookWorld, type WebhookWorld } from "../../webhooks/testing";
import { type Finished, openCli, type Running } from "../testing";

/** The public API at a port, a local program that gets webhooks, and the command between them. */
export async function openListenWorld() {
  const world = await openWebhookWorld({ database: "own" });
  const api = await serveApi(world.services);
  const commands = await openCli(world.databaseUrl, { WAYPOST_PUBLIC_URL: api.url });
  // Where they note what they made.
  const surroundings = { ...commands.surroundings, TMPDIR: commands.directory };
  const listeners: Listener[] = [];
  const begun = (line: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const listener = listenerOf(commands.cli.start(line, { ...surroundings, ...env }));
    listeners.push(listener);
    return listener;
  };
  return {
    ...world,
    api,
    commands,
    /** `webhook listen`, posting to the receiver unless it is said otherwise, with further variables. */
    start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Listener {
      return begun(["webhook", "listen", "--forward", world.receiver.url, ...args], env);
    },
    /** The same, posting nothing. */
    startShowing: (args: readonly string[]) => begun(["webhook", "listen", ...args]),
    /** Runs it to its end. */
    listen: (...args: readonly string[]) =>
      commands.waypost("webhook", "listen", "--forward", world.receiver.url, ...args),
    received: (count: number) => until(`${count} events came`, () => world.receiver.calls.length >= count),
    /** An organization with a channel, and nothing of former tests. */
    async begin() {
      for (const listener of listeners.splice(0)) {
        listener.child.kill("SIGKILL");
        await listener.finished;
      }
      world.receiver.calls.length = 0;
      world.receiver.answersStatus(204);
      api.refuses(null);
      return organizationIn(world);
    },
    async close() {
      for (const { child } of listeners) child.kill("SIGKILL");
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
    /** A customer writes, which is an event. @returns whose it is. */
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

type Refusal = (response: ServerResponse) => void;

async function serveApi(services: Services) {
  const serve = nodeMount(createPublicHandler(services, appRouter));
  let refuse: Refusal | null = null;
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
    /** Requests that were refused since it refuses. */
    refused: () => refused,
    /** From now on it does that with each request; null: it answers again. */
    refuses(how: Refusal | null) {
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
  /** What it has printed so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves when it fetches. */
  listening(): Promise<unknown>;
  /** Ends it as Ctrl-C does. */
  stop(): Promise<Finished>;
}

function listenerOf(running: Running): Listener {
  const text = { stdout: "", stderr: "" };
  running.child.stdout.on("data", (chunk: Buffer) => (text.stdout += chunk.toString()));
  running.child.stderr.on("data", (chunk: Buffer) => (text.stderr += chunk.toString()));
  return {
    ...running,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    listening: () => until("it listens", () => /are posted to|are shown|"listening"/.test(text.stdout)),
    stop: () => {
      running.child.kill("SIGINT");
      return running.finished;
    },
  };
}
