import { z } from "zod";
import type { DeliveryState } from "@/db/schema";
import { filledParts, type FilledPart } from "@/server/adapters/whatsapp/template-preview";
import { receivedContent } from "@/server/domain/webhooks/events/received-content";
import { type Explanation, explainRow, type PendingReason } from "@/server/domain/messages/read/explanation";
import { type Sender, senderOf } from "@/server/domain/messages/read/search-rows";
import type { Aftermath } from "./about";
import type { Referenced } from "./referenced";
import type { TimelineRow } from "./timeline-rows";
import type { WebhookCounts } from "./webhook-counts";

/** The quoted message. */
export interface Quote {
  /** Null if Waypost doesn't know the message. */
  readonly messageId: string | null;
  readonly direction: "outbound" | "inbound" | null;
  readonly type: string | null;
  /** Null if it is unknown, was erased, or has no words. */
  readonly preview: string | null;
  readonly isErased: boolean;
  /** False if it is in another conversation. */
  readonly isHere: boolean;
}

/** The file of a message. */
export interface MessageFile {
  /** By its bytes, or as WhatsApp named it; null if unknown. */
  readonly mimeType: string | null;
  /** In bytes; null if unknown. */
  readonly size: number | null;
  readonly filename: string | null;
  /** `linked`: at a URL of the integrator. `pending`: not fetched yet. `gone`: it can't be had any more. */
  readonly state: "stored" | "linked" | "pending" | "gone";
}

export interface ShownTemplate {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  /** What the customer sees: the current template, with the message’s values. */
  readonly parts: readonly FilledPart[];
  /** The template changed after the message was accepted, so its text may have been different. */
  readonly isChanged: boolean;
}

/** A message in either direction. */
export interface MessageEntry {
  readonly kind: "message";
  readonly id: string;
  readonly at: Date;
  readonly direction: "outbound" | "inbound";
  readonly type: string;
  /** As in the public API; null once erased. */
  readonly content: Readonly<Record<string, unknown>> | null;
  readonly template: ShownTemplate | null;
  readonly file: MessageFile | null;
  readonly quote: Quote | null;
  readonly aftermath: Aftermath;
  readonly webhooks: WebhookCounts;
  /** Of an outbound message; null for a customer's. */
  readonly sender: Sender | null;
  readonly delivery: Delivery | null;
}

/** What became of an outbound message. */
export interface Delivery {
  readonly state: DeliveryState;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly readAt: Date | null;
  readonly failedAt: Date | null;
  /** It was handed over without a response: it waits for WhatsApp's confirmation. */
  readonly isInDoubt: boolean;
  /** Why it failed or waits, and what to do; null if there is nothing to explain. */
  readonly explanation: Explanation | null;
}

/** A note of a member, which only members see. */
export interface NoteEntry {
  readonly kind: "note";
  readonly id: string;
  readonly at: Date;
  readonly author: { readonly id: string; readonly name: string | null } | null;
  /** Null once erased. */
  readonly body: string | null;
}

const noteContent = z.object({ text: z.object({ body: z.string() }) });

export function noteEntry({
  id,
  createdAt,
  memberId,
  memberName,
  content,
  erasedAt,
}: TimelineRow): NoteEntry {
  return {
    kind: "note",
    id,
    at: createdAt,
    author: memberId === null ? null : { id: memberId, name: memberName },
    body: erasedAt === null ? (noteContent.safeParse(content).data?.text.body ?? "") : null,
  };
}

interface Beside {
  readonly quote: { readonly of: Referenced | null; readonly threadId: string } | null;
  readonly aftermath: Aftermath;
  readonly webhooks: WebhookCounts;
}

export function messageEntry(row: TimelineRow, { quote, aftermath, webhooks }: Beside): MessageEntry {
  const isInbound = row.kind === "inbound";
  const isKept = row.erasedAt === null;
  return {
    kind: "message",
    id: row.id,
    at: row.createdAt,
    direction: isInbound ? "inbound" : "outbound",
    type: row.type,
    content: isKept ? shownContent(row) : null,
    template: isKept ? templateOf(row) : null,
    file: isKept ? fileOf(row) : null,
    quote: quote && quoteOf(quote.of, quote.threadId),
    aftermath,
    webhooks,
    sender: isInbound ? null : senderOf(row),
    delivery: deliveryOf(row),
  };
}

/** Where a message goes, and how its sender repeats it, is no content. */
const NO_CONTENT = new Set(["type", "to", "thread_id", "channel_id", "client_message_id", "reply_to"]);

function shownContent({ kind, type, content }: TimelineRow): Readonly<Record<string, unknown>> {
  if (kind === "inbound") return { ...receivedContent({ ...content, type }) };
  return Object.fromEntries(Object.entries(content).filter(([name]) => !NO_CONTENT.has(name)));
}

function quoteOf(of: Referenced | null, threadId: string): Quote {
  if (of === null)
    return { messageId: null, direction: null, type: null, preview: null, isErased: false, isHere: false };
  return {
    messageId: of.id,
    direction: of.kind === "inbound" ? "inbound" : "outbound",
    type: of.type,
    preview: of.preview,
    isErased: of.isErased,
    isHere: of.threadId === threadId,
  };
}

const variablesIn = z.object({ template: z.object({ variables: z.record(z.string(), z.unknown()) }) });

function templateOf(row: TimelineRow): ShownTemplate | null {
  const { templateId: id, templateName: name, templateLanguage: language, templateComponents } = row;
  if (id === null || name === null || language === null) return null;
  const values = variablesIn.safeParse(row.content).data?.template.variables ?? {};
  const parts = filledParts(templateComponents ?? [], values);
  return { id, name, language, parts, isChanged: row.isTemplateChanged ?? false };
}

const mediaIn = z.object({
  media: z.object({
    filename: z.string().nullish(),
    mime_type: z.string().nullish(),
    url: z.string().nullish(),
  }),
});

function fileOf(row: TimelineRow): MessageFile | null {
  const media = mediaIn.safeParse(row.content).data?.media;
  if (media === undefined) return null;
  const filename = media.filename ?? row.uploadFilename;
  if (row.uploadMimeType !== null) {
    const state = row.isUploadErased ? "gone" : "stored";
    return { mimeType: row.uploadMimeType, size: row.uploadSize, filename, state };
  }
  const state = row.kind === "inbound" ? "pending" : "linked";
  return { mimeType: media.mime_type ?? null, size: null, filename, state };
}

function deliveryOf(row: TimelineRow): Delivery | null {
  const { state, sentAt, deliveredAt, readAt, failedAt } = row;
  if (state === null) return null;
  const isInDoubt = state === "queued" && row.inDoubtSince !== null;
  const times = { sentAt, deliveredAt, readAt, failedAt };
  return { state, ...times, isInDoubt, explanation: explanationOf({ ...row, state }, isInDoubt) };
}

function explanationOf(row: TimelineRow & { state: DeliveryState }, isInDoubt: boolean): Explanation | null {
  const pendingReason = row.state === "queued" ? waitsFor(row, isInDoubt) : null;
  if (row.state !== "failed" && pendingReason === null) return null;
  return explainRow(row, { pendingReason, pendingError: null, resends: [] });
}

/** The reasons that its row tells. The message's own panel knows the others. */
function waitsFor(row: TimelineRow, isInDoubt: boolean): PendingReason | null {
  if (isInDoubt) return "confirmation";
  if (row.isChannelDisabled) return "channel_disabled";
  return row.isChannelPaused ? "channel_paused" : null;
}
