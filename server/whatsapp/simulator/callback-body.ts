import { createHmac } from "node:crypto";
import { callbackError } from "@/server/whatsapp/simulator/graph-errors";
import type { PhoneNumber } from "@/server/whatsapp/simulator/numbers";
import type { InboundContent, OwedCallback, StatusContent } from "@/server/whatsapp/simulator/records";

/** Callbacks of one number that go out in one POST. */
export interface NumberBatch {
  readonly number: PhoneNumber;
  readonly callbacks: readonly OwedCallback[];
}

/** The raw bytes of a callback, grouped into entries by account and changes by number as Meta does. */
export function callbackBody(batches: readonly NumberBatch[]): Buffer {
  const changesByAccount = new Map<string, object[]>();
  for (const batch of batches) {
    const changes = changesByAccount.get(batch.number.waba_id) ?? [];
    changes.push(...changesOf(batch));
    changesByAccount.set(batch.number.waba_id, changes);
  }
  const entry = [...changesByAccount].map(([id, changes]) => ({ id, changes }));
  return Buffer.from(
    escapeLikeMeta(JSON.stringify({ object: "whatsapp_business_account", entry })),
    "latin1",
  );
}

/** `X-Hub-Signature-256`: HMAC-SHA-256 over the raw bytes under the app secret. */
export function signatureHeader(body: Buffer, appSecret: string): string {
  return `sha256=${createHmac("sha256", appSecret).update(body).digest("hex")}`;
}

/** Meta writes everything beyond ASCII as lower-case \uXXXX and a slash as \/, and signs that. */
function escapeLikeMeta(json: string): string {
  return json
    .replaceAll("/", "\\/")
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function changesOf({ number, callbacks }: NumberBatch): object[] {
  const metadata = {
    display_phone_number: number.display_phone_number.replace(/\D/g, ""),
    phone_number_id: number.phone_number_id,
  };
  const value = (content: object) => ({
    value: { messaging_product: "whatsapp", metadata, ...content },
    field: "messages",
  });
  const changes: object[] = [];
  const statuses: object[] = [];
  for (const { content, due_at_ms } of callbacks) {
    const timestamp = String(Math.floor(due_at_ms / 1000));
    if (content.kind === "status") statuses.push(statusOf(content, timestamp));
    else changes.push(value(inboundOf(content, timestamp)));
  }
  if (statuses.length > 0) changes.push(value({ statuses }));
  return changes;
}

function inboundOf(content: InboundContent, timestamp: string): object {
  return {
    contacts: [{ profile: { name: content.profile_name }, wa_id: content.from }],
    messages: [
      { from: content.from, id: content.wamid, timestamp, text: { body: content.text }, type: "text" },
    ],
  };
}

function statusOf(content: StatusContent, timestamp: string): object {
  const { biz_opaque_callback_data } = content;
  return {
    id: content.wamid,
    status: content.status,
    timestamp,
    recipient_id: content.recipient,
    ...(biz_opaque_callback_data === null ? {} : { biz_opaque_callback_data }),
    ...(content.status === "sent" ? { pricing: pricingOf(content.message_type) } : {}),
    ...(content.error === null ? {} : { errors: [callbackError(content.error)] }),
  };
}

function pricingOf(messageType: string): object {
  return messageType === "template"
    ? { billable: true, pricing_model: "PMP", type: "regular", category: "utility" }
    : { billable: false, pricing_model: "PMP", type: "free_customer_service", category: "service" };
}
