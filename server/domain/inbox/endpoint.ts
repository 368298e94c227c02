import type { SystemActor } from "@/server/core/actor";
import type { Context, Services } from "@/server/core/context";
import { createWebhook } from "@/server/domain/webhooks/endpoints/create";
import { inboxPath } from "./address";
import { demosWithoutInbox, moveInboxes } from "./claim";

const DESCRIPTION = "The demo’s own inbox: see Webhook inbox";
const ROWS_MAX = 100;

/**
 * Has all events of a demo organization posted to its inbox.
 * @param baseUrl where this service is reached; without a trailing slash.
 * @throws WaypostError `webhook_limit_reached`.
 */
export async function addInboxEndpoint(ctx: Context<SystemActor>, baseUrl: string): Promise<void> {
  const url = `${baseUrl}${inboxPath(ctx.actor.organizationId)}`;
  // Whoever makes it may be another process than the one that listens there.
  const services = { ...ctx.services, inboxUrls: () => new Set([url]) };
  await createWebhook({ ctx: { ...ctx, services }, input: { url, description: DESCRIPTION } });
}

/**
 * Has demo inboxes get their webhooks where this service is reached now, also those of organizations that were made before
 * there were inboxes. Whoever has removed the endpoint of theirs isn't given another. Never rejects: what fails is logged,
 * and tried again at the next start.
 */
export async function bringInboxesUpToDate(services: Services, baseUrl: string): Promise<void> {
  try {
    for (const endpointId of await moveInboxes(services.sql, baseUrl)) {
      services.jobs.wakeEndpoint(endpointId);
    }
    for (let afterId: string | null = null; ;) {
      const page: string[] = await demosWithoutInbox(services.sql, { afterId, rowsMax: ROWS_MAX });
      for (const organizationId of page) await addMissing(services, organizationId, baseUrl);
      afterId = page.at(-1) ?? null;
      if (afterId === null) return;
    }
  } catch (error) {
    services.log.warn({ err: error }, "the demo's webhook inboxes could not be brought up to date");
  }
}

async function addMissing(services: Services, organizationId: string, baseUrl: string): Promise<void> {
  const actor: SystemActor = { kind: "system", organizationId, job: "demo" };
  try {
    await addInboxEndpoint({ services, actor, requestId: null }, baseUrl);
  } catch (error) {
    services.log.warn({ err: error, organizationId }, "a demo's webhook inbox could not be made an endpoint");
  }
}
