import type { ServerResponse } from "node:http";
import { graphErrors } from "./graph-errors";
import { sendGraphError, sendJson } from "./http";
import type { MessageRequest } from "./message-request";
import type { AcceptedAnswer, FailingAnswer } from "./outcome-row";

/** Facts of an acceptance that a response may contain. */
export interface Acceptance {
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
export const failingAnswers = {
  connection_dropped: { status: 0, send: (response) => response.destroy() },
  html_500: { status: 500, send: (response) => sendPage(response, 500) },
  html_502: { status: 502, send: (response) => sendPage(response, 502) },
  empty_429: { status: 429, send: (response) => sendNothing(response, 429) },
} as const satisfies Record<FailingAnswer, AnswerRow<unknown>>;

/** Responses to an accepted message. */
export const acceptedAnswers = {
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

export type FailingAnswerRow = AnswerRow<unknown>;
export type AcceptedAnswerRow = AnswerRow<Acceptance>;

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

function sendPage(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" });
  response.end(
    "<!DOCTYPE html><html><head><title>Error</title></head><body>Sorry, something went wrong.</body></html>",
  );
}

function sendNothing(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-length": "0" });
  response.end();
}

/** Sends the head and half of the body, then breaks the connection. */
function sendHalf(response: ServerResponse, value: object): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(200, { "content-type": "application/json", "content-length": String(body.length) });
  response.write(body.subarray(0, body.length >> 1), () => response.destroy());
}
