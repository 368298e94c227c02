import type { IncomingMessage, ServerResponse } from "node:http";
import { graphErrors, invalidParameter, type GraphError } from "./graph-errors";
import { accessToken, readJson, sendGraphError, type JsonBody, sendJson } from "./http";
import { decideMark, markIn } from "./mark-read";
import { mediaSendProblem } from "./media";
import { followNext, statusesOfNext, type NextOutcomeName } from "./next-outcomes";
import { asFields } from "./fields";
import { parseMessageRequest, writtenRecipient, type MessageRequest } from "./message-request";
import { type PhoneNumber, callerError } from "./numbers";
import { outcomeFor } from "./outcomes";
import type { FailingAnswer, OutcomeBehaviour, AcceptedAnswer } from "./outcome-row";
import { sendHalf, sendNothing, sendPage } from "./odd-answers";
import { owedBy, type CallRecord, type MarkRecord } from "./records";
import type { SimulatorContext } from "./simulator-context";
import { reactionError, reportedOf } from "./reaction-rules";
import { templateSendProblem } from "./template-send";
import { newWamid } from "./wamid";

type Accepting = Extract<OutcomeBehaviour, { kind: "accept" }>;

/** The decision about a call: its ledger entry and its response. */
interface Decision {
  readonly record: CallRecord;
  readonly delayMs: number;
  /** The outcome that was set for this message alone. */
  readonly next?: NextOutcomeName;
  answer(response: ServerResponse): void;
}

/** Facts of a call before the decision. */
type CallFacts = Pick<CallRecord, "at" | "phone_number_id" | "to" | "biz_opaque_callback_data">;

/**
 * `POST /v{N}.{M}/{phone_number_id}/messages`: sends a message, or marks one as read. The ledger line is in the file
 * before the response is sent.
 */
export async function receiveMessage(
  context: SimulatorContext,
  phoneNumberId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readJson(request);
  const token = accessToken(request);
  const mark = body.kind === "json" ? markIn(body.value) : null;
  if (mark !== null) {
    const { record, answer } = decideMark(context, { phoneNumberId, token, mark });
    if (await isRecorded(context, record, response)) answer(response);
    return;
  }
  const message = body.kind === "json" ? parseMessageRequest(body.value) : null;
  const call = { phoneNumberId, token, body, message };
  const decision = decide(context, { ...call, linkError: await linkErrorOf(context, call) });
  const { record } = decision;
  context.journal.refusals.note(record);
  if (!(await isRecorded(context, record, response))) return;
  context.dispatcher.owe(owedBy(record));
  if (decision.next !== undefined && record.accepted !== null) {
    await followNext(context, decision.next, { phoneNumberId, customer: record.accepted.recipient });
  }
  if (decision.delayMs === 0) {
    decision.answer(response);
    return;
  }
  const timer = setTimeout(() => decision.answer(response), decision.delayMs);
  response.on("close", () => clearTimeout(timer));
}

/** Writes a call's ledger line. Returns false, and refuses the call, if it can't be written. */
async function isRecorded(
  { journal, log }: SimulatorContext,
  record: CallRecord | MarkRecord,
  response: ServerResponse,
): Promise<boolean> {
  try {
    await journal.append(record);
    return true;
  } catch (error) {
    log.error({ err: error }, "the simulator's ledger can't be written; the call is refused");
    sendGraphError(response, { error: "service_unavailable" });
    return false;
  }
}

/** Downloads the files that the message names by URL. Nothing is downloaded for a caller who may not send. */
async function linkErrorOf(
  context: SimulatorContext,
  { phoneNumberId, token, message }: ReceivedCall,
): Promise<GraphError | null> {
  if (message === null || "error" in message) return null;
  const isRefused = callerError(context, context.numbers.get(phoneNumberId), token) !== null;
  return isRefused ? null : context.linkedMedia.findProblem(message);
}

interface ReceivedCall {
  readonly phoneNumberId: string;
  readonly token: string | null;
  readonly body: JsonBody;
  /** Null if the body isn't JSON. */
  readonly message: MessageRequest | GraphError | null;
}

/** `linkError`: the error with which Meta fails the message after accepting it. */
function decide(
  context: SimulatorContext,
  { phoneNumberId, token, body, message, linkError }: ReceivedCall & { linkError: GraphError | null },
): Decision {
  const call = factsOf(context, phoneNumberId, body);
  const number = context.numbers.get(phoneNumberId);
  const error = callerError(context, number, token) ?? context.failures.get(phoneNumberId);
  if (error !== null) return refused(call, error);
  if (body.kind === "too_large") return refused(call, { error: "body_too_large" });
  if (message === null) return refused(call, invalidParameter("The request body is not valid JSON."));
  if ("error" in message) return refused(call, message);
  const problem = number === null ? null : contentProblem(context, number, message);
  if (problem !== null) return refused(call, problem);
  const laterError = linkError ?? reactionError(message);
  if (laterError === null) return decideOutcome(context, call, message);
  return accepted(context, unaccepted(call), message, {
    kind: "accept",
    answer: "message_id",
    statuses: [{ status: "failed", afterMs: 150, ...laterError }],
  });
}

/** Returns a problem of a well-formed message that only this number's own data shows. */
function contentProblem(
  { media, templates }: SimulatorContext,
  number: PhoneNumber,
  message: MessageRequest,
): GraphError | null {
  if (number.display_phone_number.replace(/\D/g, "") === message.recipient.id) {
    return { error: "recipient_is_sender" };
  }
  if (message.type === "template") {
    const { name, language } = message.content;
    const template = templates.get(number.waba_id, String(name), String(asFields(language)?.code));
    const problem = templateSendProblem(template, message.content, message.recipient);
    if (problem !== null) return problem;
  }
  return mediaSendProblem(media, number.phone_number_id, message);
}

function decideOutcome(context: SimulatorContext, call: CallFacts, message: MessageRequest): Decision {
  const next = context.nextOutcomes.take(call.phone_number_id, message);
  if (next !== null) {
    const statuses = statusesOfNext(context, next, { phoneNumberId: call.phone_number_id, message });
    const record = { ...unaccepted(call), outcome: `next_${next}` };
    return {
      ...accepted(context, record, message, { kind: "accept", answer: "message_id", statuses }),
      next,
    };
  }
  const { name, behaviour } = outcomeFor(message.recipient.id);
  const outcome = { outcome: name };
  if (behaviour.kind === "refuse") return refused(call, { error: behaviour.error }, outcome);
  if (behaviour.kind === "fail") return failed(call, behaviour.answer, outcome, behaviour.answerDelayMs);
  const { refusedFirst } = behaviour;
  if (refusedFirst !== undefined && context.journal.refusals.count(call) < refusedFirst.times) {
    if ("answer" in refusedFirst) return failed(call, refusedFirst.answer, outcome);
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
  const { recipient, type, body, quotes } = message;
  const statuses = (type === "template" ? behaviour.templateStatuses : undefined) ?? behaviour.statuses;
  const wamid = newWamid("outbound", recipient.id, type === "reaction" ? "reaction" : "message");
  const chances = context.faults.next(call.phone_number_id, recipient.id, "to");
  const answer: AcceptedAnswerRow =
    acceptedAnswers[chances.losesAnswer ? "connection_dropped" : behaviour.answer];
  const record: CallRecord = {
    ...call,
    status: answer.status,
    code: answer.code ?? null,
    wamid,
    accepted: {
      serial: context.journal.nextSerial(),
      type,
      body,
      recipient: recipient.id,
      ...(quotes === null ? {} : { quotes }),
      accepted_at_ms: Date.parse(call.at),
      statuses: chances.statusesOf(reportedOf(type, statuses)),
    },
  };
  return {
    record,
    delayMs: behaviour.answerDelayMs ?? 0,
    answer: (response) => answer.send(response, { message, wamid }),
  };
}

function refused(call: CallFacts, error: GraphError, outcome: Partial<CallRecord> = {}): Decision {
  const { httpStatus, code } = graphErrors[error.error];
  return {
    record: { ...unaccepted(call), ...outcome, status: httpStatus, code },
    delayMs: 0,
    answer: (response) => sendGraphError(response, error),
  };
}

function failed(call: CallFacts, name: FailingAnswer, outcome: Partial<CallRecord>, delayMs = 0): Decision {
  const answer: FailingAnswerRow = failingAnswers[name];
  return {
    record: { ...unaccepted(call), ...outcome, status: answer.status },
    delayMs,
    answer: (response) => answer.send(response, null),
  };
}

function unaccepted(call: CallFacts): CallRecord {
  return { kind: "call", ...call, status: 0, code: null, wamid: null, outcome: null, accepted: null };
}

function factsOf({ clock }: SimulatorContext, phoneNumberId: string, body: JsonBody): CallFacts {
  const fields = body.kind === "json" ? asFields(body.value) : null;
  const opaque = fields?.biz_opaque_callback_data;
  return {
    at: clock.now().toISOString(),
    phone_number_id: phoneNumberId,
    to: fields === null ? null : writtenRecipient(fields),
    biz_opaque_callback_data: typeof opaque === "string" ? opaque : null,
  };
}

/** Facts of an acceptance that a response may contain. */
interface Acceptance {
  readonly message: MessageRequest;
  readonly wamid: string;
}

interface AnswerRow<AcceptedCall> {
  /** As in the ledger: 0 if the connection is closed instead. */
  readonly status: number;
  /** Code of a Graph error. */
  readonly code?: number;
  send(response: ServerResponse, call: AcceptedCall): void;
}

/** Responses without a result for the message. */
const failingAnswers = {
  connection_dropped: { status: 0, send: (response) => response.destroy() },
  html_500: { status: 500, send: (response) => sendPage(response, 500) },
  html_502: { status: 502, send: (response) => sendPage(response, 502) },
  empty_429: { status: 429, send: (response) => sendNothing(response, 429) },
} as const satisfies Record<FailingAnswer, AnswerRow<unknown>>;

/** Responses to an accepted message. */
const acceptedAnswers = {
  ...failingAnswers,
  message_id: {
    status: 200,
    send: (response, call) => sendJson(response, 200, acceptedBody(call, "accepted")),
  },
  message_id_held: {
    status: 200,
    send: (response, call) => sendJson(response, 200, acceptedBody(call, "held_for_quality_assessment")),
  },
  without_message_id: {
    status: 200,
    send: (response, { message }) => sendJson(response, 200, contactsOf(message)),
  },
  empty_200: { status: 200, send: (response) => sendNothing(response, 200) },
  cut_200: { status: 200, send: (response, call) => sendHalf(response, acceptedBody(call, "accepted")) },
  graph_500: {
    status: graphErrors.unknown_failure_500.httpStatus,
    code: graphErrors.unknown_failure_500.code,
    send: (response) => sendGraphError(response, { error: "unknown_failure_500" }),
  },
} as const satisfies Record<AcceptedAnswer, AnswerRow<Acceptance>>;

type FailingAnswerRow = AnswerRow<unknown>;
type AcceptedAnswerRow = AnswerRow<Acceptance>;

function contactsOf({ to, recipient }: MessageRequest): object {
  const id = recipient.kind === "number" ? { wa_id: recipient.id } : { user_id: recipient.id };
  return { messaging_product: "whatsapp", contacts: [{ input: to, ...id }] };
}

function acceptedBody({ message, wamid }: Acceptance, messageStatus: string): object {
  // Meta returns the message's status for templates only, unless it is an unusual one.
  const isReported = message.type === "template" || messageStatus !== "accepted";
  return {
    ...contactsOf(message),
    messages: [{ id: wamid, ...(isReported ? { message_status: messageStatus } : {}) }],
  };
}
