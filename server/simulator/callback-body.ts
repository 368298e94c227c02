import { createHmac } from "node:crypto";
import { callbackError } from "./graph-errors";
import type { PhoneNumber } from "./numbers";
import type { ChangeField, OwedCallback, StatusContent } from "./records";

/** Callbacks of one number that are sent in one POST. */
export interface NumberBatch {
  readonly number: PhoneNumber;
  readonly callbacks: readonly OwedCallback[];
}

/** Builds the raw bytes of a callback, grouped into entries by account and changes by number as Meta does. */
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

/** `X-Hub-Signature-256`: HMAC-SHA-256 of the raw bytes with the app secret. */
export function signatureHeader(body: Buffer, appSecret: string): string {
  return `sha256=${createHmac("sha256", appSecret).update(body).digest("hex")}`;
}

/** Meta writes everything beyond ASCII as lower-case \uXXXX and a slash as \/, and signs that form. */
function escapeLikeMeta(json: string): string {
  return json
    .replaceAll("/", "\\/")
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Whether a field's value names the number that it is about. The others are about the account. */
const isAboutNumber = {
  messages: true,
  user_preferences: true,
  message_template_status_update: false,
} as const satisfies Record<ChangeField, boolean>;

function changesOf({ number, callbacks }: NumberBatch): object[] {
  const metadata = {
    display_phone_number: number.display_phone_number.replace(/\D/g, ""),
    phone_number_id: number.phone_number_id,
  };
  const change = (field: ChangeField, content: object) => ({
    value: isAboutNumber[field] ? { messaging_product: "whatsapp", metadata, ...content } : content,
    field,
  });
  const changes: object[] = [];
  const statuses: object[] = [];
  for (const { content, due_at_ms } of callbacks) {
    if (content.kind === "status") statuses.push(statusOf(content, String(Math.floor(due_at_ms / 1000))));
    else changes.push(change(content.field, content.value));
  }
  if (statuses.length > 0) changes.push(change("messages", { statuses }));
  return changes;
}

function statusOf(content: StatusContent, timestamp: string): object {
  const { biz_opaque_callback_data, recipient } = content;
  return {
    id: content.wamid,
    status: content.status,
    timestamp,
    ...(isNumber(recipient) ? { recipient_id: recipient } : { recipient_user_id: recipient }),
    ...(biz_opaque_callback_data === null ? {} : { biz_opaque_callback_data }),
    ...(content.status === "sent" ? { pricing: pricingOf(content.message_type) } : {}),
    ...(content.error === null ? {} : { errors: [callbackError(content.error)] }),
  };
}

/** An id of a person contains a dot. */
function isNumber(recipient: string): boolean {
  return !recipient.includes(".");
}

function pricingOf(messageType: string): object {
  return messageType === "template"
    ? { billable: true, pricing_model: "PMP", type: "regular", category: "utility" }
    : { billable: false, pricing_model: "PMP", type: "free_customer_service", category: "service" };
}
