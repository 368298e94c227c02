import { once } from "node:events";
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";
import { demoInbox, newId } from "@/db/schema";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { fetchNodeMount } from "@/server/edge/http/fetch-mount";
import { createOrganization } from "@/server/domain/organizations/create";
import { openTestWorld, type TestWorldOptions } from "@/server/domain/organizations/testing";
import { createOutboundClient } from "@/server/adapters/outbound/post";
import { inboxPath } from "@/server/core/service-urls";
import { addInboxEndpoint } from "./endpoint";
import { inboxMount } from "@/server/edge/inbox/mount";

/**
 * Opens the inboxes of a database at their own base URL. Only these are exceptions to the ban on calls to private
 * addresses.
 */
export async function openInboxWorld(options?: TestWorldOptions) {
  const world = await openTestWorld(options);
  const server = createServer((req, res) => void serve(req, res));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The inboxes have no port");
  const baseUrl = `http://127.0.0.1:${address.port}`;
  const outbound = createOutboundClient({ allowedPrivateHosts: new Set(), connectionsPerHostMax: 8 });
  const services = {
    ...world.services,
    outbound,
    urls: { ...world.services.urls, own: () => [baseUrl] },
  };
  const serve = fetchNodeMount(inboxMount(services));
  return {
    services,
    sql: world.database.sql,
    baseUrl,
    close: async () => {
      await outbound.close();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      await world.close();
    },
  };
}

export type InboxWorld = Awaited<ReturnType<typeof openInboxWorld>>;

/** Creates a demo organization with nothing but its inbox, which its endpoint delivers to. */
export async function newDemo({ services, sql, baseUrl }: InboxWorld) {
  const { ctx } = await createOrganization({ services, job: "test", input: { name: "Demo", isDemo: true } });
  await addInboxEndpoint(ctx, baseUrl);
  const [endpoint] = await sql<{ id: string }[]>`
    select id from webhook_endpoints where organization_id = ${ctx.actor.organizationId}`;
  if (!endpoint) throw new Error("The demo has no endpoint");
  return { ctx, endpointId: endpoint.id, url: `${baseUrl}${inboxPath(ctx.actor.organizationId)}` };
}

/** Headers that make the body genuine, unless overridden. */
export function signedHeaders(
  secret: string,
  body: string,
  { id = newId(), at = new Date() }: { id?: string; at?: Date } = {},
): Record<string, string> {
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, at, body),
  };
}

/** Adds a webhook to the organization's inbox: a genuine one by default. @returns its id. */
export async function addReceived(
  { services, actor }: Context,
  received: Partial<typeof demoInbox.$inferInsert> = {},
): Promise<string> {
  const id = newId();
  const body = '{"type":"message.sent"}';
  await services.orm.insert(demoInbox).values({
    id,
    organizationId: actor.organizationId,
    headers: { "webhook-id": id },
    body,
    bodyBytes: body.length,
    type: "message.sent",
    ...received,
  });
  return id;
}

interface StoredWebhook {
  readonly fault: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bodyBytes: number;
  readonly type: string | null;
  readonly messageId: string | null;
}

/** Returns the contents of the inbox, oldest first. */
export const storedIn = ({ sql }: InboxWorld, { actor }: Context<SystemActor>) => sql<StoredWebhook[]>`
  select fault, headers, body, body_bytes as "bodyBytes", type, message_id as "messageId" from demo_inbox
  where organization_id = ${actor.organizationId} order by received_at, id`;
