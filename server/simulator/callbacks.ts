import { createHmac } from "node:crypto";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { callbackError } from "./graph-errors";
import type { PhoneNumber } from "./numbers";
import type { ChangeField, OwedCallback, StatusContent } from "./records";

/** Callbacks of one number that are sent in one POST. */
interface NumberBatch {
  readonly number: PhoneNumber;
  readonly callbacks: readonly OwedCallback[];
}

/** Builds the raw bytes of a callback, grouped into entries by account and changes by number as Meta does. */
export function callbackBody(batches: readonly NumberBatch[]): Buffer {
  const changesByAccount = new Map<string, object[]>();
  for (const batch of batches) {
    const changes = changesByAccount.get(batch.number.waba_id) ?? [];
    changes.push(...changesOf(batch));
    changesByAccount.set(batch.number.waba_id, changes);
  }
  const entry = [...changesByAccount].map(([id, changes]) => ({ id, changes }));
  return Buffer.from(
    escapeLikeMeta(JSON.stringify({ object: "whatsapp_business_account", entry })),
    "latin1",
  );
}

/** `X-Hub-Signature-256`: HMAC-SHA-256 of the raw bytes with the app secret. */
export function signatureHeader(body: Buffer, appSecret: string): string {
  return `sha256=${createHmac("sha256", appSecret).update(body).digest("hex")}`;
}

/** Meta writes everything beyond ASCII as lower-case \uXXXX and a slash as \/, and signs that form. */
function escapeLikeMeta(json: string): string {
  return json
    .replaceAll("/", "\\/")
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Whether a field's value names the number that it is about. The others are about the account. */
const isAboutNumber = {
  messages: true,
  calls: true,
  user_preferences: true,
  message_template_status_update: false,
} as const satisfies Record<ChangeField, boolean>;

function changesOf({ number, callbacks }: NumberBatch): object[] {
  const metadata = {
    display_phone_number: number.display_phone_number.replace(/\D/g, ""),
    phone_number_id: number.phone_number_id,
  };
  const change = (field: ChangeField, content: object) => ({
    value: isAboutNumber[field] ? { messaging_product: "whatsapp", metadata, ...content } : content,
    field,
  });
  const changes: object[] = [];
  const statuses: object[] = [];
  for (const { content, due_at_ms, happened_at_ms = due_at_ms } of callbacks) {
    if (content.kind === "status")
      statuses.push(statusOf(content, String(Math.floor(happened_at_ms / 1000))));
    else changes.push(change(content.field, content.value));
  }
  if (statuses.length > 0) changes.push(change("messages", { statuses }));
  return changes;
}

function statusOf(content: StatusContent, timestamp: string): object {
  const { biz_opaque_callback_data, recipient } = content;
  return {
    id: content.wamid,
    status: content.status,
    timestamp,
    ...(isNumber(recipient) ? { recipient_id: recipient } : { recipient_user_id: recipient }),
    ...(biz_opaque_callback_data === null ? {} : { biz_opaque_callback_data }),
    ...(content.status === "sent" ? { pricing: pricingOf(content.message_type) } : {}),
    ...(content.error === null ? {} : { errors: [callbackError({ ...content, error: content.error })] }),
  };
}

/** An id of a person contains a dot. */
function isNumber(recipient: string): boolean {
  return !recipient.includes(".");
}

function pricingOf(messageType: string): object {
  return messageType === "template"
    ? { billable: true, pricing_model: "PMP", type: "regular", category: "utility" }
    : { billable: false, pricing_model: "PMP", type: "free_customer_service", category: "service" };
}

/** The used part of a response: its status and the first bytes of its body. */
interface CallbackAnswer {
  readonly status: number;
  readonly body: string;
}

interface CallbackClientLimits {
  /** Time limit of one call, from its start to the last byte that is read. */
  readonly timeoutMs: number;
  /** Number of bytes read from a response. After more, the connection is closed. */
  readonly answerBytesMax: number;
  readonly connectionsMax: number;
}

/** Calls one receiver over persistent connections. Redirects are not followed. */
export class CallbackClient {
  readonly #url: URL;
  readonly #limits: CallbackClientLimits;
  readonly #agent: HttpAgent | HttpsAgent;

  constructor(url: string, limits: CallbackClientLimits) {
    this.#url = new URL(url);
    this.#limits = limits;
    const Agent = this.#url.protocol === "https:" ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true, maxSockets: limits.connectionsMax });
  }

  post(body: Buffer, headers: Record<string, string>): Promise<CallbackAnswer> {
    return this.#call("POST", this.#url, body, {
      "content-type": "application/json",
      "content-length": String(body.length),
      ...headers,
    });
  }

  get(query: Record<string, string>): Promise<CallbackAnswer> {
    const url = new URL(this.#url);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return this.#call("GET", url, null, {});
  }

  /** Closes all connections. Calls in progress fail. */
  close(): void {
    this.#agent.destroy();
  }

  /** Resolves once the status is known and the body has ended, in whatever way. Rejects without a status. */
  #call(
    method: string,
    url: URL,
    content: Buffer | null,
    headers: Record<string, string>,
  ): Promise<CallbackAnswer> {
    return new Promise((resolve, reject) => {
      const request = url.protocol === "https:" ? httpsRequest : httpRequest;
      const call = request(url, {
        method,
        headers: { "user-agent": "facebookexternalua", ...headers },
        agent: this.#agent,
      });
      let answer: IncomingMessage | null = null;
      const timer = setTimeout(() => {
        if (answer === null) call.destroy(new Error("no answer in time"));
        else answer.destroy();
      }, this.#limits.timeoutMs);
      call.on("error", (error) => {
        if (answer === null) reject(error);
      });
      call.on("close", () => {
        clearTimeout(timer);
        if (answer === null) reject(new Error("closed without an answer"));
      });
      call.on("response", (begun) => {
        answer = begun;
        readCapped(begun, this.#limits.answerBytesMax, (body) =>
          resolve({ status: begun.statusCode ?? 0, body }),
        );
      });
      call.end(content ?? undefined);
    });
  }
}

function readCapped(answer: IncomingMessage, bytesMax: number, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = () => done(Buffer.concat(chunks).toString("utf8"));
  answer.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > bytesMax) answer.destroy();
    else chunks.push(chunk);
  });
  answer.on("error", finish);
  answer.on("end", finish);
  answer.on("close", finish);
}
