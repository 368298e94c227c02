import { z } from "zod";
import { newId, type InboxFault } from "@/db/schema";
import type { Services } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { readBody } from "@/server/transport/body";
import { storableText } from "@/server/lib/text";
import { findInbox } from "@/server/domain/inbox/find";
import { faultOf, KEPT_HEADERS, type KeptHeaders } from "@/server/domain/inbox/verify";

/**
 * Maximum per organization. Genuine and unverified webhooks have separate limits, so that outsiders can't displace
 * genuine ones.
 */
export const VERIFIED_MAX = 100;
export const FAULTY_MAX = 20;

const BODY_BYTES_MAX = 64 * 1024;
const BODY_TIMEOUT_MS = 10_000;
/** Length of an unverified body that is kept. */
const FAULTY_BODY_LENGTH_MAX = 1_024;
const HEADER_LENGTH_MAX = 512;

export interface InboxRequest {
  header(name: string): string | null;
  body(): AsyncIterable<Uint8Array>;
}

/**
 * Receives a webhook for the inbox of a demo organization, as an integrator's endpoint would, and stores it. Of an
 * unverified webhook it stores only a part.
 * @throws WaypostError `not_found` for an organization that has no inbox; `payload_too_large`; `request_timeout`.
 */
export async function receiveWebhook(
  services: Services,
  organizationId: string,
  request: InboxRequest,
): Promise<void> {
  const inbox = await findInbox(services, organizationId);
  if (!inbox) throw new WaypostError("not_found");
  const bytes = await readBody(request.body(), { bytesMax: BODY_BYTES_MAX, timeoutMs: BODY_TIMEOUT_MS });
  const headers = keptHeaders(request);
  const body = bytes.toString("utf8");
  const fault = faultOf({ headers, body }, inbox.secrets);
  await store(services, {
    organizationId: inbox.organizationId,
    fault,
    headers,
    body: storableText(fault === null ? body : body.slice(0, FAULTY_BODY_LENGTH_MAX)),
    bodyBytes: bytes.byteLength,
    ...(fault === null ? subjectOf(body) : { type: null, messageId: null, contactId: null }),
  });
}

function keptHeaders(request: InboxRequest): KeptHeaders {
  const present = KEPT_HEADERS.flatMap((name) => {
    const value = request.header(name);
    return value === null ? [] : [[name, storableText(value.slice(0, HEADER_LENGTH_MAX))]];
  });
  return Object.fromEntries(present);
}

const subjectSchema = z.object({
  type: z.string(),
  data: z.object({ message_id: z.guid().optional(), contact_id: z.guid().optional() }),
});

/** Returns the subject of a body that we signed. Nothing if someone else who has the secret signed it. */
function subjectOf(body: string): Pick<Received, "type" | "messageId" | "contactId"> {
  const { data: subject } = subjectSchema.safeParse(jsonOrNull(body));
  const messageId = subject?.data.message_id ?? null;
  const contactId = messageId === null ? (subject?.data.contact_id ?? null) : null;
  return { type: subject?.type ?? null, messageId, contactId };
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface Received {
  readonly organizationId: string;
  readonly fault: InboxFault | null;
  readonly headers: KeptHeaders;
  readonly body: string;
  readonly bodyBytes: number;
  readonly type: string | null;
  readonly messageId: string | null;
  /** Only if the webhook is about no message. */
  readonly contactId: string | null;
}

/** Stores a webhook, and deletes the oldest of its kind above the limit. */
async function store({ sql }: Services, received: Received): Promise<void> {
  const { organizationId, fault, headers, body, bodyBytes, type, messageId, contactId } = received;
  const othersMax = (fault === null ? VERIFIED_MAX : FAULTY_MAX) - 1;
  await sql`
    with kept as (
      insert into demo_inbox (id, organization_id, received_at, fault, headers, body, body_bytes, type, message_id,
        contact_id)
      values (${newId()}, ${organizationId}, clock_timestamp(), ${fault}, ${sql.json({ ...headers })}, ${body},
        ${bodyBytes}, ${type}, ${messageId}, ${contactId}))
    delete from demo_inbox where organization_id = ${organizationId} and id in (
      select id from demo_inbox
      where organization_id = ${organizationId} and (fault is null) = ${fault === null}
      order by received_at desc, id desc offset ${othersMax} for update skip locked)`;
}
