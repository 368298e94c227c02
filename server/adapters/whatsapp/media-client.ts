import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { z } from "zod";
import type { StoredFile } from "@/server/adapters/files/store";
import { type CallOutcome, readAnswer, unanswered } from "./answer";
import type { Caller } from "./client";
import { exchange, reasonOf } from "./exchange";

/** Time limit of the whole call. 100 MiB in this time is 7 Mbit/s. */
const CALL_TIMEOUT_MS = 120_000;
const ANSWER_BYTES_MAX = 64 * 1024;

export interface MediaCall extends Caller {
  readonly mimeType: string;
  readonly file: StoredFile;
  readonly timeoutMs?: number;
  /** Aborts the call. */
  readonly signal?: AbortSignal;
}

/** An upload reaches no customer, so its result is never uncertain. */
export type MediaFailure = Extract<CallOutcome, { kind: "retry" | "rejected" }>;

export type MediaAnswer =
  | { readonly kind: "ready"; readonly mediaId: string }
  | { readonly kind: "failed"; readonly outcome: MediaFailure };

const uploaded = z.object({ id: z.string().min(1).max(500) });

/**
 * Uploads a file to the Cloud API, streamed, for messages of that number
 * (https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media#upload-media). Never throws. A failure is
 * permanent only if the upstream's own error says so. All others may be retried.
 */
export async function uploadMedia(call: MediaCall): Promise<MediaAnswer> {
  const form = mediaForm(call);
  try {
    const { httpStatus, text } = await exchange({
      baseUrl: call.baseUrl,
      accessToken: call.accessToken,
      path: `${call.phoneNumberId}/media`,
      method: "POST",
      headers: form.headers,
      body: Readable.from(form.body(), { objectMode: false }),
      timeoutMs: call.timeoutMs ?? CALL_TIMEOUT_MS,
      signal: call.signal,
      answerBytesMax: ANSWER_BYTES_MAX,
    });
    return readMediaAnswer(httpStatus, text);
  } catch (error) {
    return mediaRetry(reasonOf(error));
  }
}

/** The multipart form of the call. It doesn't contain the file name, because a message has its own. */
function mediaForm({ mimeType, file }: MediaCall) {
  const boundary = `waypost-${randomBytes(16).toString("hex")}`;
  const part = (disposition: string, rest: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${rest}`;
  const before = Buffer.from(
    part('name="messaging_product"', "\r\nwhatsapp\r\n") +
      part('name="type"', `\r\n${mimeType}\r\n`) +
      part('name="file"; filename="file"', `Content-Type: ${mimeType}\r\n\r\n`),
  );
  const after = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    headers: {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": String(before.length + file.size + after.length),
    },
    async *body() {
      yield before;
      yield* file.read();
      yield after;
    },
  };
}

function readMediaAnswer(httpStatus: number, text: string): MediaAnswer {
  const mediaId = idIn(text);
  if (httpStatus >= 200 && httpStatus < 300 && mediaId !== null) return { kind: "ready", mediaId };
  const outcome = readAnswer(httpStatus, text);
  const isClear = outcome.detail.upstreamCode !== null;
  if (outcome.kind === "retry") return { kind: "failed", outcome };
  if (outcome.kind === "rejected" && isClear) return { kind: "failed", outcome };
  return { kind: "failed", outcome: { kind: "retry", detail: outcome.detail } };
}

function idIn(text: string): string | null {
  try {
    return uploaded.safeParse(JSON.parse(text)).data?.id ?? null;
  } catch {
    return null;
  }
}

/** Result for a file that wasn't uploaded, but may be later. */
export function mediaRetry(reason: string): MediaAnswer {
  return { kind: "failed", outcome: { kind: "retry", detail: unanswered(reason) } };
}
