import { Agent, request } from "undici";
import { z } from "zod";
import { createBatcher } from "@/server/lib/batch";
import { systemCodeOf } from "@/server/lib/error-causes";
import { LINK_TIMEOUT_MS, LinkError, type RedisCommand, type RedisLink, type RedisReply } from "./redis-link";

const CONNECTIONS_MAX = 16;
/** Longer than requests wait: a late reply says which units must be given back. */
const ANSWER_TIMEOUT_MS = 2_000;
const COMMANDS_MAX = 200;
/** A reply takes about 20 bytes per command; an error a few hundred. */
const ANSWER_BYTES_MAX = 256 * 1024;

const replySchema = z.union([z.object({ error: z.string() }), z.object({ result: z.unknown() })]);

/**
 * Speaks Upstash's REST protocol (https://upstash.com/docs/redis/features/restapi#pipelining). Commands of one turn of
 * the event loop are sent as one request.
 */
export function openRestLink({ url, token }: { url: string; token: string }): RedisLink {
  const agent = new Agent({
    connections: CONNECTIONS_MAX,
    connectTimeout: LINK_TIMEOUT_MS,
    maxResponseSize: ANSWER_BYTES_MAX,
  });
  const { protocol, host } = new URL(url);
  const endpoint = `${url.replace(/\/+$/, "")}/pipeline`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };

  async function run(commands: readonly RedisCommand[]): Promise<readonly RedisReply[]> {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const body = JSON.stringify(commands);
    const { status, text } = await exchange({ endpoint, headers, body, signal, agent });
    if (status !== 200) throw new LinkError(`Upstash answered ${status}`);
    const replies = z.array(replySchema).length(commands.length).safeParse(parseJson(text));
    if (!replies.success) throw new LinkError("Upstash answered what its protocol doesn't know");
    return replies.data;
  }

  return {
    name: "upstash",
    place: `UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN (${protocol}//${host})`,
    send: createBatcher({ run, itemsMax: COMMANDS_MAX, inFlightMax: Number.POSITIVE_INFINITY }),
    close: () => agent.destroy(),
  };
}

async function exchange(call: {
  endpoint: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  agent: Agent;
}): Promise<{ status: number; text: string }> {
  const { endpoint, headers, body, signal, agent } = call;
  try {
    const answer = await request(endpoint, { method: "POST", headers, body, signal, dispatcher: agent });
    return { status: answer.statusCode, text: await answer.body.text() };
  } catch (error) {
    // Without the message, which may contain the address.
    const words = systemCodeOf(error) ?? (error instanceof Error ? error.name : "unknown");
    const reason = signal.aborted ? `nothing in ${ANSWER_TIMEOUT_MS} ms` : words;
    throw new LinkError(`Upstash gave no answer: ${reason}`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
