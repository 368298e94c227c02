import type { Sql, SqlFragment } from "@/db/client";
import type { Context } from "@/server/core/context";
import { readColumns, type ReadRow } from "@/server/domain/messages/model/read-shape";
import { summaryColumns, summaryJoins, type SummaryRow } from "@/server/domain/messages/read/search-rows";

export type MessageKind = "outbound" | "inbound" | "note";

export type FileGoneReason = "expired" | "no_room" | "too_large" | "erased";

/** What members see of a message or a note beyond what the public API shows. */
interface RowOfMembers extends Omit<SummaryRow, keyof ReadRow> {
  readonly templateId: string | null;
  readonly templateName: string | null;
  readonly templateLanguage: string | null;
  readonly templateComponents: readonly unknown[] | null;
  readonly isTemplateChanged: boolean | null;
  readonly uploadMimeType: string | null;
  readonly uploadSize: number | null;
  readonly uploadFilename: string | null;
  readonly isUploadErased: boolean;
  /** Of the file that a customer sent. Null for one that came before Waypost fetched files. */
  readonly fileState: "pending" | "stored" | "gone" | null;
  readonly fileGoneReason: FileGoneReason | null;
  /** When a customer wrote it, by WhatsApp's clock. */
  readonly writtenAt: Date | null;
}

/** A message of either direction: as the public API reads it, and what only members see. */
export type MessageRow = ReadRow & RowOfMembers;

/** A note has the columns of a message, but its kind. */
export type TimelineRow = (Omit<MessageRow, "kind"> & { readonly kind: "note" }) | MessageRow;

/** A conversation has two streams of messages, each with an index: kept ones and erased ones. */
const STREAMS = ["erased_at is null", "erased_at is not null"] as const;

/** Selects messages and notes of a conversation that were accepted before a position, newest first. */
export async function selectTimelineRows(
  { services, actor }: Context,
  { threadId, before, limit }: { threadId: string; before: number; limit: number },
): Promise<TimelineRow[]> {
  const { sql } = services;
  const stream = (erasure: (typeof STREAMS)[number]) => sql`(
    select * from messages
    where conversation_id = ${threadId} and organization_id = ${actor.organizationId} and ${sql.unsafe(erasure)}
      and accept_seq < ${before}
    order by accept_seq desc limit ${limit})`;
  const rows = await sql<TimelineRow[]>`
    select ${timelineColumns(sql)}
    from (
      select * from (${stream(STREAMS[0])} union all ${stream(STREAMS[1])}) s
      order by accept_seq desc limit ${limit}) m
    ${summaryJoins(sql)}
    left join uploads p on p.id = m.upload_id and p.organization_id = m.organization_id
    left join customer_files cf on cf.message_id = m.id and cf.organization_id = m.organization_id
    order by m.accept_seq desc`;
  return [...rows];
}

function timelineColumns(sql: Sql): SqlFragment {
  return sql`${summaryColumns(sql)}, ${readColumns(sql)}, t.id as "templateId", t.name as "templateName",
    t.language as "templateLanguage", t.components as "templateComponents",
    t.updated_at > m.created_at as "isTemplateChanged", p.mime_type as "uploadMimeType", p.size as "uploadSize",
    p.filename as "uploadFilename", coalesce(p.erased_at is not null, false) as "isUploadErased",
    cf.state as "fileState", cf.gone_reason as "fileGoneReason", m.upstream_at as "writtenAt"`;
}
