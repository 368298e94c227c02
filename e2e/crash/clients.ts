import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { type HttpAnswer, httpCall } from "@/e2e/support/http-call";
import { limitMs } from "@/e2e/support/machine-speed";

const CLIENTS = 32;
const REPEAT_AFTER_MS = 250;
/** Longer than a server needs to stop and start again. */
const GIVE_UP_AFTER_MS = limitMs(90_000);

/** The body of a `POST /messages`. */
export interface OutgoingMessage {
  readonly client_message_id: string;
  readonly [field: string]: unknown;
}

/** Clients that send through any failure: they repeat the same body until the server accepts it. */
export interface Sending {
  /** Ids of the messages accepted so far, by `client_message_id`. */
  readonly accepted: ReadonlyMap<string, string>;
  /** Responses so far by status; `0` counts requests without one. */
  readonly answers: Readonly<Record<number, number>>;
  /** Descriptions of responses that no client should ever see. */
  readonly wrong: readonly string[];
  /** Resolves when every message was accepted. Rejects if one wasn't for 90 s, on the usual machine. */
  readonly done: Promise<void>;
}

interface Log {
  readonly accepted: Map<string, string>;
  readonly answers: Record<number, number>;
  readonly wrong: string[];
}

export interface SendingOptions {
  /** Servers on one database: a client sends its retry to the next one. */
  readonly baseUrls: readonly string[];
  readonly secret: string;
  readonly messages: readonly OutgoingMessage[];
  /** Sends copies of the messages after the last one, until a request gets this status. */
  readonly untilStatus?: number;
}

/** Creates that many texts, to these customers in turn. */
export function textsTo(handles: readonly string[], count: number): OutgoingMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    client_message_id: randomUUID(),
    type: "text",
    to: { kind: "whatsapp", handle: handles[index % handles.length] },
    text: { body: `Message ${index}` },
  }));
}

/**
 * Sends the messages in this order, with 32 clients. A client repeats the same body after a 503 or a broken connection,
 * until it is accepted.
 */
export function startSending(options: SendingOptions): Sending {
  const log: Log = { accepted: new Map(), answers: {}, wrong: [] };
  const left = messagesOf(options, log);
  async function client(_: unknown, number: number): Promise<void> {
    for (const message of left) await sendUntilAccepted(options, message, log, number);
  }
  const done = Promise.all(Array.from({ length: CLIENTS }, client)).then(() => undefined);
  // The caller may await it later; until then its rejection must not count as unhandled.
  done.catch(() => undefined);
  return { ...log, done };
}

function* messagesOf({ messages, untilStatus }: SendingOptions, log: Log): Generator<OutgoingMessage> {
  yield* messages;
  if (untilStatus === undefined) return;
  for (let index = 0; !log.answers[untilStatus]; index++) {
    yield { ...messages[index % messages.length], client_message_id: randomUUID() };
  }
}

async function sendUntilAccepted(
  { baseUrls, secret }: SendingOptions,
  message: OutgoingMessage,
  log: Log,
  client: number,
): Promise<void> {
  const clientMessageId = message.client_message_id;
  const body = JSON.stringify(message);
  const endsAtMs = performance.now() + GIVE_UP_AFTER_MS;
  for (let tries = 0; performance.now() < endsAtMs; tries++) {
    const answer = await post(baseUrls[(client + tries) % baseUrls.length] ?? "", secret, body);
    const status = answer?.status ?? 0;
    log.answers[status] = (log.answers[status] ?? 0) + 1;
    if (answer && !isRetryable(answer)) {
      const problem = problemOf(answer, clientMessageId, tries > 0);
      if (problem !== null) log.wrong.push(problem);
      const messageId = messageIdOf(answer);
      if (messageId !== null) log.accepted.set(clientMessageId, messageId);
      return;
    }
    await pause(REPEAT_AFTER_MS);
  }
  throw new Error(
    `A message was not accepted in ${GIVE_UP_AFTER_MS / 1000} s: ${JSON.stringify(log.answers)}`,
  );
}

/** Null if the connection broke. */
async function post(baseUrl: string, secret: string, body: string): Promise<HttpAnswer | null> {
  try {
    return await httpCall({
      method: "POST",
      url: `${baseUrl}/api/public/v1/messages`,
      headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
      body: Buffer.from(body),
    });
  } catch {
    return null;
  }
}

const refusalSchema = z.object({ error: z.object({ code: z.literal("unavailable") }) });

function isRetryable(answer: HttpAnswer): boolean {
  return (
    answer.status === 503 &&
    answer.headers["retry-after"] !== undefined &&
    refusalSchema.safeParse(parse(answer)).success
  );
}

const acceptedSchema = z.object({
  message_id: z.guid(),
  client_message_id: z.string(),
  deduplicated: z.boolean(),
});

function messageIdOf(answer: HttpAnswer): string | null {
  return acceptedSchema.safeParse(parse(answer)).data?.message_id ?? null;
}

/** Describes the problem of a response other than 503; null if there is none. */
function problemOf(answer: HttpAnswer, clientMessageId: string, isRepeat: boolean): string | null {
  const body = acceptedSchema.safeParse(parse(answer)).data;
  const said = `${answer.status} ${answer.text}`;
  if (!body || body.client_message_id !== clientMessageId) return said;
  if (answer.status === 201 && !body.deduplicated) return null;
  if (answer.status !== 200 || !body.deduplicated) return said;
  return isRepeat ? null : `a message that was sent for the first time was taken for a repeat: ${said}`;
}

function parse(answer: HttpAnswer): unknown {
  try {
    return JSON.parse(answer.text);
  } catch {
    return null;
  }
}
