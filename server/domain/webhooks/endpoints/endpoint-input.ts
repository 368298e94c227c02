import { allowedChannels } from "@/server/core/channel-access";
import { requireKnownChannels } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
import { inboxUrls } from "@/server/core/service-urls";
import { WaypostError } from "@/server/platform/errors";
import { vetUrl } from "@/server/adapters/outbound/vet-url";

const ELSEWHERE =
  "To receive events on a machine that isn't public, run `npm run -s waypost -- webhook listen --forward URL` there in a " +
  "checkout of Waypost, or make an endpoint without a URL and fetch its events.";

/**
 * Checks the URL. Resolves the host, so don't call it within a transaction. @throws WaypostError
 * `webhook_url_forbidden`.
 */
export async function requireAllowedUrl({ services, actor }: Context, url: string): Promise<void> {
  const { allowedPrivateHosts } = services.config;
  const exemptUrls = inboxUrls(services.urls, actor.organizationId);
  const vetting = await vetUrl(url, { allowedPrivateHosts, exemptUrls });
  if (vetting.kind === "allowed") return;
  throw new WaypostError("webhook_url_forbidden", {
    message: `The URL can't be used: ${vetting.reason}.${vetting.isPrivate ? ` ${ELSEWHERE}` : ""}`,
    field: "url",
  });
}

/**
 * Returns the channels that an endpoint is limited to; null means all that the actor may use.
 * @throws WaypostError `channel_forbidden` for one that the actor can't see.
 */
export async function endpointChannels(
  ctx: Context,
  channelIds: readonly string[] | null,
): Promise<string[] | null> {
  const limited = channelIds ?? allowedChannels(ctx);
  if (limited === null) return null;
  await requireKnownChannels(ctx, limited, "channel_ids");
  return [...limited];
}
