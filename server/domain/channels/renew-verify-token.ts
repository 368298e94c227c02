import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { newVerifyToken } from "./connect-number";
import type { ChannelInput } from "./input";
import { setChannel } from "./set";

/**
 * Gives a channel at Meta a new verify token, for people who have lost the current one. A callback URL that Meta has
 * already verified keeps working.
 * @returns the token, only in this response.
 * @throws WaypostError as `setChannel` does.
 */
export async function renewVerifyToken(args: {
  ctx: Context;
  input: ChannelInput;
}): Promise<{ verifyToken: string }> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "channels.manage");
  const verifyToken = newVerifyToken();
  await setChannel({ ctx, input: { channelId: input.channelId, verifyToken } });
  return { verifyToken };
}
