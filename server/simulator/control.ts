import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { documentedErrorNames } from "./graph-errors";
import { sendJson, readInput, sendControlError } from "./http";
import { phoneNumberSchema, failureSchema } from "./numbers";
import { owedBy, type StatusesRecord } from "./records";
import type { SimulatorContext } from "./simulator-context";
import { reportTemplateState } from "./template-routes";
import { templateStates } from "./templates";

const putNumbersSchema = z.strictObject({ numbers: z.array(phoneNumberSchema).min(1).max(1000) });

const putFailureSchema = z.strictObject({ error: failureSchema.shape.error.nullable() });

const putTemplateStateSchema = z.strictObject({
  phone_number_id: z.string().min(1),
  name: z.string().min(1),
  language: z.string().min(1),
  state: z.enum(templateStates),
  reason: z.string().min(1).max(200).optional(),
});

const statusSchema = z.strictObject({
  wamid: z.string().min(1).max(512),
  status: z.enum(["sent", "delivered", "read", "played", "failed"]),
  recipient: z.string().min(1).max(140),
  message_type: z.string().min(1).max(32).default("text"),
  biz_opaque_callback_data: z.string().max(512).nullable().default(null),
  error: z.enum(documentedErrorNames()).nullable().default(null),
});

const postStatusesSchema = z.strictObject({
  phone_number_id: z.string().min(1),
  statuses: z.array(statusSchema).min(1).max(1000),
});

/** `PUT /simulator/numbers`: adds or replaces numbers, all or none. The response doesn't contain their secrets. */
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

/**
 * `PUT /simulator/numbers/{phone_number_id}/failure`: every send of the number fails with `{ error }` until it is null.
 * With an error of the token, the number and its account can't be read or used either.
 */
export async function putFailure(
  context: SimulatorContext,
  phoneNumberId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const input = await readInput(putFailureSchema, request, response);
  if (input === null || refuseUnknownNumber(context, phoneNumberId, response)) return;
  const { error } = input;
  if (error === null) await context.failures.delete(phoneNumberId);
  else await context.failures.set(phoneNumberId, { error });
  sendJson(response, 200, { phone_number_id: phoneNumberId, error });
}

/** `PUT /simulator/templates/state`: changes the state as a review or a complaint would. Notifies the receivers. */
export async function putTemplateState(
  context: SimulatorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const input = await readInput(putTemplateStateSchema, request, response);
  if (input === null || refuseUnknownNumber(context, input.phone_number_id, response)) return;
  const { name, language, state, reason = null } = input;
  const wabaId = context.numbers.get(input.phone_number_id)?.waba_id ?? "";
  const template = context.templates.get(wabaId, name, language);
  if (template === null) {
    sendControlError(response, 400, "the number's account has no such template", "name");
    return;
  }
  const changed = await context.templates.setState(template, state, reason);
  await reportTemplateState(context, changed);
  sendJson(response, 200, { id: changed.id, name, language, state, reason: changed.reason });
}

/** `DELETE /simulator/media/{id}`: deletes the upload, as happens after 30 days. */
export async function deleteMediaNow(
  context: SimulatorContext,
  id: string,
  response: ServerResponse,
): Promise<void> {
  if (context.media.get(id) === null) {
    sendControlError(response, 404, "there is no media with this id");
    return;
  }
  await context.media.forget(id);
  sendJson(response, 200, { id });
}

/** `POST /simulator/statuses`: sends up to 1,000 statuses in one callback. Their messages needn't exist. */
export async function postStatuses(
  context: SimulatorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const input = await readInput(postStatusesSchema, request, response);
  if (input === null || refuseUnknownNumber(context, input.phone_number_id, response)) return;
  const now = context.clock.now();
  const record: StatusesRecord = {
    kind: "statuses",
    at: now.toISOString(),
    serial: context.journal.nextSerial(),
    at_ms: now.getTime(),
    phone_number_id: input.phone_number_id,
    statuses: input.statuses.map((status) => ({ kind: "status", ...status })),
  };
  await context.journal.append(record);
  context.dispatcher.owe(owedBy(record));
  sendJson(response, 200, { statuses: record.statuses.length });
}

/** Responds 400 and returns true if no number has this id. */
export function refuseUnknownNumber(
  context: SimulatorContext,
  phoneNumberId: string,
  response: ServerResponse,
): boolean {
  if (context.numbers.get(phoneNumberId) !== null) return false;
  const message =
    "no number has this phone_number_id; `npx waypost-simulator` prints its own, and in a checkout of Waypost `npm run waypost -- channel list --org ID` and `demo --json` show them";
  sendControlError(response, 400, message, "phone_number_id");
  return true;
}

/** A call of the simulator's own API. It isn't one of Meta's, and needs no credentials. */
interface ControlCall {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With placeholders in braces. */
  readonly path: string;
  /** One sentence for the documentation. */
  readonly description: string;
  /** A valid body, if the call takes one. PHONE_NUMBER_ID and TEMPLATE stand for existing ones. */
  readonly example: object | null;
  /** It changes the whole simulator, and not only the number, template or file that it names. */
  readonly isForAllNumbers?: true;
}

const phone_number_id = "PHONE_NUMBER_ID";
const from = "4915112345678";

/** The calls with which a test or a developer simulates the customer, the reviewer and failures. */
export const controlCalls: readonly ControlCall[] = [
  {
    method: "GET",
    path: "/ledger",
    description:
      "Lists all calls that were made, all messages that were accepted, and all marks as read; ?phone_number_id= limits the list to one number.",
    example: null,
  },
  {
    method: "GET",
    path: "/simulator/owed",
    description: "Returns the number of callbacks that are not delivered yet, in total and by number.",
    example: null,
  },
  {
    method: "GET",
    path: "/clock",
    description: "Returns the simulator's time, and the programs whose clocks follow it.",
    example: null,
  },
  {
    method: "POST",
    path: "/clock",
    description:
      "Moves the simulator's time forward by 1s to 90d (such as 30s, 15m, 12h, 3d or 1d12h), and with it the time of the demo, of its keys and of its retries; it can't be moved back.",
    example: { advance: "12h" },
    isForAllNumbers: true,
  },
  {
    method: "POST",
    path: "/simulator/inbound",
    description:
      "Sends a message from a customer: type is text (the default), image, audio, video, document, sticker, location, contacts, button, interactive, reaction, order, unsupported, system, edit, revoke, call or user_preferences. The content is in Meta's format, under the name of the type; the sender is given by from, user_id or both. A message with a file contains a small one of its type, the bytes in file (base64), or the upload that its id names. known, with the wamid and at (ISO 8601) of a message that the business has already, shows it on the phone without a callback.",
    example: { phone_number_id, from, text: { body: "Where is my parcel?" } },
  },
  {
    method: "POST",
    path: "/simulator/inbound",
    description:
      "The same customer opts out of marketing messages (or opts in again). The contact's page in the admin app shows this, and an event reports it.",
    example: { phone_number_id, from, type: "user_preferences", user_preferences: { value: "stop" } },
  },
  {
    method: "GET",
    path: "/simulator/phone?phone_number_id={phone_number_id}&customer=4915112345678",
    description:
      "Returns what the customer's phone shows of the latest 200 messages with the number: content, ticks, quotes, reactions and typing; with &after= and the cursor of an earlier response, only what has changed.",
    example: null,
  },
  {
    method: "POST",
    path: "/simulator/phone/read",
    description: "The customer reads all messages that are on the phone.",
    example: { phone_number_id, customer: from },
  },
  {
    method: "PUT",
    path: "/simulator/next-outcome",
    description:
      "Chooses what goes wrong with the next message to one customer, once: not_delivered, slow, not_read, read_without_delivered, number_changed or opted_out; null removes it.",
    example: { phone_number_id, customer: from, outcome: "slow" },
  },
  {
    method: "GET",
    path: "/simulator/media/{media_id}?phone_number_id={phone_number_id}",
    description: "Returns the bytes of a file that the number's messages contain.",
    example: null,
  },
  {
    method: "POST",
    path: "/simulator/statuses",
    description: "Sends up to 1,000 statuses in one callback; their messages needn't exist.",
    example: { phone_number_id, statuses: [{ wamid: "wamid.UNKNOWN", status: "read", recipient: from }] },
  },
  {
    method: "PUT",
    path: "/simulator/numbers/{phone_number_id}/failure",
    description:
      "Every send from the number fails with the given error until you set the error to null; with an error of the access token, all other calls fail too.",
    example: { error: "payment_required" },
  },
  {
    method: "PUT",
    path: "/simulator/faults",
    description:
      "Makes status callbacks and customers' messages late (by 1 to 30 seconds), lost, doubled or reordered, and loses responses to accepted messages, each at a rate from 0 to 1; the response has the seed, and the same seed repeats the same faults for the same customers. An empty object ends them.",
    example: { seed: 42, late_callbacks: 0.2, doubled_callbacks: 0.1, lost_answers: 0.05 },
    isForAllNumbers: true,
  },
  {
    method: "PUT",
    path: "/simulator/templates/state",
    description:
      "Sets a template to PENDING, APPROVED, REJECTED, PAUSED or DISABLED and reports it in a callback; a new template is APPROVED unless its name ends in _pending, _rejected, _paused or _disabled.",
    example: { phone_number_id, name: "TEMPLATE", language: "en_US", state: "PAUSED" },
  },
  {
    method: "PUT",
    path: "/simulator/media-hosts",
    description:
      "Sets the hosts whose files the simulator downloads when a message names a file by its URL (a host, or a host with its port; * for all; only this machine unless set); a file that is missing, too large or of another type, by its Content-Type or its first bytes, fails the message, and files on all other hosts count as valid.",
    example: { hosts: ["127.0.0.1:4000", "files.example.com"] },
    isForAllNumbers: true,
  },
  {
    method: "DELETE",
    path: "/simulator/media/{media_id}",
    description: "Deletes an upload, as happens after 30 days.",
    example: null,
  },
];
