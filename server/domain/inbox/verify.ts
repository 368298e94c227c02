import { Webhook, WebhookVerificationError } from "standardwebhooks";
import type { InboxFault } from "@/db/schema";

/** Those of a request that the inbox keeps, by their names in lower case. */
export const KEPT_HEADERS = [
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
  "content-type",
  "user-agent",
] as const;

export type KeptHeaders = { readonly [Name in (typeof KEPT_HEADERS)[number]]?: string };

/**
 * As every receiver should: by the published package, over the raw body.
 * @returns why it can't be trusted; null where one of the secrets signed it, about now.
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
    // The package has no codes. What it says of the time names it; a time that is no number makes the headers invalid.
    return /timestamp|headers/i.test(error.message) ? "wrong_time" : "wrong_signature";
  }
}
