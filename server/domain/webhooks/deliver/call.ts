import type { Services } from "@/server/core/context";
import { inboxUrls } from "@/server/core/service-urls";
import type { ClaimedDelivery } from "./claim";
import { signatureHeaders } from "../endpoints/secret";
import { type AttemptResult, toAttemptResult } from "../endpoints/attempt-result";

/** A 2xx within this time is a success. */
export const CALL_TIMEOUT_MS = 15_000;

const ERASED: AttemptResult = {
  errorClass: "erased",
  httpStatus: null,
  answer: null,
  durationMs: 0,
  isOverloaded: false,
  retryAfterSeconds: null,
  backsOff: false,
};

/**
 * Makes the call of a delivery, signed now, with the stored bytes; makes none if they are erased.
 * @throws Error if the secret can't be decrypted.
 */
export async function callEndpoint(
  { vault, outbound, urls }: Pick<Services, "vault" | "outbound" | "urls">,
  delivery: Pick<
    ClaimedDelivery,
    "webhookId" | "organizationId" | "url" | "body" | "endpointId" | "secretsEncrypted"
  >,
): Promise<AttemptResult> {
  const { webhookId, url, body } = delivery;
  if (body === null) return ERASED;
  const at = new Date();
  const result = await outbound.post({
    url,
    exemptUrls: inboxUrls(urls, delivery.organizationId),
    headers: {
      "content-type": "application/json",
      "user-agent": "Waypost",
      ...signatureHeaders(vault, delivery, { webhookId, at, body }),
    },
    body,
    timeoutMs: CALL_TIMEOUT_MS,
  });
  return toAttemptResult(result, new Date());
}
