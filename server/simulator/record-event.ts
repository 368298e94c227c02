import { owedBy, type ChangeField, type EventRecord } from "./records";
import type { SimulatorContext } from "./simulator-context";

/** Resolves when the callback is owed for certain. `value` is in Meta's shape, without product and metadata. */
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

/** Seconds since 1970 as Meta writes them in messages. */
export function timestampOf(at: Date): string {
  return String(Math.floor(at.getTime() / 1000));
}
