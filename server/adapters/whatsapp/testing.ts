import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { z } from "zod";
import { serveOnLoopback } from "@/server/edge/http/testing";

const callBody = z.looseObject({
  to: z.string().optional(),
  recipient: z.string().optional(),
  text: z.object({ body: z.string() }).optional(),
  biz_opaque_callback_data: z.string(),
});

const markBody = z.strictObject({
  messaging_product: z.literal("whatsapp"),
  status: z.literal("read"),
  message_id: z.string(),
  typing_indicator: z.strictObject({ type: z.literal("text") }).optional(),
});

/** A mark as read that reached the upstream. */
export interface UpstreamMark {
  readonly upstreamId: string;
  readonly isTyping: boolean;
}

/** A call that reached the upstream. */
export interface UpstreamCall {
  readonly path: string;
  readonly authorization: string | undefined;
  /** The number, or WhatsApp's id of a person. */
  readonly to: string;
  /** Null for other types than text. */
  readonly text: string | null;
  readonly messageId: string;
  /** The whole body. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Behaviour of the upstream, when the request has arrived completely. */
export type Behaviour = (res: ServerResponse, call: UpstreamCall) => void;

/** Behaviour of the upstream for an uploaded file, or a mark as read, when it has arrived completely. */
export type UploadBehaviour = (res: ServerResponse) => void;

export interface TestUpstream {
  readonly url: string;
  readonly calls: readonly UpstreamCall[];
  readonly marks: readonly UpstreamMark[];
  /** Number of uploaded files. */
  readonly uploads: () => number;
  /** Sets the behaviour from now on. The default is `accepting`. */
  behave(behaviour: Behaviour): void;
  /** Sets the behaviour from now on. By default, a file gets a new id. */
  takeUploads(behaviour: UploadBehaviour): void;
  /** Sets the behaviour for marks as read from now on. By default, they succeed. */
  takeMarks(behaviour: UploadBehaviour): void;
  /** Sets whether `GET /{phone_number_id}` returns the number, which is the default, or an error. */
  letNumberBeRead(isReadable: boolean): void;
  close(): Promise<void>;
}

/** Starts a Cloud API on loopback with adjustable behaviour. */
export async function startTestUpstream(): Promise<TestUpstream> {
  const calls: UpstreamCall[] = [];
  const marks: UpstreamMark[] = [];
  let behaviour: Behaviour = accepting;
  let takeMark: UploadBehaviour = marking;
  let uploads = 0;
  let takeUpload: UploadBehaviour = givingId;
  let isNumberReadable = true;
  const server = await serveOnLoopback((req, res) => {
    if (req.method === "GET") return answerNumber(res, isNumberReadable);
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      if (req.url?.endsWith("/media")) {
        uploads += 1;
        return takeUpload(res);
      }
      const json: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      if (Object(json).status !== undefined) {
        const mark = markBody.parse(json);
        marks.push({ upstreamId: mark.message_id, isTyping: mark.typing_indicator !== undefined });
        return takeMark(res);
      }
      const body = callBody.parse(json);
      const call: UpstreamCall = {
        path: req.url ?? "",
        authorization: req.headers.authorization,
        to: body.to ?? body.recipient ?? "",
        text: body.text?.body ?? null,
        messageId: body.biz_opaque_callback_data,
        body,
      };
      calls.push(call);
      behaviour(res, call);
    });
  });
  return {
    url: server.url,
    calls,
    marks,
    uploads: () => uploads,
    behave: (next) => void (behaviour = next),
    takeUploads: (next) => void (takeUpload = next),
    takeMarks: (next) => void (takeMark = next),
    letNumberBeRead: (isReadable) => void (isNumberReadable = isReadable),
    close: () => server.close(),
  };
}

/** The wamid with which `accepting` accepts a message. */
export const wamidOf = (messageId: string): string => `wamid.${messageId}`;

export const givingId: UploadBehaviour = (res) => answerJson(res, 200, { id: `media-${randomUUID()}` });

export const marking: UploadBehaviour = (res) => answerJson(res, 200, { success: true });

export const accepting: Behaviour = (res, call) =>
  answerJson(res, 200, { messaging_product: "whatsapp", messages: [{ id: wamidOf(call.messageId) }] });

function answerNumber(res: ServerResponse, isReadable: boolean): void {
  if (isReadable)
    answerJson(res, 200, { id: "1", display_phone_number: "+1 555 0100", verified_name: "Test" });
  else answerJson(res, 401, { error: { message: "Expired", type: "OAuthException", code: 190 } });
}

/** An error in the format of Meta's Graph API. */
export const graphError =
  (code: number, httpStatus = 400, details = "Details"): Behaviour =>
  (res) =>
    answerJson(res, httpStatus, {
      error: {
        message: `(#${code}) Title`,
        type: "OAuthException",
        code,
        error_data: { details },
      },
    });

/** Reads the request and resets the connection. */
export const resetting: Behaviour = (res) => res.socket?.resetAndDestroy();

export const silent: Behaviour = () => undefined;

export function answerJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { "content-type": "application/json" });
  res.end(JSON.stringify(body));
}
