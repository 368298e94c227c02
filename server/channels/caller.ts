import type { Services } from "../context";
import type { CallOutcome } from "../whatsapp/answer";
import type { Caller } from "../whatsapp/client";
import { accessTokenPurpose } from "./connect";

export interface CallableChannel {
  readonly id: string;
  readonly upstream: "meta" | "simulator";
  readonly phoneNumberId: string;
  readonly accessTokenEncrypted: string;
}

/** Where and as whom the upstream is called for a channel; or, where that can't be known now, why nothing was sent. */
export function callerOf(
  services: Pick<Services, "upstreamUrl" | "vault">,
  channel: CallableChannel,
): Caller | Extract<CallOutcome, { kind: "retry" }> {
  const baseUrl = services.upstreamUrl(channel.upstream);
  if (baseUrl === null) return notSent("no simulator is running");
  try {
    const accessToken = services.vault.decrypt(channel.accessTokenEncrypted, accessTokenPurpose(channel.id));
    return { baseUrl, phoneNumberId: channel.phoneNumberId, accessToken };
  } catch {
    return notSent("the channel's access token can't be decrypted");
  }
}

function notSent(reason: string): Extract<CallOutcome, { kind: "retry" }> {
  return { kind: "retry", detail: { httpStatus: null, upstreamCode: null, reason } };
}
