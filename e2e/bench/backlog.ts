import { randomUUID } from "node:crypto";
import { resumeChannel } from "@/e2e/support/cli";
import { httpCall } from "@/e2e/support/http-call";
import { failNumber } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import type { BenchWaypost } from "./waypost";

/** After this error, the upstream is probed again only after an hour. */
const PAUSING_ERROR = "spam_rate_exceeded";

/**
 * Pauses the customers' channel as the upstream would, and queues that many messages on it, the same number for each
 * customer, in turns. They are copies of accepted messages, created in the database, so that accepting isn't part of
 * the measurement.
 */
export async function queueBehindPause(waypost: BenchWaypost, messages: number): Promise<void> {
  const { server, phoneNumberId } = waypost;
  await failNumber(server.simulatorUrl, phoneNumberId, PAUSING_ERROR);
  await sendOne(waypost);
  await until("the channel is paused", () => isPaused(waypost));
  await failNumber(server.simulatorUrl, phoneNumberId, null);
  await copyMessages(waypost, messages);
}

/** Ends the pause: the channel sends again. */
export function endPause({ server, channelId }: BenchWaypost): Promise<void> {
  return resumeChannel(server, channelId);
}

async function sendOne({ url, headers, handles }: BenchWaypost): Promise<void> {
  const body = JSON.stringify({
    client_message_id: randomUUID(),
    type: "text",
    to: { kind: "whatsapp", handle: handles[0] },
    text: { body: "The one that meets the limit" },
  });
  const answer = await httpCall({ method: "POST", url: `${url}/messages`, headers, body: Buffer.from(body) });
  if (answer.status !== 201) throw new Error(`A message was answered ${answer.status}`);
}

async function isPaused({ sql, channelId }: BenchWaypost): Promise<boolean> {
  const [row] = await sql`select 1 from channels where id = ${channelId} and paused_at is not null`;
  return row !== undefined;
}

async function copyMessages({ sql, channelId, handles }: BenchWaypost, messages: number): Promise<void> {
  const { count } = await sql`
    insert into messages (id, organization_id, conversation_id, contact_id, channel_id, kind, type, content, key_id,
      client_message_id, body_fingerprint, recipient, request_id, state, next_attempt_at, enqueued_at)
    select uuidv7(), m.organization_id, m.conversation_id, m.contact_id, m.channel_id, m.kind, m.type, m.content,
      m.key_id, gen_random_uuid()::text, m.body_fingerprint, m.recipient, m.request_id, 'queued', now(), now()
    from (
      select distinct on (conversation_id) * from messages
      where channel_id = ${channelId} and kind = 'outbound' and recipient = any(${[...handles]}::text[])
        and client_message_id is not null
      order by conversation_id, accept_seq) m
    cross join generate_series(1, ${Math.ceil(messages / handles.length)}::int) as turn
    order by turn, m.recipient`;
  if (count < messages) throw new Error(`Only ${count} messages could be queued`);
  await sql`analyze messages`;
}
