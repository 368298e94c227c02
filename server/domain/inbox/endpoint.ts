import type { SystemActor } from "@/server/core/actor";
import type { Context, Services } from "@/server/core/context";
import { createWebhook } from "@/server/domain/webhooks/endpoints/create";
import { inboxPath } from "@/server/core/service-urls";
import { demosWithoutInbox, moveInboxes } from "./claim";

const DESCRIPTION = "Webhook inbox";
const ROWS_MAX = 100;

/**
 * Adds an endpoint that posts all events of a demo organization to its inbox.
 * @param baseUrl this service's URL, without a trailing slash.
 * @throws WaypostError `webhook_limit_reached`.
 */
export async function addInboxEndpoint(ctx: Context<SystemActor>, baseUrl: string): Promise<void> {
  const url = `${baseUrl}${inboxPath(ctx.actor.organizationId)}`;
  // The process that creates it may be another one than the process that listens there.
  const services = { ...ctx.services, urls: { ...ctx.services.urls, own: () => [baseUrl] } };
  await createWebhook({ ctx: { ...ctx, services }, input: { url, description: DESCRIPTION } });
}

/**
 * Points demo inboxes at this service's current URL, also in organizations that were created before inboxes existed. An
 * inbox whose endpoint was removed gets no new one. Never rejects: failures are logged, and the next start retries.
 */
export async function updateInboxUrls(services: Services, baseUrl: string): Promise<void> {
  try {
    for (const endpointId of await moveInboxes(services.sql, baseUrl)) {
      services.jobs.notifyEndpoint(endpointId);
    }
    for (let afterId: string | null = null; ;) {
      const page: string[] = await demosWithoutInbox(services.sql, { afterId, rowsMax: ROWS_MAX });
      for (const organizationId of page) await addMissing(services, organizationId, baseUrl);
      afterId = page.at(-1) ?? null;
      if (afterId === null) return;
    }
  } catch (error) {
    services.log.warn({ err: error }, "updating the demos' webhook inboxes failed");
  }
}

async function addMissing(services: Services, organizationId: string, baseUrl: string): Promise<void> {
  const actor: SystemActor = { kind: "system", organizationId, job: "demo" };
  try {
    await addInboxEndpoint({ services, actor, requestId: null }, baseUrl);
  } catch (error) {
    services.log.warn({ err: error, organizationId }, "adding a demo's webhook inbox as an endpoint failed");
  }
}
