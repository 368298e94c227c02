import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Customers } from "@/e2e/support/customers";
import { httpCall, type HttpAnswer } from "@/e2e/support/http-call";

const CLIENTS = 8;
const PAUSE_MS_MAX = 20;

/** Clients that send one message after another without retries. */
export interface Load {
  /** Counts of results: the status and, for a refusal, its code; for a connection error, its code. */
  readonly answers: ReadonlyMap<string, number>;
  /** Ids of accepted messages. */
  readonly accepted: readonly string[];
  /** Responses with 503 but without `Retry-After`. */
  readonly withoutRetryAfter: readonly string[];
  /** Stops sending, and resolves when all responses have arrived. */
  stop(): Promise<void>;
}

/** Starts sending texts to customers who can be written to. */
export function startLoad(baseUrl: string, { secret, handles }: Customers): Load {
  const answers = new Map<string, number>();
  const accepted: string[] = [];
  const withoutRetryAfter: string[] = [];
  const over = new AbortController();
  let sent = 0;

  async function client(): Promise<void> {
    while (!over.signal.aborted) {
      const handle = handles[sent++ % handles.length] ?? "";
      const answer = await send(baseUrl, secret, handle);
      const word = typeof answer === "string" ? answer : wordOf(answer);
      answers.set(word, (answers.get(word) ?? 0) + 1);
      if (typeof answer !== "string" && answer.status === 201)
        accepted.push(JSON.parse(answer.text).message_id);
      if (typeof answer !== "string" && answer.status === 503 && !answer.headers["retry-after"])
        withoutRetryAfter.push(answer.text);
      await pause(Math.random() * PAUSE_MS_MAX);
    }
  }

  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  return {
    answers,
    accepted,
    withoutRetryAfter,
    async stop() {
      over.abort();
      await clients;
    },
  };
}

/** Returns the response, or the code of the error. */
async function send(baseUrl: string, secret: string, handle: string): Promise<HttpAnswer | string> {
  const body = {
    client_message_id: randomUUID(),
    type: "text",
    to: { kind: "whatsapp", handle },
    text: { body: "Hello" },
  };
  try {
    return await httpCall({
      method: "POST",
      url: `${baseUrl}/api/public/v1/messages`,
      headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
      body: Buffer.from(JSON.stringify(body)),
    });
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

function wordOf({ status, text }: HttpAnswer): string {
  if (status < 400) return String(status);
  const code = /"code":"(\w+)"/.exec(text)?.[1];
  return `${status} ${code ?? "without the envelope"}`;
}
