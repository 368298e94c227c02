import { z } from "zod";
import type { DeliveryState } from "@/db/schema";
import { requireMemberCapability } from "@/server/core/capabilities";
import { explainPause, pauseCode, type PauseExplanation } from "@/server/domain/channels/explain-pause";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { isUuid } from "@/server/lib/uuid";
import { type FilledPart, filledParts } from "@/server/adapters/whatsapp/template-preview";
import { readTimeline, type TimelineEntry } from "./inspect-timeline";
import { type MessageSummary, summaryColumns, summaryJoins, summaryOf, type SummaryRow } from "./search-rows";
import { type Explanation, explainRow } from "./explanation";
import { type Pending, findPending } from "./pending";

export const inspectMessageInput = z.strictObject({ messageId: z.string() });

interface OtherMessage {
  readonly id: string;
  readonly state: DeliveryState;
  readonly inDoubtSince: Date | null;
  readonly createdAt: Date;
}

/** A message as its own page shows it. */
export interface MessageInspection extends Omit<MessageSummary, "matchedBy" | "preview" | "waitsForChannel"> {
  /** The content, in the form of the public API's request; null once erased. */
  readonly content: Readonly<Record<string, unknown>> | null;
  /** The template in the content. */
  readonly template: SentTemplate | null;
  /** `X-Request-Id` of the accepted request. */
  readonly requestId: string | null;
  /** WhatsApp's own id of the message (wamid). */
  readonly upstreamId: string | null;
  /** Why its channel is paused, since when, and what to do; null if it isn't paused. */
  readonly pause: ChannelPause | null;
  /** The message that this one sends again. */
  readonly resendOf: string | null;
  /** The messages that send this one again, oldest first. */
  readonly resends: readonly OtherMessage[];
  /** Why the message waits; null if it isn't queued. */
  readonly pending: Pending | null;
  readonly explanation: Explanation;
  /** Everything that happened to it, in order. */
  readonly timeline: readonly TimelineEntry[];
}

interface SentTemplate {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  /** What the customer sees: the current template, with the message’s values. */
  readonly parts: readonly FilledPart[];
  /** The template changed after the message was accepted, so its text may have been different. */
  readonly isChanged: boolean;
}

export interface ChannelPause extends PauseExplanation {
  readonly reason: string;
  readonly since: Date;
}

/** The columns read in addition to the summary. */
interface InspectedRow extends SummaryRow {
  readonly content: Readonly<Record<string, unknown>>;
  readonly templateId: string | null;
  readonly templateName: string | null;
  readonly templateLanguage: string | null;
  readonly templateComponents: readonly unknown[] | null;
  readonly isTemplateChanged: boolean | null;
  readonly resendOf: string | null;
  readonly pausedAt: Date | null;
  readonly pauseDetail: unknown;
}

/**
 * Returns one message with everything known about it: content, recipient, sender, all events, and in plain words its
 * status and what to do.
 * @throws WaypostError `message_not_found`, the same for an unknown or malformed id, another organization's message and
 * an internal note.
 */
export async function inspectMessage(args: {
  ctx: Context;
  input: z.output<typeof inspectMessageInput>;
}): Promise<MessageInspection> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "messages.read");
  const row = isUuid(input.messageId) ? await readMessage(ctx, input.messageId) : null;
  if (row === null) throw new WaypostError("message_not_found", { field: "messageId" });
  const [resends, pending, timeline] = await Promise.all([
    resendsOf(ctx, row.id),
    row.state === "queued" ? findPending(ctx, row.id) : null,
    readTimeline(ctx, row.id),
  ]);
  const {
    matchedBy: _matchedBy,
    preview: _preview,
    waitsForChannel: _waits,
    ...summary
  } = summaryOf(row, null);
  return {
    ...summary,
    content: row.erasedAt === null ? row.content : null,
    template: templateOf(row),
    requestId: row.requestId,
    upstreamId: row.upstreamId,
    pause: pauseOf(row),
    resendOf: row.resendOf,
    resends,
    pending,
    explanation: explainRow(row, {
      pendingReason: pending?.reason ?? null,
      pendingError: pending?.upstream ?? null,
      resends: resends.map((resend) => resend.state),
    }),
    timeline,
  };
}

async function readMessage({ services, actor }: Context, id: string): Promise<InspectedRow | null> {
  const { sql } = services;
  const [row] = await sql<InspectedRow[]>`
    select ${summaryColumns(sql)}, m.content, t.id as "templateId", t.name as "templateName",
      t.language as "templateLanguage", t.components as "templateComponents",
      t.updated_at > m.created_at as "isTemplateChanged", m.resend_of as "resendOf", c.paused_at as "pausedAt",
      c.pause_detail as "pauseDetail"
    from messages m ${summaryJoins(sql)}
    where m.id = ${id} and m.organization_id = ${actor.organizationId} and m.kind = 'outbound'`;
  return row ?? null;
}

function templateOf(row: InspectedRow): SentTemplate | null {
  const { templateId: id, templateName: name, templateLanguage: language, templateComponents } = row;
  if (id === null || name === null || language === null) return null;
  const values = variablesSchema.safeParse(row.content).data?.template.variables ?? {};
  const parts = filledParts(templateComponents ?? [], values);
  return { id, name, language, parts, isChanged: row.isTemplateChanged ?? false };
}

const variablesSchema = z.object({ template: z.object({ variables: z.record(z.string(), z.unknown()) }) });

function pauseOf({ pausedAt: since, pauseReason: reason, pauseDetail }: InspectedRow): ChannelPause | null {
  if (since === null || reason === null) return null;
  return { reason, since, ...explainPause(reason, pauseCode(pauseDetail)) };
}

/** A message is seldom sent again more than once. */
const RESENDS_MAX = 100;

async function resendsOf({ services, actor }: Context, id: string): Promise<readonly OtherMessage[]> {
  return services.sql<OtherMessage[]>`
    select id, state, in_doubt_since as "inDoubtSince", created_at as "createdAt" from messages
    where resend_of = ${id} and organization_id = ${actor.organizationId}
    order by accept_seq limit ${RESENDS_MAX}`;
}
