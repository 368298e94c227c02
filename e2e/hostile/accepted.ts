import { BASE_PATH } from "@/e2e/support/api";
import { asJson } from "@/e2e/support/contract";
import { httpCall } from "@/e2e/support/http-call";
import { readLedger } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { isBlank } from "@/server/lib/text";
import { isDeepStrictEqual } from "node:util";
import type { HostileCase } from "./case";
import type { Played } from "./play";
import { parse } from "./check-answer";
import type { HostileWorld } from "./world";

/** A message with the response 201. */
export interface Accepted {
  readonly messageId: string;
  readonly clientMessageId: unknown;
  readonly type: unknown;
  /** All texts that the customer should read. */
  readonly texts: readonly string[];
  /** True if WhatsApp certainly accepts it. */
  readonly isGood: boolean;
}

/** Drops a byte order mark, as the API does. */
const utf8 = new TextDecoder();

export function acceptedOf({ message, mustBe }: HostileCase, { answers }: Played): readonly Accepted[] {
  const [answer] = answers;
  if (message === undefined || answer?.status !== 201) return [];
  const body = asJson(parse(utf8.decode(message)));
  const { message_id } = asJson(parse(answer.text));
  return [
    {
      messageId: String(message_id),
      clientMessageId: body.client_message_id,
      type: body.type,
      isGood: mustBe === 201,
      texts: [textOf(body), ...Object.values(asJson(asJson(body.template).variables))].flatMap(nonEmptyText),
    },
  ];
}

/** A blank caption counts as none. */
function textOf({ type, text }: Record<string, unknown>): unknown {
  const { body } = asJson(text);
  return type !== "text" && typeof body === "string" && isBlank(body) ? null : body;
}

const nonEmptyText = (value: unknown) => (typeof value === "string" && value !== "" ? [value] : []);

/** Describes messages whose stored or handed-over content differs from the request. */
export async function problemsOfAccepted(
  world: HostileWorld,
  accepted: readonly Accepted[],
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const message of accepted) {
    const { messageId, clientMessageId, type } = message;
    const answer = await read(world, messageId);
    const reported = { client_message_id: answer.client_message_id, type: answer.type };
    if (!isDeepStrictEqual(reported, { client_message_id: clientMessageId, type }))
      problems.push(`${messageId} was read back as ${JSON.stringify(reported)}`);
  }
  const upstream = await handedOver(world, accepted);
  for (const { messageId, texts, isGood } of accepted) {
    const given = new Set(textsIn(upstream.get(messageId)));
    const lost = texts.filter((text) => !given.has(text));
    if (lost.length === 0) continue;
    const { delivery_state, error } = await read(world, messageId);
    if (isGood || delivery_state !== "failed")
      problems.push(
        `${messageId}, ${String(delivery_state)} ${JSON.stringify(error)}: the upstream never got ${JSON.stringify(lost)}`,
      );
  }
  return problems;
}

async function read({ baseUrl, secret }: HostileWorld, messageId: string) {
  const answer = await httpCall({
    method: "GET",
    url: `${baseUrl}${BASE_PATH}/messages/${messageId}`,
    headers: { Authorization: `Bearer ${secret}` },
  });
  return asJson(parse(answer.text));
}

/** Returns what the upstream received for each, by our id, once it has received all. */
async function handedOver({ processes, demo }: HostileWorld, accepted: readonly Accepted[]) {
  const { sql, server } = processes;
  const isDone = async () => {
    const [row] = await sql<{ queued: number }[]>`
      select count(*)::int as queued from messages
      where organization_id = ${demo.organization_id} and state = 'queued'`;
    return row?.queued === 0;
  };
  await until("everything is handed upstream", isDone, { intervalMs: 200 });
  const wanted = new Set(accepted.map(({ messageId }) => messageId));
  const { messages } = await readLedger(server().simulatorUrl);
  return new Map(
    messages.flatMap(({ biz_opaque_callback_data: id, body }) =>
      id !== null && wanted.has(id) ? [[id, body]] : [],
    ),
  );
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
