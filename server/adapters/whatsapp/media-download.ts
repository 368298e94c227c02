import { request } from "undici";
import { z } from "zod";
import { type CallBounds, whileWanted } from "@/server/lib/bounded-call";
import type { Caller } from "./client";
import { exchange, reasonOf } from "./exchange";
import { maybe } from "./fields";
import { graphErrorIn } from "./graph-error";

const FIND_TIMEOUT_MS = 20_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const REDIRECTS_MAX = 2;
/** Meta's download host refuses requests without one. */
const USER_AGENT = "Waypost";

/** Domains of Meta that media are downloaded from. Others could be anyone's, and would get the access token. */
const META_DOMAINS = ["fbsbx.com", "facebook.com", "fbcdn.net", "whatsapp.net"] as const;

/** The Graph API's error for an object that doesn't exist, or that the token may not see. */
const INVALID_PARAMETER = 100;
const DOES_NOT_EXIST = 33;
const NOT_FOUND = 404;

export interface MediaCaller extends Caller {
  /** Aborts the call. */
  readonly signal?: AbortSignal;
}

/** The upstream's answer about a file. */
export type FoundMedia =
  /** `url` is valid for minutes. The other facts are the upstream's, and needn't be true. */
  | {
      readonly kind: "found";
      readonly url: string;
      readonly size: number | null;
      /** In hex. */
      readonly sha256: string | null;
    }
  /** The upstream says that it doesn't have the file. */
  | { readonly kind: "gone"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

const found = z.object({
  url: z.string().max(4096),
  file_size: maybe(z.coerce.number().int().nonnegative()),
  sha256: maybe(z.string()),
});

const subcoded = z.object({ error: z.object({ error_subcode: z.coerce.number() }) });

/**
 * Asks for the address of a file
 * (https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media#retrieve-media-url). Never throws.
 */
export async function findMedia(
  call: MediaCaller & { mediaId: string; timeoutMs?: number },
): Promise<FoundMedia> {
  try {
    const { httpStatus, text } = await exchange({
      baseUrl: call.baseUrl,
      accessToken: call.accessToken,
      path: encodeURIComponent(call.mediaId),
      method: "GET",
      timeoutMs: call.timeoutMs ?? FIND_TIMEOUT_MS,
      signal: call.signal,
      answerBytesMax: ANSWER_BYTES_MAX,
    });
    return readFound(httpStatus, parse(text));
  } catch (error) {
    return { kind: "failed", reason: reasonOf(error) };
  }
}

function readFound(httpStatus: number, json: unknown): FoundMedia {
  const { data } = found.safeParse(json);
  if (httpStatus === 200 && data) {
    const { url, file_size: size = null, sha256 } = data;
    return { kind: "found", url, size, sha256: hexHash(sha256) };
  }
  const { code = null, words = null } = graphErrorIn(json) ?? {};
  const reason = `HTTP ${httpStatus}: ${words ?? "no readable answer"}`;
  const subcode = subcoded.safeParse(json).data?.error.error_subcode;
  const isGone = httpStatus === NOT_FOUND || (code === INVALID_PARAMETER && subcode === DOES_NOT_EXIST);
  return { kind: isGone ? "gone" : "failed", reason };
}

/** Converts a SHA-256 in hex or base64, as callbacks have it, to hex. Null for anything else. */
export function hexHash(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  return /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, "base64").toString("hex") : null;
}

/** A download that the upstream refuses, or whose address isn't one of Meta's. */
export class MediaRefused extends Error {}

export interface Download extends MediaCaller, CallBounds {
  readonly url: string;
}

/**
 * Downloads a file, with the channel's access token. `take` gets its bytes while they arrive. The token is sent only to
 * Meta's hosts over https, and to the address that the channel is called at; that also holds for each redirect. A name
 * of Meta that somebody else's address resolves to fails at the certificate.
 * @throws MediaRefused; what `take` throws; the error that broke the connection.
 */
export async function downloadMedia<T>(
  call: Download,
  take: (chunks: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  return whileWanted(call, async (signal) => {
    let url = requireMetas(call.url, call.baseUrl);
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
      const { statusCode, headers, body } = await request(url, {
        headers: {
          authorization: `Bearer ${call.accessToken}`,
          "accept-encoding": "identity",
          "user-agent": USER_AGENT,
        },
        signal,
      });
      try {
        if (statusCode === 200) return await take(body);
        const { location } = headers;
        if (statusCode < 300 || statusCode >= 400 || typeof location !== "string") {
          throw new MediaRefused(`HTTP ${statusCode} from the download address`);
        }
        url = requireMetas(location, call.baseUrl, url);
      } finally {
        // Closes the connection of an answer that nobody reads to its end.
        body.on("error", () => undefined).destroy();
      }
    }
    throw new MediaRefused(`more than ${REDIRECTS_MAX} redirects`);
  });
}

/** @throws MediaRefused for an address that must not get the access token. */
function requireMetas(address: string, baseUrl: string, from?: URL): URL {
  const url = URL.canParse(address, from) ? new URL(address, from) : null;
  if (url === null || url.username !== "" || url.password !== "") {
    throw new MediaRefused("the download address is not a valid one");
  }
  const isMetas =
    url.protocol === "https:" &&
    url.port === "" &&
    META_DOMAINS.some((domain) => url.hostname === domain || url.hostname.endsWith(`.${domain}`));
  if (isMetas || url.origin === new URL(baseUrl).origin) return url;
  throw new MediaRefused("the download address is not one of Meta's");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
