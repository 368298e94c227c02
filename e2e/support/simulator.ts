import { z } from "zod";
import { limitMs } from "./machine-speed";

const TIMEOUT_MS = limitMs(60_000);

const ledgerSchema = z.object({
  messages: z.array(
    z.object({
      wamid: z.string(),
      phone_number_id: z.string(),
      to: z.string(),
      type: z.string(),
      biz_opaque_callback_data: z.string().nullable(),
      body: z.unknown(),
      /** The quoted message. */
      context: z.object({ message_id: z.string() }).optional(),
      at: z.iso.datetime(),
    }),
  ),
  calls: z.array(
    z.object({
      at: z.iso.datetime(),
      biz_opaque_callback_data: z.string().nullable(),
      phone_number_id: z.string(),
      to: z.string().nullable(),
      status: z.number(),
      code: z.number().nullable(),
      wamid: z.string().nullable(),
    }),
  ),
});

/** Everything that the upstream received: accepted `messages`, and all `calls`. */
export type Ledger = z.infer<typeof ledgerSchema>;

export async function readLedger(simulatorUrl: string): Promise<Ledger> {
  return ledgerSchema.parse(await call(simulatorUrl, "GET", "/ledger"));
}

/** Returns entries of accepted messages with this message id of ours. */
export async function ledgerEntriesOf(simulatorUrl: string, messageId: string): Promise<Ledger["messages"]> {
  const { messages } = await readLedger(simulatorUrl);
  return messages.filter((message) => message.biz_opaque_callback_data === messageId);
}

const marksSchema = z.object({
  marks: z.array(
    z.object({
      message_id: z.string().nullable(),
      typing_indicator: z.boolean(),
      status: z.number(),
      code: z.number().nullable(),
    }),
  ),
});

/** Returns the marks as read of one number, in order. */
export async function marksOf(simulatorUrl: string, phoneNumberId: string) {
  return marksSchema.parse(await call(simulatorUrl, "GET", `/ledger?phone_number_id=${phoneNumberId}`)).marks;
}

/** The customer writes to one of our numbers. */
export async function customerWrites(
  simulatorUrl: string,
  { phoneNumberId, from, body }: { phoneNumberId: string; from: string; body: string },
): Promise<void> {
  await customerSends(simulatorUrl, { phoneNumberId, from, type: "text", content: { body } });
}

const sentSchema = z.object({ wamid: z.string() });

/** The customer sends a message of any WhatsApp type, with its content in Meta's form. Returns WhatsApp's id of it. */
export async function customerSends(
  simulatorUrl: string,
  {
    phoneNumberId,
    from,
    type,
    content,
    quotes,
    demoFile,
  }: {
    phoneNumberId: string;
    from: string;
    type: string;
    content: object;
    /** WhatsApp's id of the message that the customer quotes or answers. */
    quotes?: string;
    /** The name of the message's file, of those on the customer's phone. */
    demoFile?: string;
  },
): Promise<string> {
  const answer = await call(simulatorUrl, "POST", "/simulator/inbound", {
    phone_number_id: phoneNumberId,
    from,
    type,
    [type]: content,
    ...(quotes === undefined ? {} : { context: { id: quotes } }),
    ...(demoFile === undefined ? {} : { demo_file: demoFile }),
  });
  return sentSchema.parse(answer).wamid;
}

const shownMessageSchema = z.looseObject({
  id: z.string(),
  from: z.enum(["business", "customer", "note"]),
  type: z.string(),
  quotes: z.string().nullable(),
  bubble: z.looseObject({ media: z.looseObject({ id: z.string().optional() }).optional() }),
  reactions: z.object({ business: z.string().nullable(), customer: z.string().nullable() }),
});

/** A message as a customer's phone shows it. */
export type ShownMessage = z.infer<typeof shownMessageSchema>;

/** Returns what the customer's phone shows of its messages with one of our numbers. */
export async function phoneOf(
  simulatorUrl: string,
  { phoneNumberId, from }: { phoneNumberId: string; from: string },
): Promise<readonly ShownMessage[]> {
  const query = new URLSearchParams({ phone_number_id: phoneNumberId, customer: from }).toString();
  const phone = await call(simulatorUrl, "GET", `/simulator/phone?${query}`);
  return z.object({ messages: z.array(shownMessageSchema) }).parse(phone).messages;
}

/** Returns the bytes of a file that a message on a phone contains. */
export async function fileOnPhone(
  simulatorUrl: string,
  { phoneNumberId, id }: { phoneNumberId: string; id: string },
): Promise<Buffer> {
  const response = await fetch(`${simulatorUrl}/simulator/media/${id}?phone_number_id=${phoneNumberId}`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200) throw new Error(`The simulator answered ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

/** Every send of the number fails with this error, by the simulator's name for it, until it is null. */
export async function failNumber(
  simulatorUrl: string,
  phoneNumberId: string,
  error: string | null,
): Promise<void> {
  await call(simulatorUrl, "PUT", `/simulator/numbers/${phoneNumberId}/failure`, { error });
}

async function call(simulatorUrl: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${simulatorUrl}${path}`, {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`The simulator answered ${response.status}: ${text}`);
  return JSON.parse(text);
}
