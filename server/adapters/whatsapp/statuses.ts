import { z } from "zod";
import type { NamedRecipient } from "./reports";
import { personNamed } from "./person";
import type { StatusReport } from "./reports";
import { isUuid } from "@/server/lib/uuid";
import { readGraphError } from "./graph-error";
import { failureCode } from "./outcomes";
import { maybe, maybeText, seconds, upstreamId } from "./fields";

/** Meaning of each upstream status for a message. Null: Waypost doesn't store it. */
const KINDS = {
  sent: "sent",
  delivered: "delivered",
  read: "read",
  // The customer listened to a voice message.
  played: "read",
  failed: "failed",
  // The customer deleted it, or saw a warning about it.
  deleted: null,
  warning: null,
} as const satisfies Record<string, StatusReport["kind"] | null>;

/**
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/status Price
 * and conversation are not stored. A status counts even if its time or its error is unreadable.
 */
const statusEntry = z.object({
  id: upstreamId,
  status: z.string().refine((status): status is keyof typeof KINDS => Object.hasOwn(KINDS, status)),
  timestamp: maybe(seconds),
  recipient_id: maybeText,
  recipient_user_id: maybeText,
  recipient_parent_user_id: maybeText,
  biz_opaque_callback_data: maybeText,
  errors: maybe(z.array(z.unknown())),
});

export interface ReadStatus {
  /** Null if there is nothing to do. */
  readonly report: StatusReport | null;
  readonly recipient: NamedRecipient;
}

/** @returns null if the entry isn't a status. */
export function readStatus(entry: unknown): ReadStatus | null {
  const parsed = statusEntry.safeParse(entry);
  if (!parsed.success) return null;
  const { data } = parsed;
  const person = personNamed(data.recipient_id, data.recipient_user_id, data.recipient_parent_user_id);
  const messageId = ourIdIn(data.biz_opaque_callback_data);
  const kind = KINDS[data.status];
  const base = { upstreamId: data.id, messageId };
  return {
    recipient: { ...base, person },
    report:
      kind === null
        ? null
        : {
            ...base,
            kind,
            upstreamAt: data.timestamp ?? null,
            recipient: person.number ?? person.userId,
            ...(kind === "failed" ? failureOf(data.errors?.[0]) : { errorCode: null, detail: null }),
          },
  };
}

function ourIdIn(callbackData: string | undefined): string | null {
  return callbackData !== undefined && isUuid(callbackData) ? callbackData.toLowerCase() : null;
}

function failureOf(entry: unknown): Pick<StatusReport, "errorCode" | "detail"> {
  const {
    code: upstreamCode,
    title,
    words,
  } = readGraphError(entry) ?? { code: null, title: null, words: null };
  const said = { upstreamCode, reason: words ?? "" };
  return { errorCode: failureCode(upstreamCode), detail: title === null ? said : { ...said, title } };
}
