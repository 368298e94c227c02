import { createHmac } from "node:crypto";
import { Agent, buildConnector, errors } from "undici";
import {
  type CallOutcome,
  type MarkOutcome,
  type NumberAnswer,
  readAnswer,
  readMarkAnswer,
  readNumberAnswer,
  unanswered,
} from "./answer";
import { exchange, type ExchangeRequest, reasonOf } from "./exchange";
import { markBody, messageBody, type OutboundMessage } from "./message-body";

/** Time limit of one call, from connecting to the last byte of its response. */
const CALL_TIMEOUT_MS = 20_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const CONNECT_TIMEOUT_MS = 5_000;
const READ_TIMEOUT_MS = 10_000;
const MARK_TIMEOUT_MS = 10_000;
/** Marks as read have connections of their own: they never wait for messages, nor messages for them. */
const MARK_CONNECTIONS_MAX = 8;

/** Address and credentials of a call. */
export interface Caller {
  /** Scheme and host of the Cloud API. */
  readonly baseUrl: string;
  readonly phoneNumberId: string;
  readonly accessToken: string;
}

export interface MessageCall extends Caller {
  /** E.164 without the plus sign, or WhatsApp's id of a person whose number isn't known. */
  readonly to: string;
  readonly message: OutboundMessage;
  /** The upstream's id of the message that this one quotes. */
  readonly quotedId: string | null;
  /** Returned in the statuses: the only link that survives a lost response. */
  readonly callbackData: string;
}

export interface MarkCall extends Caller {
  /** WhatsApp's id (wamid) of the customer's message. */
  readonly messageId: string;
  /** Also shows the customer that an answer is being written: for 25 seconds, or until it arrives. */
  readonly isTyping: boolean;
}

export interface NumberCaller extends Caller {
  /** If present, the upstream also checks whether it belongs to the app that the token was created for. */
  readonly appSecret?: string;
}

export interface WhatsAppClient {
  /** Never throws: every error is an outcome. */
  send(call: MessageCall): Promise<CallOutcome>;
  /**
   * Marks a customer's message, and those before it, as read. It can be repeated. Never throws: every error is an
   * outcome.
   */
  markRead(call: MarkCall): Promise<MarkOutcome>;
  /**
   * Reads the number that calls are made with, to check whether it is readable and which number it is. Never throws.
   */
  readNumber(caller: NumberCaller): Promise<NumberAnswer>;
  close(): Promise<void>;
}

/**
 * Client of Meta's Cloud API, messages endpoint
 * (https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages).
 */
export function createWhatsAppClient(options: {
  connectionsMax: number;
  timeoutMs?: number;
}): WhatsAppClient {
  const { connectionsMax } = options;
  const agent = createConnectingAgent({ connectionsMax, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  const markAgent = createConnectingAgent({
    connectionsMax: MARK_CONNECTIONS_MAX,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  });
  const timeoutMs = options.timeoutMs ?? CALL_TIMEOUT_MS;
  const limits = { dispatcher: agent, answerBytesMax: ANSWER_BYTES_MAX };
  return {
    async send(call) {
      try {
        const { httpStatus, text } = await postMessage(call, messageBody(call), { ...limits, timeoutMs });
        return readAnswer(httpStatus, text);
      } catch (error) {
        return brokenCall(error);
      }
    },
    markRead: (call) => markRead(call, { ...limits, dispatcher: markAgent }, timeoutMs),
    readNumber: (caller) => readNumber(caller, limits, timeoutMs),
    async close() {
      await Promise.all([agent.destroy(), markAgent.destroy()]);
    },
  };
}

type Limits = Pick<ExchangeRequest, "dispatcher" | "answerBytesMax">;

/** Posts to the path of a number's messages, which takes marks as read too. */
function postMessage(
  { baseUrl, accessToken, phoneNumberId }: Caller,
  body: object,
  limits: Limits & Pick<ExchangeRequest, "timeoutMs">,
) {
  return exchange({
    ...limits,
    baseUrl,
    accessToken,
    path: `${phoneNumberId}/messages`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function markRead(call: MarkCall, limits: Limits, timeoutMs: number): Promise<MarkOutcome> {
  try {
    const { httpStatus, text } = await postMessage(call, markBody(call), {
      ...limits,
      timeoutMs: Math.min(timeoutMs, MARK_TIMEOUT_MS),
    });
    return readMarkAnswer(httpStatus, text);
  } catch (error) {
    return { kind: "retry", detail: brokenCall(error).detail };
  }
}

async function readNumber(
  { baseUrl, accessToken, phoneNumberId, appSecret }: NumberCaller,
  limits: Limits,
  timeoutMs: number,
): Promise<NumberAnswer> {
  const proof = appSecret === undefined ? "" : `&appsecret_proof=${proofOf(accessToken, appSecret)}`;
  try {
    const { httpStatus, text } = await exchange({
      ...limits,
      baseUrl,
      accessToken,
      path: `${phoneNumberId}?fields=display_phone_number,verified_name,quality_rating${proof}`,
      method: "GET",
      timeoutMs: Math.min(timeoutMs, READ_TIMEOUT_MS),
    });
    return readNumberAnswer(httpStatus, text);
  } catch (error) {
    return { kind: "unreadable", detail: brokenCall(error).detail, fault: null };
  }
}

function brokenCall(error: unknown): CallOutcome {
  const detail = unanswered(reasonOf(error));
  return { kind: isCertainlyNotSent(error) ? "retry" : "uncertain", detail };
}

/** https://developers.facebook.com/docs/graph-api/guides/secure-requests#appsecret_proof */
function proofOf(accessToken: string, appSecret: string): string {
  return createHmac("sha256", appSecret).update(accessToken).digest("hex");
}

/** Errors that occurred while connecting: no part of a request can have been sent. */
const whileConnecting = new WeakSet<Error>();

/**
 * An agent that remembers which errors occurred before a connection was established, of any kind: a name that doesn't
 * resolve, a refusal, an untrusted certificate, a handshake that fails or takes too long.
 */
function createConnectingAgent(options: {
  connectionsMax: number;
  /** Time limit from the name lookup to the end of the TLS handshake. */
  connectTimeoutMs: number;
}): Agent {
  const connector = buildConnector({ timeout: options.connectTimeoutMs });
  return new Agent({
    connections: options.connectionsMax,
    pipelining: 1,
    connect: (target, callback) =>
      connector(target, (...result) => {
        if (result[0]) whileConnecting.add(result[0]);
        callback(...result);
      }),
  });
}

/**
 * Returns true if a call through such an agent failed before any byte of it can have been sent. Requests that undici
 * refuses, such as one with an invalid header, are not sent either.
 */
function isCertainlyNotSent(error: unknown): boolean {
  if (error instanceof errors.InvalidArgumentError) return true;
  return error instanceof Error && whileConnecting.has(error);
}
