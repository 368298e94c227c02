import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { type HttpAnswer, httpCall } from "@/e2e/support/http-call";
import type { Customers } from "@/e2e/support/customers";

const CLIENTS = 32;
const REPEAT_AFTER_MS = 100;
/** Longer than a server needs to stop and start again. */
const GIVE_UP_AFTER_MS = 90_000;

/** Clients that send messages through whatever happens, as the contract asks them to. */
export interface Sending {
  /** Ids of the messages accepted so far, by `client_message_id`. */
  readonly accepted: ReadonlyMap<string, string>;
  /** Answers so far by status; `0` counts requests that got none. */
  readonly answers: Readonly<Record<number, number>>;
  /** Answers that no client should ever see, in words. */
  readonly wrong: readonly string[];
  /** Resolves when every message was accepted, or rejects when one was not for 90 s. */
  readonly done: Promise<void>;
}

interface Log {
  readonly accepted: Map<string, string>;
  readonly answers: Record<number, number>;
  readonly wrong: string[];
}

export interface SendingOptions extends Customers {
  readonly baseUrl: string;
  readonly count: number;
}

/**
 * Sends texts to the customers in turn, with 32 clients. A client repeats the same body under the same id after a 503
 * or where the connection broke, until it is accepted.
 */
export function startSending(options: SendingOptions): Sending {
  const log: Log = { accepted: new Map(), answers: {}, wrong: [] };
  let next = 0;
  async function client(): Promise<void> {
    for (let index = next++; index < options.count; index = next++)
      await sendUntilAccepted(options, index, log);
  }
  const done = Promise.all(Array.from({ length: CLIENTS }, client)).then(() => undefined);
  // Told to whoever waits for it; until then it is nobody's unhandled rejection.
  done.catch(() => undefined);
  return { ...log, done };
}

async function sendUntilAccepted(options: SendingOptions, index: number, log: Log): Promise<void> {
  const { handles } = options;
  const clientMessageId = randomUUID();
  const message = {
    client_message_id: clientMessageId,
    type: "text",
    to: { kind: "whatsapp", handle: handles[index % handles.length] },
    text: { body: `Message ${index}` },
  };
  const endsAtMs = performance.now() + GIVE_UP_AFTER_MS;
  for (let isRepeat = false; performance.now() < endsAtMs; isRepeat = true) {
    const answer = await post(options, JSON.stringify(message));
    const status = answer?.status ?? 0;
    log.answers[status] = (log.answers[status] ?? 0) + 1;
    if (answer && !isRefusalForNow(answer)) {
      const problem = problemOf(answer, clientMessageId, isRepeat);
      if (problem !== null) log.wrong.push(problem);
      log.accepted.set(clientMessageId, messageIdOf(answer) ?? "");
      return;
    }
    await pause(REPEAT_AFTER_MS);
  }
  throw new Error(
    `Message ${index} was not accepted in ${GIVE_UP_AFTER_MS / 1000} s: ${JSON.stringify(log.answers)}`,
  );
}

/** Null where the connection broke. */
async function post({ baseUrl, secret }: SendingOptions, body: string): Promise<HttpAnswer | null> {
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

function isRefusalForNow(answer: HttpAnswer): boolean {
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

/** What is wrong with an answer that isn't a 503; null for nothing. */
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
