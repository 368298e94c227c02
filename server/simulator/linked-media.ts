import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";
import { isOtherKind, signatureBytes } from "./file-signatures";
import type { GraphError } from "./graph-errors";
import { isAtHost, readHostRule } from "./hosts";
import { readInput, sendJson } from "./http";
import { type MediaKind, mediaKindOf, mediaKinds, mediaPartsOf } from "./media";
import type { MessageRequest } from "./message-request";
import type { SimulatorContext } from "./simulator-context";

const timeoutMs = 5_000;
const redirectsMax = 3;
const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"] as const;
const everyHost = "*";

const host = z
  .string()
  .max(260)
  .refine(
    (text) => text === everyHost || readHostRule(text) !== null,
    "expected a host, or a host and a port, such as files.example.com or 127.0.0.1:4000",
  );

const putMediaHostsSchema = z.strictObject({ hosts: z.array(host).max(100) });

interface Link {
  readonly kind: MediaKind;
  readonly url: string;
}

/**
 * Files that messages name by their URL. Meta downloads them before it sends the message. The simulator downloads those
 * of the hosts that it may call, and takes all others as there: tests must work without a network.
 */
export class LinkedMedia {
  #hosts: readonly string[] = loopbackHosts;

  get hosts(): readonly string[] {
    return this.#hosts;
  }

  setHosts(hosts: readonly string[]): void {
    this.#hosts = hosts.map((name) => name.toLowerCase());
  }

  /** Downloads the files of a message. @returns the error that the message fails with. Null if there is none. */
  async findProblem(message: MessageRequest): Promise<GraphError | null> {
    const problems = await Promise.all(linksOf(message).map((link) => this.#problemOf(link)));
    return problems.find((problem) => problem !== null) ?? null;
  }

  async #problemOf(link: Link): Promise<GraphError | null> {
    try {
      return await this.#download(link);
    } catch (error) {
      const isTimeout = error instanceof Error && error.name === "TimeoutError";
      const reason = isTimeout ? `no whole answer within ${timeoutMs / 1000} seconds` : "no connection";
      return notDownloaded(`: ${reason}`);
    }
  }

  async #download({ kind, url }: Link): Promise<GraphError | null> {
    const signal = AbortSignal.timeout(timeoutMs);
    for (let next = new URL(url), redirects = 0; redirects <= redirectsMax; redirects += 1) {
      if (!/^https?:$/.test(next.protocol)) return notDownloaded(`: ${next.protocol} is not http`);
      if (!this.#mayCall(next)) return null;
      const response = await fetch(next, { redirect: "manual", signal });
      const location = response.headers.get("location");
      if (response.status >= 300 && response.status < 400 && location !== null) {
        await response.body?.cancel();
        if (!URL.canParse(location, next)) return notDownloaded(": it redirects to an invalid URL");
        next = new URL(location, next);
        continue;
      }
      if (response.status !== 200) {
        await response.body?.cancel();
        const words = STATUS_CODES[response.status] ?? "Unknown";
        return notDownloaded(` with http code ${response.status}, status message ${words}`);
      }
      return (await isOfKind(response, kind)) ? null : { error: "media_upload_failed" };
    }
    return notDownloaded(`: more than ${redirectsMax} redirects`);
  }

  #mayCall(url: URL): boolean {
    return this.#hosts.some((name) => {
      if (name === everyHost) return true;
      const rule = readHostRule(name);
      return rule !== null && isAtHost(url, rule);
    });
  }
}

/** `why` continues the sentence. */
function notDownloaded(why: string): GraphError {
  return { error: "media_download_failed", details: `Downloading media from weblink failed${why}` };
}

/** Reads until the end, or until the file is too large. */
async function isOfKind(response: Response, kind: MediaKind): Promise<boolean> {
  const type = mediaKindOf(response.headers.get("content-type") ?? "");
  let first = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > mediaKinds[kind].bytesMax) return false;
    if (first.length < signatureBytes) first = Buffer.concat([first, chunk]);
  }
  if (bytes === 0 || isOtherKind(first.subarray(0, signatureBytes), kind)) return false;
  // A file of any kind may be sent as a document.
  return type === kind || kind === "document";
}

function linksOf(message: MessageRequest): Link[] {
  return mediaPartsOf(message).flatMap(({ kind, content }) => {
    // In a template's parameter, an id takes priority over a link.
    const isById = typeof content?.id === "string";
    return typeof content?.link === "string" && !isById ? [{ kind, url: content.link }] : [];
  });
}

/** `PUT /simulator/media-hosts`: the hosts, or hosts with ports, whose files are downloaded; `*` for all; until the process ends. */
export async function putMediaHosts(
  context: SimulatorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const input = await readInput(putMediaHostsSchema, request, response);
  if (input === null) return;
  context.linkedMedia.setHosts(input.hosts);
  sendJson(response, 200, { hosts: context.linkedMedia.hosts });
}
