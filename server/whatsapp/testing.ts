import type { ServerResponse } from "node:http";
import { z } from "zod";
import { serveOnLoopback } from "../http/testing";

const callBody = z.looseObject({
  to: z.string(),
  text: z.object({ body: z.string() }).optional(),
  biz_opaque_callback_data: z.string(),
});

/** What reached the upstream. */
export interface UpstreamCall {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly to: string;
  /** Null for other types than text. */
  readonly text: string | null;
  readonly messageId: string;
}

/** How the upstream behaves; the request has arrived whole. */
export type Behaviour = (res: ServerResponse, call: UpstreamCall) => void;

export interface TestUpstream {
  readonly url: string;
  readonly calls: readonly UpstreamCall[];
  /** From now on; the first behaviour is `accepting`. */
  behave(behaviour: Behaviour): void;
  /** Whether `GET /{phone_number_id}` is answered with the number, as at first, or with an error. */
  letNumberBeRead(isReadable: boolean): void;
  close(): Promise<void>;
}

/** A Cloud API on loopback that does as it is told. */
export async function startTestUpstream(): Promise<TestUpstream> {
  const calls: UpstreamCall[] = [];
  let behaviour: Behaviour = accepting;
  let isNumberReadable = true;
  const server = await serveOnLoopback((req, res) => {
    if (req.method === "GET") return answerNumber(res, isNumberReadable);
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      const body = callBody.parse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
      const call: UpstreamCall = {
        path: req.url ?? "",
        authorization: req.headers.authorization,
        to: body.to,
        text: body.text?.body ?? null,
        messageId: body.biz_opaque_callback_data,
      };
      calls.push(call);
      behaviour(res, call);
    });
  });
  return {
    url: server.url,
    calls,
    behave: (next) => void (behaviour = next),
    letNumberBeRead: (isReadable) => void (isNumberReadable = isReadable),
    close: () => server.close(),
  };
}

/** The wamid under which `accepting` takes a message. */
export const wamidOf = (messageId: string): string => `wamid.${messageId}`;

export const accepting: Behaviour = (res, call) =>
  answerJson(res, 200, { messaging_product: "whatsapp", messages: [{ id: wamidOf(call.messageId) }] });

function answerNumber(res: ServerResponse, isReadable: boolean): void {
  if (isReadable)
    answerJson(res, 200, { id: "1", display_phone_number: "+1 555 0100", verified_name: "Test" });
  else answerJson(res, 401, { error: { message: "Expired", type: "OAuthException", code: 190 } });
}

/** An error as Meta's Graph API writes it. */
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

/** Reads the request and cuts the connection. */
export const resetting: Behaviour = (res) => res.socket?.resetAndDestroy();

export const silent: Behaviour = () => undefined;

export function answerJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { "content-type": "application/json" });
  res.end(JSON.stringify(body));
}
