import { sql } from "drizzle-orm";
import type { OrmTransaction } from "@/db/client";
import { recordAudit } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import {
  type Endpoint,
  endpointShape,
  lockEndpoint,
  readEndpoint,
  shownUrl,
  updateEndpoint,
} from "./endpoint";
import { endpointChannels, requireAllowedUrl } from "./endpoint-input";
import { HEALTHY } from "./health";
import { setWebhookInput, type SetWebhookInput, type WebhookOutput } from "./schemas";

/** Calls running during the change no longer count. */
const AS_NEW = { ...HEALTHY, healthSince: sql`clock_timestamp()` };

const SETTINGS = ["url", "events", "description", "channelIds"] as const;
type Settings = Pick<Endpoint, (typeof SETTINGS)[number]>;

/**
 * Changes the given properties of a webhook endpoint. Absent ones stay unchanged. Enabling it, or a different URL,
 * resets its failures and its back-off. Setting the current values changes nothing.
 * @throws WaypostError `missing_scope`; `permission_denied`; `webhook_not_found`; `webhook_url_forbidden`;
 * `channel_forbidden`; `validation_failed`, also for adding a URL to an endpoint without one, or removing it.
 */
export async function setWebhook(args: { ctx: Context; input: SetWebhookInput }): Promise<WebhookOutput> {
  const { ctx } = args;
  requireCapability(ctx.actor, "webhooks.manage");
  const { id, channel_ids, enabled, ...given } = parseInput(setWebhookInput, args.input);
  const { url } = await readEndpoint(ctx, id);
  if (given.url !== undefined && given.url !== url) await requireSettableUrl(ctx, url, given.url);
  const channelIds = channel_ids === undefined ? undefined : await endpointChannels(ctx, channel_ids);
  const [before, after] = await ctx.services.orm.transaction(async (tx) => {
    const locked = await lockEndpoint(tx, ctx, id);
    const changed = await changeSettings(tx, ctx, locked, { ...given, channelIds });
    return [locked, enabled === undefined ? changed : await setEnabled(tx, ctx, changed, enabled)];
  });
  // Waiting deliveries now go to a different URL, become due, or are skipped.
  const isTurned = (before.disabledAt === null) !== (after.disabledAt === null);
  if (isTurned || before.url !== after.url) ctx.services.jobs.notifyEndpoint(after.id);
  return endpointShape(after);
}

async function requireSettableUrl(ctx: Context, from: string | null, to: string | null): Promise<void> {
  if (from !== null && to !== null) return requireAllowedUrl(ctx, to);
  const message =
    from === null
      ? "`url` can't be set: the events of this endpoint wait to be fetched. Make another one for a URL."
      : "`url` can't be removed. To fetch events, create another endpoint without a URL.";
  throw new WaypostError("validation_failed", { message, field: "url" });
}

async function changeSettings(
  tx: OrmTransaction,
  ctx: Context,
  before: Endpoint,
  given: { readonly [Name in keyof Settings]?: Settings[Name] | undefined },
): Promise<Endpoint> {
  const changed = SETTINGS.filter((name) => given[name] !== undefined && !isEqual(given[name], before[name]));
  if (changed.length === 0) return before;
  const after = await updateEndpoint(tx, before, {
    ...Object.fromEntries(changed.map((name) => [name, given[name]])),
    ...(changed.includes("url") ? AS_NEW : {}),
  });
  await recordAudit(tx, ctx, {
    action: "webhook.set",
    subjectKind: "webhook",
    subjectId: before.id,
    detail: { from: shown(before, changed), to: shown(after, changed) },
  });
  return after;
}

async function setEnabled(
  tx: OrmTransaction,
  ctx: Context,
  before: Endpoint,
  enabled: boolean,
): Promise<Endpoint> {
  if (enabled === (before.disabledAt === null)) return before;
  const after = await updateEndpoint(
    tx,
    before,
    enabled
      ? { ...AS_NEW, disabledAt: null, disabledReason: null }
      : { disabledAt: sql`now()`, disabledReason: "member" },
  );
  await recordAudit(tx, ctx, {
    action: enabled ? "webhook.enabled" : "webhook.disabled",
    subjectKind: "webhook",
    subjectId: before.id,
    detail: enabled ? { disabledFor: before.disabledReason } : { reason: after.disabledReason },
  });
  return after;
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function shown(settings: Settings, names: readonly (keyof Settings)[]): Record<string, unknown> {
  const all = { ...settings, url: shownUrl(settings.url) };
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}
