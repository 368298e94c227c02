import { accessTokenPurpose } from "@/server/platform/secrets/vault";
import type { Context } from "@/server/core/context";
import type { TemplateCaller } from "@/server/adapters/whatsapp/template-client";

/**
 * Returns how to call the upstream for the templates of a channel's account; null for an unknown channel, or without a
 * known upstream.
 */
export async function templateCaller(ctx: Context, channelId: string): Promise<TemplateCaller | null> {
  const { sql, vault, urls } = ctx.services;
  const [channel] = await sql<
    { upstream: "meta" | "simulator"; wabaId: string; accessTokenEncrypted: string }[]
  >`
    select upstream, waba_id as "wabaId", access_token_encrypted as "accessTokenEncrypted" from channels
    where id = ${channelId} and organization_id = ${ctx.actor.organizationId}`;
  const baseUrl = channel === undefined ? null : urls.upstream(channel.upstream);
  if (channel === undefined || baseUrl === null) return null;
  const accessToken = vault.decrypt(channel.accessTokenEncrypted, accessTokenPurpose(channelId));
  return { baseUrl, wabaId: channel.wabaId, accessToken };
}
