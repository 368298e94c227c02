import type { SystemActor } from "@/server/core/actor";
import type { Context, Services } from "@/server/core/context";
import { organizationOfChannel } from "./claim";
import { CommandError } from "./command";

/**
 * Returns the context of a command that works on a channel, for the channel's organization.
 * @throws CommandError if there is no such channel.
 */
export async function requireChannel(
  services: Services,
  channelId: string,
  job: string,
): Promise<Context<SystemActor>> {
  const organizationId = await organizationOfChannel(services.orm, channelId);
  if (organizationId === null) {
    throw new CommandError("not_found", `There is no channel ${channelId}. \`channel list\` shows them.`);
  }
  return { services, actor: { kind: "system", organizationId, job }, requestId: null };
}
