import type { IncomingMessage, ServerResponse } from "node:http";
import { graphErrors, type Refusal } from "@/server/whatsapp/simulator/graph-errors";
import {
  bearerToken,
  readJson,
  sendGraphError,
  sendJson,
  type JsonBody,
} from "@/server/whatsapp/simulator/http";
import { newWamid } from "@/server/whatsapp/simulator/ids";
import {
  asFields,
  parseMessageRequest,
  type MessageRequest,
} from "@/server/whatsapp/simulator/message-request";
import type { PhoneNumber } from "@/server/whatsapp/simulator/numbers";
import { outcomeFor, type AcceptedAnswer, type OutcomeBehaviour } from "@/server/whatsapp/simulator/outcomes";
import { owedBy, type CallRecord } from "@/server/whatsapp/simulator/records";
import type { SimulatorContext } from "@/server/whatsapp/simulator/simulator-context";

type Accepting = Extract<OutcomeBehaviour, { kind: "accept" }>;

/** A call decided on: what the ledger keeps of it and how it is answered. */
interface Decision {
  readonly record: CallRecord;
  readonly delayMs: number;
  answer(response: ServerResponse): void;
}

/** What is known of a call before it is decided. */
type CallFacts = Pick<CallRecord, "at" | "phone_number_id" | "to" | "biz_opaque_callback_data">;

/** How an acceptance is answered, by the outcome's answer. */
const answers = {
  message_id: {
    status: 200,
    send: (response, { message, wamid }) =>
      sendJson(response, 200, {
        ...acceptedBody(message),
        messages: [{ id: wamid, ...(message.type === "template" ? { message_status: "accepted" } : {}) }],
      }),
  },
  without_message_id: {
    status: 200,
    send: (response, { message }) => sendJson(response, 200, acceptedBody(message)),
  },
  html_500: {
    status: 500,
    send: (response) => {
      response.writeHead(500, { "content-type": "text/html; charset=utf-8" });
      response.end(
        "<!DOCTYPE html><html><head><title>Error</title></head><body>Sorry, something went wrong.</body></html>",
      );
    },
  },
  connection_dropped: { status: 0, send: (response) => response.destroy() },
} as const satisfies Record<AcceptedAnswer, AnswerRow>;

interface AnswerRow {
  /** As the ledger has it: 0 where the connection is closed instead. */
  readonly status: number;
  send(response: ServerResponse, accepted: { message: MessageRequest; wamid: string }): void;
}

/** `POST /v{N}.{M}/{phone_number_id}/messages`. The ledger line is in the file before the answer goes out. */
export async function receiveMessage(
  context: SimulatorContext,
  phoneNumberId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readJson(request);
  const decision = decide(context, phoneNumberId, bearerToken(request), body);
  const { record } = decision;
  context.journal.refusals.note(record);
  try {
    await context.journal.append(record);
  } catch (error) {
    context.log.error({ err: error }, "the simulator's ledger can't be written; the call is refused");
    sendGraphError(response, { error: "service_unavailable" });
    return;
  }
  context.dispatcher.owe(owedBy(record));
  if (decision.delayMs === 0) {
    decision.answer(response);
    return;
  }
  const timer = setTimeout(() => decision.answer(response), decision.delayMs);
  response.on("close", () => clearTimeout(timer));
}

function decide(
  context: SimulatorContext,
  phoneNumberId: string,
  token: string | null,
  body: JsonBody,
): Decision {
  const call = factsOf(phoneNumberId, body);
  const number = context.numbers.get(phoneNumberId);
  const refusal = checkCaller(context, number, token);
  if (refusal !== null) return refused(call, refusal);
  if (body.kind === "too_large") return refused(call, { error: "body_too_large" });
  if (body.kind === "not_json") {
    return refused(call, {
      error: "parameter_invalid",
      message: "(#100) The request body is not valid JSON.",
    });
  }
  const message = parseMessageRequest(body.value);
  if ("error" in message) return refused(call, message);
  if (number?.display_phone_number.replace(/\D/g, "") === message.wa_id) {
    return refused(call, { error: "recipient_is_sender" });
  }
  return decideOutcome(context, call, message);
}

/** Why this token may not use this number, null when it may. Meta hides a number that the token can't see. */
export function checkCaller(
  context: SimulatorContext,
  number: PhoneNumber | null,
  token: string | null,
): Refusal | null {
  if (token !== null && number?.access_token === token) return null;
  if (token === null || !context.numbers.knowsToken(token)) return { error: "access_token_invalid" };
  return { error: "object_unknown" };
}

function decideOutcome(context: SimulatorContext, call: CallFacts, message: MessageRequest): Decision {
  const { name, behaviour } = outcomeFor(message.wa_id);
  const outcome = { outcome: name };
  if (behaviour.kind === "refuse") return refused(call, { error: behaviour.error }, outcome);
  if (behaviour.kind === "drop") {
    const record = { ...unaccepted(call), ...outcome, status: 0 };
    return { record, delayMs: 0, answer: (response) => response.destroy() };
  }
  const { refusedFirst } = behaviour;
  if (refusedFirst !== undefined && context.journal.refusals.count(call) < refusedFirst.times) {
    return refused(call, { error: refusedFirst.error }, outcome);
  }
  return accepted(context, { ...unaccepted(call), ...outcome }, message, behaviour);
}

function accepted(
  context: SimulatorContext,
  call: CallRecord,
  message: MessageRequest,
  behaviour: Accepting,
): Decision {
  const wamid = newWamid("outbound", message.wa_id);
  const answer: AnswerRow = answers[behaviour.answer];
  const record: CallRecord = {
    ...call,
    status: answer.status,
    wamid,
    accepted: {
      serial: context.journal.nextSerial(),
      type: message.type,
      body: message.body,
      wa_id: message.wa_id,
      accepted_at_ms: Date.parse(call.at),
      statuses: behaviour.statuses,
    },
  };
  return {
    record,
    delayMs: behaviour.answerDelayMs ?? 0,
    answer: (response) => answer.send(response, { message, wamid }),
  };
}

function refused(call: CallFacts, refusal: Refusal, outcome: Partial<CallRecord> = {}): Decision {
  const { httpStatus, code } = graphErrors[refusal.error];
  return {
    record: { ...unaccepted(call), ...outcome, status: httpStatus, code },
    delayMs: 0,
    answer: (response) => sendGraphError(response, refusal),
  };
}

function unaccepted(call: CallFacts): CallRecord {
  return { kind: "call", ...call, status: 0, code: null, wamid: null, outcome: null, accepted: null };
}

function factsOf(phoneNumberId: string, body: JsonBody): CallFacts {
  const fields = body.kind === "json" ? asFields(body.value) : null;
  const to = fields?.to;
  const opaque = fields?.biz_opaque_callback_data;
  return {
    at: new Date().toISOString(),
    phone_number_id: phoneNumberId,
    to: typeof to === "string" ? to : null,
    biz_opaque_callback_data: typeof opaque === "string" ? opaque : null,
  };
}

function acceptedBody(message: MessageRequest): object {
  return { messaging_product: "whatsapp", contacts: [{ input: message.to, wa_id: message.wa_id }] };
}
