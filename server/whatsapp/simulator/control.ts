import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { readJson, sendJson } from "@/server/whatsapp/simulator/http";
import { newWamid } from "@/server/whatsapp/simulator/ids";
import { phoneNumberSchema } from "@/server/whatsapp/simulator/numbers";
import { owedBy, type InboundRecord } from "@/server/whatsapp/simulator/records";
import type { SimulatorContext } from "@/server/whatsapp/simulator/simulator-context";

const putNumbersSchema = z.strictObject({ numbers: z.array(phoneNumberSchema).min(1).max(1000) });

const inboundSchema = z.strictObject({
  phone_number_id: z.string().min(1),
  from: z.string().regex(/^[1-9][0-9]{4,14}$/, "expected 5 to 15 digits, the first not 0"),
  text: z.strictObject({ body: z.string().min(1).max(4096) }),
  profile_name: z.string().min(1).max(512).optional(),
});

/** `PUT /simulator/numbers`: adds or replaces numbers, all or none. Answers without their secrets. */
export async function putNumbers(
  context: SimulatorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const input = await readInput(putNumbersSchema, request, response);
  if (input === null) return;
  await context.numbers.upsert(input.numbers);
  for (const number of input.numbers) context.dispatcher.setNumber(number);
  const numbers = input.numbers.map(({ phone_number_id, waba_id, display_phone_number, callback_url }) => {
    return { phone_number_id, waba_id, display_phone_number, callback_url };
  });
  sendJson(response, 200, { numbers });
}

/** `POST /simulator/inbound`: the customer writes. Answers `{ wamid }` when the callback is owed for certain. */
export async function postInbound(
  context: SimulatorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const input = await readInput(inboundSchema, request, response);
  if (input === null) return;
  if (context.numbers.get(input.phone_number_id) === null) {
    sendControlError(response, 400, "no number has this phone_number_id", "phone_number_id");
    return;
  }
  const now = new Date();
  const record: InboundRecord = {
    kind: "inbound",
    at: now.toISOString(),
    serial: context.journal.nextSerial(),
    at_ms: now.getTime(),
    phone_number_id: input.phone_number_id,
    from: input.from,
    wamid: newWamid("inbound", input.from),
    text: input.text.body,
    profile_name: input.profile_name ?? `Customer ${input.from.slice(-4)}`,
  };
  await context.journal.append(record);
  context.dispatcher.owe(owedBy(record));
  sendJson(response, 200, { wamid: record.wamid });
}

/** An error of the simulator's own routes: `{ error: { message, field? } }`. */
export function sendControlError(
  response: ServerResponse,
  status: number,
  message: string,
  field?: string,
): void {
  sendJson(response, status, { error: { message, ...(field === undefined ? {} : { field }) } });
}

async function readInput<Schema extends z.ZodType>(
  schema: Schema,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<z.infer<Schema> | null> {
  const body = await readJson(request);
  if (body.kind === "too_large") {
    sendControlError(response, 413, "the body is larger than 1 MB");
    return null;
  }
  if (body.kind === "not_json") {
    sendControlError(response, 400, "the body is not valid JSON");
    return null;
  }
  const parsed = schema.safeParse(body.value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = [
    ...(issue?.path ?? []),
    ...(issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : []),
  ];
  const field = path.join(".");
  sendControlError(response, 400, `${field || "body"}: ${issue?.message ?? "invalid"}`, field || undefined);
  return null;
}
