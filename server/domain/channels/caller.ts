import type { Services } from "@/server/core/context";
import type { ServiceUrls } from "@/server/core/service-urls";
import { type CallOutcome, unanswered } from "@/server/adapters/whatsapp/answer";
import type { Caller } from "@/server/adapters/whatsapp/client";
import { accessTokenPurpose } from "@/server/platform/secrets/vault";

export interface CallableChannel {
  readonly id: string;
  readonly upstream: "meta" | "simulator";
  readonly phoneNumberId: string;
  readonly accessTokenEncrypted: string;
}

/**
 * Returns where and with which credentials to call the upstream for a channel; or, if that is unknown now, why nothing
 * was sent. A token that can't be decrypted counts as invalid: the channel waits for another one.
 */
export function callerOf(
  services: Pick<Services, "vault"> &
    Partial<Pick<Services, "log">> & { urls: Pick<ServiceUrls, "upstream"> },
  channel: CallableChannel,
): Caller | Extract<CallOutcome, { kind: "retry" }> {
  const baseUrl = services.urls.upstream(channel.upstream);
  if (baseUrl === null) return { kind: "retry", detail: unanswered("no simulator is running") };
  try {
    const accessToken = services.vault.decrypt(channel.accessTokenEncrypted, accessTokenPurpose(channel.id));
    return { baseUrl, phoneNumberId: channel.phoneNumberId, accessToken };
  } catch {
    services.log?.error(
      { channelId: channel.id },
      "a channel's access token can't be decrypted: it was stored under another secret, or is damaged",
    );
    const detail = unanswered("the channel's access token can't be decrypted");
    return { kind: "retry", pauseReason: "credentials_invalid", detail };
  }
}
