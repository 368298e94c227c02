import { createHmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { callerError } from "./callers";
import { documentedError } from "./graph-errors";
import { bearerToken, sendGraphError, sendJson } from "./http";
import { type NodeFields, readFields } from "./node-fields";
import type { PhoneNumber } from "./numbers";
import type { SimulatorContext } from "./simulator-context";

interface PhoneNumberNode {
  readonly number: PhoneNumber;
  /** CONNECTED if there is no problem. */
  readonly status: string;
}

const fields = {
  verified_name: { isDefault: true, value: () => "Waypost Simulator" },
  code_verification_status: { isDefault: true, value: () => "VERIFIED" },
  display_phone_number: { isDefault: true, value: ({ number }) => number.display_phone_number },
  quality_rating: { isDefault: true, value: () => "GREEN" },
  platform_type: { isDefault: true, value: () => "CLOUD_API" },
  throughput: { isDefault: true, value: () => ({ level: "STANDARD" }) },
  name_status: { isDefault: false, value: () => "APPROVED" },
  status: { isDefault: false, value: ({ status }) => status },
  id: { isDefault: true, value: ({ number }) => number.phone_number_id },
} as const satisfies NodeFields<PhoneNumberNode>;

/** `GET /v{N}.{M}/{phone_number_id}?fields=a,b`. `id` is always included. Can be used to test the token. */
export function getPhoneNumber(
  context: SimulatorContext,
  phoneNumberId: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const number = context.numbers.get(phoneNumberId);
  const error = callerError(context, number, bearerToken(request));
  if (error !== null) return sendGraphError(response, error);
  if (number === null) return sendGraphError(response, { error: "object_unknown" });
  if (!isProved(number, query.get("appsecret_proof"))) {
    return sendGraphError(response, { error: "parameter_invalid", message: INVALID_PROOF });
  }
  const asked = readFields(query, { nodeType: "WhatsAppBusinessPhoneNumber", fields });
  if ("error" in asked) return sendGraphError(response, asked.error);
  const failure = context.failures.get(phoneNumberId);
  const status = (failure && documentedError(failure.error).numberStatus) ?? "CONNECTED";
  sendJson(response, 200, asked.show({ number, status }));
}

const INVALID_PROOF = "Invalid appsecret_proof provided in the API argument";

/** If a call contains a proof of the app secret, Meta checks it against the token. */
function isProved({ access_token, app_secret }: PhoneNumber, proof: string | null): boolean {
  return proof === null || proof === createHmac("sha256", app_secret).update(access_token).digest("hex");
}
