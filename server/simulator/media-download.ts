import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { graphErrorBody } from "./graph-errors";
import { accessToken, sendGraphError, sendJson } from "./http";
import type { Media } from "./media";
import { callerError, type PhoneNumber } from "./numbers";
import type { SimulatorContext } from "./simulator-context";

/** Meta's path on its download host. */
export const downloadPath = "/whatsapp_business/attachments/";
const urlValidForMs = 5 * 60 * 1000;

/** Returns the URL from which the media can be downloaded for five minutes, on the host that the request came to. */
export function downloadUrlOf(
  context: SimulatorContext,
  { id }: Media,
  { number, request }: { number: PhoneNumber; request: IncomingMessage },
): string {
  const ext = String(Math.floor((context.clock.nowMs() + urlValidForMs) / 1000));
  const query = new URLSearchParams({ mid: id, ext, hash: hashOf(number, id, ext).toString("base64url") });
  return `http://${request.headers.host ?? "localhost"}${downloadPath}?${query.toString()}`;
}

/**
 * `GET /whatsapp_business/attachments/?mid=&ext=&hash=`: the bytes, with the number's own token. 401 for another token;
 * 404 for a URL that has expired or isn't one of the simulator's.
 */
export async function downloadMedia(
  context: SimulatorContext,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const media = context.media.get(query.get("mid") ?? "");
  const number = media === null ? null : context.numbers.get(media.phone_number_id);
  const error = callerError(context, number, accessToken(request));
  if (error !== null && error.error !== "object_unknown") return sendGraphError(response, error);
  const isValid = error === null && number !== null && isValidUrl(query, number, context.clock.nowMs());
  const file = media !== null && isValid ? await context.media.files.read(media.id) : null;
  if (media === null || file === null) {
    return sendJson(response, 404, graphErrorBody({ error: "object_unknown" }));
  }
  response.writeHead(200, {
    "content-type": /^[ -~]+$/.test(media.mime_type) ? media.mime_type : "application/octet-stream",
    "content-length": String(media.file_size),
    "content-disposition": "attachment",
  });
  await pipeline(file, response);
}

function isValidUrl(query: URLSearchParams, number: PhoneNumber, nowMs: number): boolean {
  const ext = query.get("ext") ?? "";
  const given = Buffer.from(query.get("hash") ?? "", "base64url");
  const expected = hashOf(number, query.get("mid") ?? "", ext);
  return given.length === expected.length && timingSafeEqual(given, expected) && Number(ext) * 1000 > nowMs;
}

/** Nobody without the app secret can make a URL. */
function hashOf({ app_secret }: PhoneNumber, id: string, ext: string): Buffer {
  return createHmac("sha256", app_secret).update(`${id}:${ext}`).digest();
}
