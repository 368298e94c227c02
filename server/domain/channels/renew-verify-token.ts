import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { newVerifyToken } from "./connect-number";
import type { ChannelInput } from "./input";
import { setChannel } from "./set";

/**
 * Gives a channel of Meta's a new verify token, for whoever hasn't the present one any more. A callback address that Meta
 * has verified already goes on working.
 * @returns the token: in this answer and nowhere else.
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
