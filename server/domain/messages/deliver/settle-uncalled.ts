import type { Services } from "@/server/core/context";
import { abandonOnError } from "./abandon-claim";
import { type ClaimedMessage, releaseClaim } from "./claim";
import { failWithoutCall } from "./fail-without-call";
import type { FailingMessage, OpenedAttempts } from "./open-attempts";

/**
 * Settles claimed messages without a call: fails those that violate a rule, and releases the others immediately. Never
 * throws.
 */
export async function settleUncalled(
  services: Services,
  {
    claimed,
    opened,
    waitingForMedia,
    failing,
  }: OpenedAttempts & { readonly claimed: readonly ClaimedMessage[] },
): Promise<void> {
  const calling = new Set([
    ...opened.map(({ messageId }) => messageId),
    ...waitingForMedia.map(({ id }) => id),
  ]);
  const messageIds = claimed.map(({ id }) => id).filter((id) => !calling.has(id));
  const token = claimed[0]?.claimToken;
  if (token === undefined || messageIds.length === 0) return;
  const claim = { token, messageIds };
  try {
    await abandonOnError(services, claim, async () => {
      for (const { code, detail, messages } of byReason(failing)) {
        await failWithoutCall(services, messages, code, { detail });
      }
      if (messageIds.length > failing.length) await releaseClaim(services, claim);
    });
  } catch (error) {
    services.log.warn({ err: error }, "releasing a claim failed: the claim will expire");
  }
}

/** Groups them by reason. */
function byReason(failing: readonly FailingMessage[]) {
  const groups = new Map<string, Omit<FailingMessage, "message"> & { messages: { id: string }[] }>();
  for (const { message, code, detail } of failing) {
    const name = JSON.stringify({ code, detail });
    const group = groups.get(name) ?? { code, detail, messages: [] };
    group.messages.push(message);
    groups.set(name, group);
  }
  return [...groups.values()];
}
