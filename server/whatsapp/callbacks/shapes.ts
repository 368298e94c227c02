import { z } from "zod";
import type { StatusReport } from "../../messages/apply-statuses";
import { failureCode } from "../outcomes";

/** What a callback says, freed of Meta's shapes. */
export interface CallbackContent {
  /** By the phone number id that the change is about. */
  readonly changes: readonly CallbackChange[];
  /** Entries that were not understood: kept raw, and told to the log. */
  readonly unknown: readonly string[];
}

export interface CallbackChange {
  readonly phoneNumberId: string;
  readonly statuses: readonly StatusReport[];
  readonly texts: readonly InboundText[];
}

export interface InboundText {
  readonly upstreamId: string;
  readonly from: string;
  readonly profileName: string | null;
  readonly body: string;
  readonly at: Date;
}

const KINDS = ["sent", "delivered", "read", "failed"] as const;

const envelope = z.object({
  entry: z.array(z.object({ changes: z.array(z.object({ field: z.string(), value: z.unknown() })) })),
});

const messagesValue = z.object({
  metadata: z.object({ phone_number_id: z.string() }),
  contacts: z
    .array(
      z.object({
        wa_id: z.string().optional(),
        profile: z.object({ name: z.string().optional() }).optional(),
      }),
    )
    .optional(),
  statuses: z.array(z.unknown()).optional(),
  messages: z.array(z.unknown()).optional(),
});

/** The last second of the year 9999: later ones are no times that PostgreSQL reads back. */
const SECONDS_MAX = 253_402_300_799;

const seconds = z
  .union([z.string().regex(/^\d{1,12}$/), z.number()])
  .transform(Number)
  .refine((value) => value >= 0 && value <= SECONDS_MAX)
  .transform((value) => new Date(value * 1000));

/** https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/payload-examples, `statuses`. */
const statusEntry = z.object({
  id: z.string().min(1),
  status: z.enum(KINDS),
  // A status counts also where its time can't be read: ours is taken then.
  timestamp: seconds.optional().catch(undefined),
  recipient_id: z.string().optional(),
  biz_opaque_callback_data: z.string().optional(),
  errors: z
    .array(
      z.object({
        code: z.number(),
        title: z.string().optional(),
        message: z.string().optional(),
        error_data: z.object({ details: z.string().optional() }).optional(),
      }),
    )
    .optional(),
});

const textEntry = z.object({
  id: z.string().min(1),
  from: z.string().min(1),
  timestamp: seconds,
  type: z.literal("text"),
  text: z.object({ body: z.string() }),
});

/** Reads a callback's body. One entry that is not understood never drops the rest. */
export function readCallback(json: unknown): CallbackContent {
  const parsed = envelope.safeParse(json);
  if (!parsed.success) return { changes: [], unknown: ["the body isn't a webhook of the Cloud API"] };
  const unknown: string[] = [];
  const changes: CallbackChange[] = [];
  for (const { field, value } of parsed.data.entry.flatMap((entry) => entry.changes)) {
    const change = field === "messages" ? messagesValue.safeParse(value) : null;
    if (change?.success) changes.push(readChange(change.data, unknown));
    else unknown.push(`a change of the field ${field.slice(0, 40)}`);
  }
  return { changes, unknown };
}

function readChange(value: z.infer<typeof messagesValue>, unknown: string[]): CallbackChange {
  const names = new Map(value.contacts?.map((contact) => [contact.wa_id, contact.profile?.name ?? null]));
  const statuses = (value.statuses ?? []).flatMap((entry) => {
    const parsed = statusEntry.safeParse(entry);
    if (!parsed.success) unknown.push("a status");
    return parsed.success ? [reportOf(parsed.data)] : [];
  });
  const texts = (value.messages ?? []).flatMap((entry) => {
    const parsed = textEntry.safeParse(entry);
    if (!parsed.success) unknown.push("a message");
    return parsed.success ? [textOf(parsed.data, names)] : [];
  });
  return { phoneNumberId: value.metadata.phone_number_id, statuses, texts };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function reportOf(entry: z.infer<typeof statusEntry>): StatusReport {
  const ourId = entry.biz_opaque_callback_data;
  const error = entry.errors?.[0];
  return {
    upstreamId: entry.id,
    messageId: ourId !== undefined && UUID.test(ourId) ? ourId : null,
    kind: entry.status,
    upstreamAt: entry.timestamp ?? null,
    recipient: entry.recipient_id ?? null,
    errorCode: entry.status === "failed" ? failureCode(error?.code ?? null) : null,
    detail: error
      ? { upstreamCode: error.code, reason: error.error_data?.details ?? error.message ?? error.title ?? "" }
      : null,
  };
}

function textOf(
  entry: z.infer<typeof textEntry>,
  names: ReadonlyMap<string | undefined, string | null>,
): InboundText {
  return {
    upstreamId: entry.id,
    from: entry.from,
    profileName: names.get(entry.from) ?? null,
    body: entry.text.body,
    at: entry.timestamp,
  };
}
