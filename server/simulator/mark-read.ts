import type { ServerResponse } from "node:http";
import { graphErrors, invalidParameter as invalid, notOneOf, type GraphError } from "./graph-errors";
import { sendGraphError, sendJson } from "./http";
import { asFields, type Fields } from "./fields";
import { productError } from "./message-request";
import { callerError } from "./numbers";
import type { MarkRecord } from "./records";
import type { SimulatorContext } from "./simulator-context";

/** Returns the body of `POST /{phone_number_id}/messages` if it marks a message as read. Null if it sends a message. */
export function markIn(body: unknown): Fields | null {
  const fields = asFields(body);
  return fields !== null && "status" in fields ? fields : null;
}

/**
 * Decides about a call that marks a customer's message as read, with or without a typing indicator. Returns its ledger
 * entry, and its response: `{ success: true }` or an error.
 */
export function decideMark(
  context: SimulatorContext,
  { phoneNumberId, token, mark }: { phoneNumberId: string; token: string | null; mark: Fields },
): { record: MarkRecord; answer(response: ServerResponse): void } {
  const error =
    callerError(context, context.numbers.get(phoneNumberId), token) ??
    markError(context, phoneNumberId, mark);
  const { httpStatus, code } = error === null ? { httpStatus: 200, code: null } : graphErrors[error.error];
  const record: MarkRecord = {
    kind: "mark",
    at: context.clock.now().toISOString(),
    phone_number_id: phoneNumberId,
    message_id: typeof mark.message_id === "string" ? mark.message_id : null,
    typing_indicator: "typing_indicator" in mark,
    status: httpStatus,
    code,
  };
  return {
    record,
    answer: (response) =>
      error === null ? sendJson(response, 200, { success: true }) : sendGraphError(response, error),
  };
}

function markError(context: SimulatorContext, phoneNumberId: string, mark: Fields): GraphError | null {
  const { status, message_id, typing_indicator } = mark;
  const error = productError(mark);
  if (error !== null) return error;
  if (status !== "read") return notOneOf("status", ["read"], status);
  if (typeof message_id !== "string" || message_id === "") {
    return invalid("The parameter message_id is required.");
  }
  if (typing_indicator !== undefined && asFields(typing_indicator)?.type !== "text") {
    return notOneOf("typing_indicator['type']", ["text"], asFields(typing_indicator)?.type);
  }
  if (context.journal.received.has(phoneNumberId, message_id, context.clock.nowMs())) return null;
  return {
    error: "parameter_value_invalid",
    details: "Parameter 'message_id' is not the id of a message that was received in the last 30 days.",
  };
}
