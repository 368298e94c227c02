import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";
import { newMessage } from "./load";

/** New messages at an even pace, independent of response times. */
export interface PaceJob {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly handles: readonly string[];
  readonly messagesPerSecond: number;
  readonly seconds: number;
}

export interface PacedMessages {
  /** When each accepted message's response was read, in Unix milliseconds. */
  readonly accepted: readonly { readonly messageId: string; readonly answeredAtMs: number }[];
  readonly wrong: Readonly<Record<string, number>>;
}

const TIMEOUT_MS = 20_000;
const CONNECTIONS_MAX = 32;

/** Sends messages at an even pace, and returns when each was accepted. */
export async function sendPaced(job: PaceJob): Promise<PacedMessages> {
  const agent = new Agent({
    connections: CONNECTIONS_MAX,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  const accepted: { messageId: string; answeredAtMs: number }[] = [];
  const wrong: Record<string, number> = {};
  const total = Math.round(job.messagesPerSecond * job.seconds);
  const startedAtMs = performance.now();

  async function sendOne(index: number): Promise<void> {
    await pause(Math.max(0, startedAtMs + (index * 1000) / job.messagesPerSecond - performance.now()));
    const body = newMessage(job.handles[index % job.handles.length] ?? "");
    const response = await request(job.url, {
      method: "POST",
      headers: job.headers,
      body,
      dispatcher: agent,
    });
    const answer = await response.body.json();
    if (response.statusCode !== 201) wrong[response.statusCode] = (wrong[response.statusCode] ?? 0) + 1;
    else
      accepted.push({
        messageId: messageIdOf(answer),
        answeredAtMs: performance.timeOrigin + performance.now(),
      });
  }

  try {
    await Promise.all(Array.from({ length: total }, (_, index) => sendOne(index)));
  } finally {
    await agent.close();
  }
  return { accepted, wrong };
}

function messageIdOf(answer: unknown): string {
  if (typeof answer === "object" && answer !== null && "message_id" in answer)
    return String(answer.message_id);
  throw new Error("An accepted message has no message_id");
}
