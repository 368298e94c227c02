import type { IncomingMessage, ServerResponse } from "node:http";
import { callerRefusal } from "@/server/whatsapp/simulator/callers";
import { documentedError, invalidParameter } from "@/server/whatsapp/simulator/graph-errors";
import { bearerToken, sendGraphError, sendJson } from "@/server/whatsapp/simulator/http";
import type { PhoneNumber } from "@/server/whatsapp/simulator/numbers";
import type { SimulatorContext } from "@/server/whatsapp/simulator/simulator-context";

interface PhoneNumberNode {
  readonly number: PhoneNumber;
  /** CONNECTED where nothing is wrong. */
  readonly status: string;
}

/** The fields of a phone number node; `isDefault` ones are answered without `fields`. */
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
} as const satisfies Record<string, { isDefault: boolean; value(node: PhoneNumberNode): unknown }>;

/** `GET /v{N}.{M}/{phone_number_id}?fields=a,b`. `id` is always there, and of use to probe the token. */
export function getPhoneNumber(
  context: SimulatorContext,
  phoneNumberId: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const number = context.numbers.get(phoneNumberId);
  const refusal = callerRefusal(context, number, bearerToken(request));
  if (refusal !== null) return sendGraphError(response, refusal);
  if (number === null) return sendGraphError(response, { error: "object_unknown" });
  const wanted =
    query
      .get("fields")
      ?.split(",")
      .filter((name) => name !== "") ?? null;
  const unknown = wanted?.find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) {
    return sendGraphError(
      response,
      invalidParameter(
        `Tried accessing nonexisting field (${unknown.slice(0, 40)}) on node type (WhatsAppBusinessPhoneNumber)`,
      ),
    );
  }
  const failure = context.failures.get(phoneNumberId);
  const status = (failure && documentedError(failure.error).numberStatus) ?? "CONNECTED";
  const entries = Object.entries(fields)
    .filter(([name, { isDefault }]) => name === "id" || (wanted?.includes(name) ?? isDefault))
    .map(([name, { value }]) => [name, value({ number, status })]);
  sendJson(response, 200, Object.fromEntries(entries));
}
