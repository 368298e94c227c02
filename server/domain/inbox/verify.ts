import { Webhook, WebhookVerificationError } from "standardwebhooks";
import type { InboxFault } from "@/db/schema";

/** The request headers that the inbox stores, in lower case. */
export const KEPT_HEADERS = [
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
  "content-type",
  "user-agent",
] as const;

export type KeptHeaders = { readonly [Name in (typeof KEPT_HEADERS)[number]]?: string };

/**
 * Verifies as every receiver should: with the published package, over the raw body.
 * @returns why it can't be trusted; null if one of the secrets signed it at about the current time.
 */
export function faultOf(
  { headers, body }: { headers: KeptHeaders; body: string },
  secrets: readonly string[],
): InboxFault | null {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = headers;
  if (!id || !timestamp || !signature) return "unsigned";
  const faults = secrets.map((secret) => faultBySecret(secret, { ...headers }, body));
  if (faults.includes(null)) return null;
  return faults[0] ?? "wrong_signature";
}

function faultBySecret(secret: string, headers: Record<string, string>, body: string): InboxFault | null {
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return null;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    // The package has no error codes. Its messages about the time contain "timestamp"; a time that is no number makes
    // the headers invalid.
    return /timestamp|headers/i.test(error.message) ? "wrong_time" : "wrong_signature";
  }
}
