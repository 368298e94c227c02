import { owedBy, type ChangeField, type EventRecord } from "./records";
import type { SimulatorContext } from "./simulator-context";

/** Resolves when the callback is stored for delivery. `value` is in Meta's format, without product and metadata. */
export async function recordEvent(
  context: SimulatorContext,
  event: { phone_number_id: string; field: ChangeField; value: object; at: Date },
): Promise<void> {
  const { phone_number_id, field, value, at } = event;
  const record: EventRecord = {
    kind: "change",
    at: at.toISOString(),
    serial: context.journal.nextSerial(),
    at_ms: at.getTime(),
    phone_number_id,
    field,
    value,
  };
  await context.journal.append(record);
  context.dispatcher.owe(owedBy(record));
}

/** Returns seconds since 1970 in the format of Meta's messages. */
export function timestampOf(at: Date): string {
  return String(Math.floor(at.getTime() / 1000));
}
