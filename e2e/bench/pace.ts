import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";
import { newMessage } from "./load";

/** Requests at an even pace, independent of response times. */
export interface PaceJob {
  /** Of the messages. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly handles: readonly string[];
  readonly messagesPerSecond: number;
  readonly seconds: number;
  /** Reads of these messages, in turns, beside the new ones. */
  readonly reads?: { readonly messageIds: readonly string[]; readonly perSecond: number };
}

/** Times of an answered request, in Unix milliseconds. */
export interface PacedRequest {
  /** By the schedule, whether or not it could be sent then. */
  readonly dueAtMs: number;
  readonly sentAtMs: number;
  /** When its response was read. */
  readonly answeredAtMs: number;
}

export interface PacedMessages {
  readonly accepted: readonly (PacedRequest & { readonly messageId: string })[];
  readonly read: readonly PacedRequest[];
  /** Unexpected responses by status, `0` for none at all. */
  readonly wrong: Readonly<Record<string, number>>;
}

interface Due {
  readonly dueAtMs: number;
  /** Its place among the requests of its kind. */
  readonly index: number;
  readonly isRead: boolean;
}

const TIMEOUT_MS = 20_000;
const CONNECTIONS_MAX = 32;

/**
 * Sends new messages, and reads, each at its scheduled time. A late response delays no other request's scheduled time: a
 * request that finds no free connection waits, and this wait is part of its time.
 */
export async function sendPaced(job: PaceJob): Promise<PacedMessages> {
  const agent = new Agent({
    connections: CONNECTIONS_MAX,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  const accepted: (PacedRequest & { messageId: string })[] = [];
  const read: PacedRequest[] = [];
  const wrong: Record<string, number> = {};

  async function send(due: Due): Promise<void> {
    const sentAtMs = unixMs();
    const { status, messageId } = await ask(job, due, agent).catch(() => NO_ANSWER);
    const times = { dueAtMs: due.dueAtMs, sentAtMs, answeredAtMs: unixMs() };
    if (status !== (due.isRead ? 200 : 201)) wrong[status] = (wrong[status] ?? 0) + 1;
    else if (due.isRead) read.push(times);
    else accepted.push({ ...times, messageId });
  }

  try {
    const sending: Promise<void>[] = [];
    for (const due of scheduleOf(job, unixMs())) {
      await untilUnixMs(due.dueAtMs);
      sending.push(send(due));
    }
    await Promise.all(sending);
  } finally {
    await agent.close();
  }
  return { accepted, read, wrong };
}

const NO_ANSWER = { status: 0, messageId: "" };

async function ask({ url, headers, handles, reads }: PaceJob, { index, isRead }: Due, dispatcher: Agent) {
  if (isRead) {
    const messageId = reads?.messageIds[index % reads.messageIds.length] ?? "";
    const { statusCode: status, body } = await request(`${url}/${messageId}`, { headers, dispatcher });
    await body.dump();
    return { status, messageId };
  }
  const message = newMessage(handles[index % handles.length] ?? "");
  const response = await request(url, { method: "POST", headers, body: message, dispatcher });
  const answer = await response.body.json();
  return { status: response.statusCode, messageId: response.statusCode === 201 ? messageIdOf(answer) : "" };
}

/** Orders the requests of both kinds by time; the reads lie between the messages. */
function scheduleOf({ messagesPerSecond, seconds, reads }: PaceJob, startsAtMs: number): Due[] {
  const even = (perSecond: number, isRead: boolean) =>
    Array.from({ length: Math.round(perSecond * seconds) }, (_, index) => {
      const offset = index + (isRead ? 0.5 : 0);
      return { dueAtMs: startsAtMs + (offset * 1000) / perSecond, index, isRead };
    });
  return [...even(messagesPerSecond, false), ...even(reads?.perSecond ?? 0, true)].sort(
    (a, b) => a.dueAtMs - b.dueAtMs,
  );
}

/** Never too early: a timer counts whole milliseconds only. */
async function untilUnixMs(atMs: number): Promise<void> {
  for (let waitMs = atMs - unixMs(); waitMs > 0; waitMs = atMs - unixMs()) await pause(waitMs);
}

function unixMs(): number {
  return performance.timeOrigin + performance.now();
}

function messageIdOf(answer: unknown): string {
  if (typeof answer === "object" && answer !== null && "message_id" in answer)
    return String(answer.message_id);
  throw new Error("An accepted message has no message_id");
}
