import { HANDLE_PATTERN } from "@/server/adapters/whatsapp/handles";
import { WaypostError } from "@/server/platform/errors";

/**
 * Makes the two checks of POST /messages that precede validation, on the raw body: a missing `client_message_id`, then
 * an impossible number.
 * @throws WaypostError `client_message_id_required`, `invalid_whatsapp_number`.
 */
export function precheckSend(raw: Readonly<Record<string, unknown>>): void {
  const id = raw.client_message_id;
  if (id === undefined || id === null || id === "") {
    throw new WaypostError("client_message_id_required", { field: "client_message_id" });
  }
  const to = raw.to;
  if (typeof to !== "object" || to === null || !("handle" in to)) return;
  if ("kind" in to && to.kind === "whatsapp_user") return;
  if (typeof to.handle === "string" && !HANDLE_PATTERN.test(to.handle)) throw invalidNumber(to.handle);
}

function invalidNumber(handle: string): WaypostError {
  const corrected = handle.replace(/^\s*(\+|00)/, "").replace(/[\s().-]/g, "");
  const message = HANDLE_PATTERN.test(corrected)
    ? `The number isn't in E.164 form without the plus sign. Send ${corrected}.`
    : undefined;
  return new WaypostError("invalid_whatsapp_number", { field: "to.handle", message });
}
