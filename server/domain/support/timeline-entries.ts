import { z } from "zod";
import type { DeliveryState } from "@/db/schema";
import { filledParts, type FilledPart } from "@/server/adapters/whatsapp/template-preview";
import { readShape } from "@/server/domain/messages/model/read-shape";
import type { MessageOutput } from "@/server/domain/messages/model/schemas";
import type { Services } from "@/server/core/context";
import { type Explanation, explainRow, type PendingReason } from "@/server/domain/messages/read/explanation";
import { type Sender, senderOf } from "@/server/domain/messages/read/search-rows";
import type { Aftermath } from "./about";
import { quotedBy, type Reference, type Referenced } from "./referenced";
import type { FileGoneReason, MessageRow, TimelineRow } from "./timeline-rows";
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
  /**
   * `linked`: at a URL of the integrator. `pending`: Waypost is fetching it from WhatsApp. `gone`: it can't be had any
   * more.
   */
  readonly state: "stored" | "linked" | "pending" | "gone";
  /** Null unless a customer's file is gone. */
  readonly goneReason: FileGoneReason | null;
  /** The integrator's URL of a file that is `linked`. Else null. */
  readonly url: string | null;
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

/** A message in either direction: as the public API shows it, and what only members see. */
export interface MessageEntry {
  readonly kind: "message";
  readonly id: string;
  /** When Waypost accepted or received it, which is also the order of the conversation. */
  readonly at: Date;
  /** When the customer wrote it, by WhatsApp's clock: earlier than `at` after an outage. Null if it was sent. */
  readonly writtenAt: Date | null;
  readonly message: MessageOutput;
  readonly template: ShownTemplate | null;
  readonly file: MessageFile | null;
  readonly quote: Quote | null;
  readonly aftermath: Aftermath;
  readonly webhooks: WebhookCounts;
  /** Of an outbound message; null for a customer's. */
  readonly sender: Sender | null;
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
  readonly services: Services;
  readonly referenced: (reference: Reference) => Referenced | null;
  readonly aftermath: Aftermath;
  readonly webhooks: WebhookCounts;
}

export function messageEntry(
  row: MessageRow,
  { services, referenced, aftermath, webhooks }: Beside,
): MessageEntry {
  const message = readShape(row, services);
  const quoted = quotedBy(message);
  const isInDoubt = row.state === "queued" && row.inDoubtSince !== null;
  return {
    kind: "message",
    id: row.id,
    at: row.createdAt,
    writtenAt: row.kind === "inbound" ? row.writtenAt : null,
    message,
    template: row.isErased ? null : templateOf(row),
    file: row.isErased ? null : fileOf(row),
    quote: quoted === null ? null : quoteOf(referenced(quoted), row.conversationId),
    aftermath,
    webhooks,
    sender: row.kind === "inbound" ? null : senderOf(row),
    isInDoubt,
    explanation: row.state === null ? null : explanationOf({ ...row, state: row.state }, isInDoubt),
  };
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

function templateOf(row: MessageRow): ShownTemplate | null {
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

function fileOf(row: MessageRow): MessageFile | null {
  const media = mediaIn.safeParse(row.content).data?.media;
  if (media === undefined) return null;
  const filename = media.filename ?? row.uploadFilename;
  const named = { mimeType: media.mime_type ?? null, size: null, filename, url: null };
  if (row.kind === "inbound") {
    const { fileState: state, fileGoneReason: goneReason, file } = row;
    if (state === null) return { ...named, state: "gone", goneReason: "expired" };
    const stored = file === null ? {} : { mimeType: file.mime_type, size: file.size };
    return { ...named, ...stored, state, goneReason };
  }
  if (row.uploadMimeType === null)
    return { ...named, state: "linked", goneReason: null, url: media.url ?? null };
  const { uploadMimeType: mimeType, uploadSize: size } = row;
  return { ...named, mimeType, size, state: row.isUploadErased ? "gone" : "stored", goneReason: null };
}

function explanationOf(row: MessageRow & { state: DeliveryState }, isInDoubt: boolean): Explanation | null {
  const pendingReason = row.state === "queued" ? waitsFor(row, isInDoubt) : null;
  if (row.state !== "failed" && pendingReason === null) return null;
  return explainRow(row, { pendingReason, pendingError: null, resends: [] });
}

/** The reasons that its row tells. The message's own panel knows the others. */
function waitsFor(row: MessageRow, isInDoubt: boolean): PendingReason | null {
  if (isInDoubt) return "confirmation";
  if (row.isChannelDisabled) return "channel_disabled";
  return row.isChannelPaused ? "channel_paused" : null;
}
