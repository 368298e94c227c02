import { z } from "zod";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { syncTemplates, type TemplateSync } from "./sync";

export const refreshTemplatesInput = z.strictObject({});

/** Minimum time between two requests to one account, whoever makes them. */
const PAUSE_SECONDS = 30;
/** The channels whose last request is longest ago. The others follow next time, or automatically within ten minutes. */
const CHANNELS_MAX = 20;
const AT_ONCE_MAX = 4;
/** A user waits for it. */
const CALL_TIMEOUT_MS = 10_000;

export interface TemplatesRefreshed {
  /** Channels whose account was called; 0 if all were called a moment ago. */
  readonly asked: number;
  /** Those whose account returned no templates; the channels say why. */
  readonly failed: number;
  /** New or changed templates. */
  readonly changed: number;
}

/**
 * Reads the templates of the organization's enabled channels from their accounts. However often and by however many it
 * is called, each account is called once in half a minute.
 * @throws WaypostError `permission_denied` for keys, and without `templates.read`.
 */
export async function refreshTemplates({ ctx }: { ctx: Context }): Promise<TemplatesRefreshed> {
  requireMemberCapability(ctx.actor, "templates.read");
  const waiting = (await claimChannels(ctx)).values();
  const outcomes: TemplateSync[] = [];
  const askOneByOne = async () => {
    for (const channelId of waiting) outcomes.push(await refresh(ctx, channelId));
  };
  await Promise.all(Array.from({ length: AT_ONCE_MAX }, askOneByOne));
  return {
    asked: outcomes.length,
    failed: outcomes.filter(({ kind }) => kind === "failed").length,
    changed: outcomes.reduce((sum, one) => sum + (one.kind === "synced" ? one.changed + one.gone : 0), 0),
  };
}

async function refresh(ctx: Context, channelId: string): Promise<TemplateSync> {
  try {
    return await syncTemplates({ ctx, input: { channelId, timeoutMs: CALL_TIMEOUT_MS } });
  } catch (error) {
    ctx.services.log.warn({ err: error, channelId }, "synchronizing a channel's templates failed");
    return { kind: "failed", reason: "the templates could not be synchronized" };
  }
}

async function claimChannels({ services, actor }: Context): Promise<string[]> {
  const { organizationId } = actor;
  const rows = await services.sql<{ id: string }[]>`
    update channels set templates_asked_at = clock_timestamp()
    where organization_id = ${organizationId} and id in (
      select id from channels
      where organization_id = ${organizationId} and disabled_at is null
        and (templates_asked_at is null
          or templates_asked_at < clock_timestamp() - make_interval(secs => ${PAUSE_SECONDS}))
      order by templates_asked_at nulls first, id limit ${CHANNELS_MAX} for no key update)
    returning id`;
  return rows.map(({ id }) => id);
}
