import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { cameraRoll } from "./camera-roll";
import { refuseUnknownNumber } from "./control";
import { asFields } from "./fields";
import { readInput, sendControlError, sendJson } from "./http";
import { isPossible, nextOutcomeNames, nextOutcomes } from "./next-outcomes";
import type { Phone } from "./phone";
import { templateBubble } from "./phone-template";
import { owedBy, type StatusesRecord } from "./records";
import type { SimulatorContext } from "./simulator-context";

const customerPattern = /^([1-9][0-9]{4,14}|[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128})$/;
const customerRule = "expected a number of 5 to 15 digits, or an id such as US.13491208655302741918";
const customerField = z.string().regex(customerPattern, customerRule);

/** Without the bytes. */
const shownRoll = cameraRoll.map(({ name, type, title, mime_type, filename }) => {
  return { name, type, title, mime_type, filename };
});

const customerSchema = z.strictObject({ phone_number_id: z.string().min(1), customer: customerField });

const nextOutcomeSchema = customerSchema.extend({ outcome: z.enum(nextOutcomeNames()).nullable() });

/**
 * `GET /simulator/phone?phone_number_id=&customer=&after=`: what the customer's phone shows of its messages with the
 * number. With `after`, the cursor of an earlier response, only what has changed since then.
 */
export async function getPhone(
  context: SimulatorContext,
  query: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const phoneNumberId = query.get("phone_number_id") ?? "";
  const customer = query.get("customer") ?? "";
  if (refuseUnknownNumber(context, phoneNumberId, response)) return;
  if (!customerPattern.test(customer)) {
    sendControlError(response, 400, `customer: ${customerRule}`, "customer");
    return;
  }
  const phone = await phoneOf(context, phoneNumberId, customer);
  sendJson(response, 200, {
    business: { display_phone_number: context.numbers.get(phoneNumberId)?.display_phone_number ?? "" },
    customer,
    ...phone.view(query.get("after"), context.clock.nowMs()),
    next_outcome: context.nextOutcomes.get({ phoneNumberId, customer }),
    next_outcomes: nextOutcomeNames()
      .filter((name) => isPossible(name, customer))
      .map((name) => ({ name, description: nextOutcomes[name].description })),
    camera_roll: shownRoll,
  });
}

/** `PUT /simulator/next-outcome`: what happens to the next message to the customer, once. Null removes it. */
export async function putNextOutcome(
  context: SimulatorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const input = await readInput(nextOutcomeSchema, request, response);
  if (input === null || refuseUnknownNumber(context, input.phone_number_id, response)) return;
  const { phone_number_id: phoneNumberId, customer, outcome } = input;
  if (outcome !== null && !isPossible(outcome, customer)) {
    sendControlError(response, 400, "only a customer with a number can have this outcome", "outcome");
    return;
  }
  context.nextOutcomes.set({ phoneNumberId, customer }, outcome);
  sendJson(response, 200, input);
}

/** `POST /simulator/phone/read`: the customer reads all messages that are on the phone. Responds with their count. */
export async function postRead(
  context: SimulatorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const input = await readInput(customerSchema, request, response);
  if (input === null || refuseUnknownNumber(context, input.phone_number_id, response)) return;
  const { phone_number_id, customer } = input;
  const now = context.clock.now();
  const phone = await phoneOf(context, phone_number_id, customer);
  const unread = phone.unread(now.getTime());
  if (unread.length > 0) {
    const record: StatusesRecord = {
      kind: "statuses",
      at: now.toISOString(),
      serial: context.journal.nextSerial(),
      at_ms: now.getTime(),
      phone_number_id,
      statuses: unread.map((message) => ({
        kind: "status",
        ...message,
        status: "read",
        recipient: customer,
        error: null,
      })),
    };
    await context.journal.append(record);
    context.dispatcher.owe(owedBy(record));
  }
  sendJson(response, 200, { read: unread.length });
}

/** `GET /simulator/media/{id}?phone_number_id=`: the bytes of a file that the number's messages contain. */
export async function getMediaBytes(
  context: SimulatorContext,
  { id, query }: { id: string; query: URLSearchParams },
  response: ServerResponse,
): Promise<void> {
  const media = context.media.get(id);
  const isOwn = media !== null && media.phone_number_id === query.get("phone_number_id");
  const file = isOwn ? await context.media.files.read(id) : null;
  if (media === null || file === null) {
    sendControlError(response, 404, "the number has no media with this id");
    return;
  }
  response.writeHead(200, {
    "content-type": /^[ -~]+$/.test(media.mime_type) ? media.mime_type : "application/octet-stream",
    "content-length": String(media.file_size),
    "content-disposition": "attachment",
    "x-content-type-options": "nosniff",
  });
  await pipeline(file, response);
}

function phoneOf(context: SimulatorContext, phoneNumberId: string, customer: string): Promise<Phone> {
  const { numbers, templates, phones } = context;
  const showTemplate = (content: Readonly<Record<string, unknown>>) => {
    const wabaId = numbers.get(phoneNumberId)?.waba_id ?? "";
    const code = String(asFields(content.language)?.code);
    return templateBubble(templates.get(wabaId, String(content.name), code), content);
  };
  return phones.get({ phoneNumberId, customer, showTemplate });
}
