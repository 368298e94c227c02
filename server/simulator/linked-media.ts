import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import type { GraphErrorName } from "./graph-errors";
import { readInput, sendJson } from "./http";
import { type MediaKind, mediaKindOf, mediaKinds, mediaPartsOf } from "./media";
import type { MessageRequest } from "./message-request";
import type { SimulatorContext } from "./simulator-context";

const timeoutMs = 5_000;
const redirectsMax = 3;
const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"] as const;
const everyHost = "*";

const putMediaHostsSchema = z.strictObject({ hosts: z.array(z.string().min(1).max(253)).max(100) });

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
    this.#hosts = hosts.map((host) => host.toLowerCase());
  }

  /** Downloads the files of a message. @returns the error that the message fails with. Null if there is none. */
  async findProblem(message: MessageRequest): Promise<GraphErrorName | null> {
    const problems = await Promise.all(linksOf(message).map((link) => this.#download(link)));
    return problems.find((problem) => problem !== null) ?? null;
  }

  async #download({ kind, url }: Link): Promise<GraphErrorName | null> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      for (let next = new URL(url), redirects = 0; redirects <= redirectsMax; redirects += 1) {
        if (!this.#mayCall(next)) return null;
        const response = await fetch(next, { redirect: "manual", signal });
        const location = response.headers.get("location");
        if (response.status >= 300 && response.status < 400 && location !== null) {
          await response.body?.cancel();
          next = new URL(location, next);
          continue;
        }
        if (response.status !== 200) return "media_download_failed";
        return (await isOfKind(response, kind)) ? null : "media_upload_failed";
      }
    } catch {
      // An invalid URL, no connection, or too slow.
    }
    return "media_download_failed";
  }

  #mayCall({ protocol, hostname }: URL): boolean {
    if (protocol !== "http:" && protocol !== "https:") throw new Error(`${protocol} can't be downloaded`);
    return this.#hosts.includes(everyHost) || this.#hosts.includes(hostname);
  }
}

/** Reads until the end, or until the file is too large. */
async function isOfKind(response: Response, kind: MediaKind): Promise<boolean> {
  const type = mediaKindOf(response.headers.get("content-type") ?? "");
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > mediaKinds[kind].bytesMax) return false;
  }
  // A file of any kind may be sent as a document.
  return bytes > 0 && (type === kind || kind === "document");
}

function linksOf(message: MessageRequest): Link[] {
  return mediaPartsOf(message).flatMap(({ kind, content }) => {
    // In a template's parameter, an id takes priority over a link.
    const isById = typeof content?.id === "string";
    return typeof content?.link === "string" && !isById ? [{ kind, url: content.link }] : [];
  });
}

/** `PUT /simulator/media-hosts`: the hosts whose files are downloaded, `*` for all; until the process ends. */
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
