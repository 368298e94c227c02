import type { SystemActor } from "@/server/core/actor";
import type { Context, Services } from "@/server/core/context";
import { syncTemplates } from "./sync";

const CHANNELS_PER_QUERY = 200;
const AT_ONCE_MAX = 4;

interface Synchronised {
  readonly id: string;
  readonly organizationId: string;
}

/**
 * Synchronizes the templates of every enabled channel, of all organizations. Ends early when the process stops. Never
 * rejects: failures are logged, and retried with the next run.
 */
export async function syncAllTemplates(
  services: Services,
  { upstream = null }: { upstream?: "meta" | "simulator" | null } = {},
): Promise<void> {
  try {
    for (let afterId: string | null = null; ;) {
      const page = await channelsAfter(services, upstream, afterId);
      for (let next = 0; next < page.length && !services.lifecycle.isStopping(); next += AT_ONCE_MAX) {
        await Promise.all(
          page.slice(next, next + AT_ONCE_MAX).map((channel) => syncChannel(services, channel)),
        );
      }
      const last = page.at(-1);
      if (!last || services.lifecycle.isStopping()) return;
      afterId = last.id;
    }
  } catch (error) {
    // During a shutdown, closed connections make it fail.
    if (!services.lifecycle.isStopping()) services.log.warn({ err: error }, "synchronizing templates failed");
  }
}

async function syncChannel(services: Services, { id, organizationId }: Synchronised): Promise<void> {
  const actor: SystemActor = { kind: "system", organizationId, job: "template sync" };
  const ctx: Context<SystemActor> = { services, actor, requestId: null };
  const result = await syncTemplates({ ctx, input: { channelId: id } }).catch((error: unknown) => {
    if (!services.lifecycle.isStopping())
      services.log.warn({ err: error, channelId: id }, "synchronizing a channel's templates failed");
    return null;
  });
  if (result?.kind === "failed") {
    services.log.warn({ channelId: id, reason: result.reason }, "reading a channel's templates failed");
  }
}

async function channelsAfter(
  { sql }: Services,
  upstream: "meta" | "simulator" | null,
  afterId: string | null,
): Promise<Synchronised[]> {
  return sql<Synchronised[]>`
    select id, organization_id as "organizationId" from channels
    where disabled_at is null
      and (${upstream}::text is null or upstream = ${upstream})
      and (${afterId}::uuid is null or id > ${afterId})
    order by id limit ${CHANNELS_PER_QUERY}`;
}
