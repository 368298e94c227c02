import { Agent, request } from "undici";
import { type CallOutcome, type NumberAnswer, readAnswer, readNumberAnswer } from "./answer";
import { messageBody, type OutboundMessage } from "./message-body";
import { withoutToken } from "./without-token";

/** Version of the Graph API that is spoken. */
const GRAPH_VERSION = "v24.0";

/** Time limit of one call, from connecting to the last byte of its answer. */
const CALL_TIMEOUT_MS = 20_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const CONNECT_TIMEOUT_MS = 5_000;
const READ_TIMEOUT_MS = 10_000;

/** Where a call goes, and as whom. */
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
  /** Comes back in the statuses: the only thread that survives a lost answer. */
  readonly callbackData: string;
}

export interface WhatsAppClient {
  /** Never throws: whatever happens is an outcome. */
  send(call: MessageCall): Promise<CallOutcome>;
  /** Reads the number that calls are made with: whether it can be read, and what it is. Never throws. */
  readNumber(caller: Caller): Promise<NumberAnswer>;
  close(): Promise<void>;
}

/** Codes of errors that happen before a byte of the request is on its way. */
const NOT_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/**
 * Client of Meta's Cloud API, messages endpoint
 * (https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages).
 */
export function createWhatsAppClient(options: {
  connectionsMax: number;
  timeoutMs?: number;
}): WhatsAppClient {
  const agent = new Agent({
    connections: options.connectionsMax,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    pipelining: 1,
  });
  const timeoutMs = options.timeoutMs ?? CALL_TIMEOUT_MS;
  const authorization = (caller: Caller) => ({ authorization: `Bearer ${caller.accessToken}` });
  return {
    async send(call) {
      try {
        const response = await request(`${call.baseUrl}/${GRAPH_VERSION}/${call.phoneNumberId}/messages`, {
          method: "POST",
          dispatcher: agent,
          headers: { ...authorization(call), "content-type": "application/json" },
          body: JSON.stringify(messageBody(call)),
          signal: AbortSignal.timeout(timeoutMs),
        });
        const answer = withoutToken(await readCapped(response.body), call.accessToken);
        return readAnswer(response.statusCode, answer);
      } catch (error) {
        return brokenCall(error);
      }
    },
    async readNumber(caller) {
      const query = "fields=display_phone_number,verified_name,quality_rating";
      try {
        const response = await request(
          `${caller.baseUrl}/${GRAPH_VERSION}/${caller.phoneNumberId}?${query}`,
          {
            dispatcher: agent,
            headers: authorization(caller),
            signal: AbortSignal.timeout(Math.min(timeoutMs, READ_TIMEOUT_MS)),
          },
        );
        const answer = withoutToken(await readCapped(response.body), caller.accessToken);
        return readNumberAnswer(response.statusCode, answer);
      } catch (error) {
        return { kind: "unreadable", detail: brokenCall(error).detail };
      }
    },
    close: () => agent.destroy(),
  };
}

async function readCapped(body: AsyncIterable<Buffer> & { destroy(): void }): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > ANSWER_BYTES_MAX) {
      body.destroy();
      throw new Error(`The answer is larger than ${ANSWER_BYTES_MAX} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function brokenCall(error: unknown): CallOutcome {
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
  const reason = code ?? (error instanceof Error ? error.name : "unknown error");
  const detail = { httpStatus: null, upstreamCode: null, reason };
  return code !== null && NOT_SENT.has(code) ? { kind: "retry", detail } : { kind: "uncertain", detail };
}
