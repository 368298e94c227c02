import type { Sql, SqlFragment } from "@/db/client";
import { newUuid } from "@/db/new-uuid";
import type { Services } from "@/server/core/context";
import type { ErrorCode } from "@/server/platform/errors";
import type { ClaimedMessage } from "./claim";
import { windowDenied, windowOpen } from "@/server/domain/conversations/customer-window";
import { WINDOW_DENIED } from "../model/explain-failure";

/** The channel that a call goes through. */
export interface CallingChannel {
  readonly id: string;
  readonly upstream: "meta" | "simulator";
  readonly phoneNumberId: string;
  readonly accessTokenEncrypted: string;
}

/** A claimed message with an open attempt: its call may be made now. */
export interface OpenedAttempt {
  readonly attemptId: string;
  readonly messageId: string;
  readonly organizationId: string;
  readonly recipient: string;
  readonly type: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly channel: CallingChannel;
  /** The upstream's id of the upload in the content; null if there is none. */
  readonly mediaId: string | null;
  /** The file was uploaded before this message was accepted, so the upstream may have lost it. */
  readonly isMediaIdReused: boolean;
  /** The upload's own name. */
  readonly mediaFilename: string | null;
  /** The template in the content; null if there is none. */
  readonly template: OpenedTemplate | null;
  /**
   * The upstream's id of the message that this one quotes or reacts to. Null if there is none, or if the customer doesn't
   * have that message: a quote is then sent without it.
   */
  readonly referencedUpstreamId: string | null;
}

export interface OpenedTemplate {
  readonly name: string;
  readonly language: string;
  readonly components: readonly unknown[];
}

/** A claimed message whose file isn't uploaded yet. */
export interface WaitingForMedia extends ClaimedMessage {
  readonly uploadId: string;
  readonly channel: CallingChannel;
}

/** A message that fails without a call. */
export interface FailingMessage {
  readonly message: ClaimedMessage;
  readonly code: ErrorCode;
  /** Further reasons, in the form stored with failures. */
  readonly detail: typeof WINDOW_DENIED | null;
}

export interface OpenedAttempts {
  readonly opened: readonly OpenedAttempt[];
  /** Messages that fail without a call, because something has changed since they were accepted. */
  readonly failing: readonly FailingMessage[];
  readonly waitingForMedia: readonly WaitingForMedia[];
}

/** Time limit of a call plus 30 s for storing its response. An attempt that is still open afterwards is in doubt. */
const DEADLINE_SECONDS = 50;

type Decision =
  | "open"
  | "media"
  | "outside_customer_window"
  | "template_not_approved"
  | "recipient_opted_out"
  | "reacted_message_failed"
  | "expired"
  | "contact_erased";

/** A claimed message as a statement returns it that opens attempts. */
export interface AttemptRow extends Omit<OpenedAttempt, "channel" | "template">, Omit<CallingChannel, "id"> {
  readonly claimToken: string;
  readonly channelId: string;
  readonly uploadId: string | null;
  readonly templateName: string | null;
  readonly templateLanguage: string | null;
  readonly templateComponents: readonly unknown[] | null;
  readonly decision: Decision;
  readonly isWindowDenied: boolean;
  readonly wasOpened: boolean;
}

/** Opens attempts of messages that were claimed before, by the rules of `openAttemptsOfMine`. */
export async function openAttempts(
  { sql }: Services,
  claimed: readonly ClaimedMessage[],
  { isProbe }: { isProbe: boolean } = { isProbe: false },
): Promise<OpenedAttempts> {
  const rows = await sql<AttemptRow[]>`
    with input as (
      select * from unnest(
        ${claimed.map((message) => message.id)}::uuid[], ${claimed.map((message) => message.claimToken)}::uuid[]
      ) as i (message_id, claim_token)
    ), mine as (
      select m.* from input i join messages m on m.id = i.message_id
      where m.claim_token = i.claim_token and m.is_queued
      order by m.id for update of m
    ), ${openAttemptsOfMine(sql, isProbe)}
    select ${attemptColumns(sql)} from ready r left join opened o on o.id = r.attempt_id`;
  return sortAttempts(rows);
}

/**
 * SQL: inserts the attempt rows of the claimed messages in `mine`: each is the permission to call, at most one per
 * message (a partial unique index prevents a second one). Checks the rules of acceptance again: customer window,
 * template, opt-out of marketing, age, and that the contact isn't erased. Finds the upstream's id of the message that one refers to; it wasn't
 * known at acceptance if both waited. A reaction to a message that failed fails too. Skips messages on a channel that doesn't work.
 * @param isProbe the channel is paused, and this call tests whether it works again.
 * @returns the common table expressions `ready` and `opened`, for `attemptColumns`.
 */
export const openAttemptsOfMine = (sql: Sql, isProbe: boolean): SqlFragment => sql`
  ready as materialized (
    select ${newUuid(sql)} as attempt_id, mine.*, c.upstream, c.phone_number_id, c.access_token_encrypted, u.media_id,
      coalesce(u.created_at < mine.created_at, false) as is_media_id_reused, (select f.filename from uploads f
        where f.organization_id = mine.organization_id and f.id = mine.upload_id) as media_filename,
      case when r.state is distinct from 'failed' then r.upstream_id end as referenced_upstream_id,
      t.name as template_name, t.language as template_language, t.components as template_components,
      case
        when mine.created_at < now() - ${EXPIRES_AFTER}::interval then 'expired'
        when mine.recipient is null or k.erased_at is not null then 'contact_erased'
        when mine.type = 'template' and t.state is distinct from 'approved' then 'template_not_approved'
        when mine.type = 'template' and t.category = 'marketing' and ${isOptedOut(sql)} then 'recipient_opted_out'
        when mine.type = 'reaction' and (r.state = 'failed' or r.upstream_id is null) then 'reacted_message_failed'
        when mine.type <> 'template' and not ${windowOpen(sql)} then 'outside_customer_window'
        when mine.upload_id is not null and u.media_id is null then 'media'
        else 'open' end as decision, ${windowDenied(sql)} as is_window_denied
    from mine join channels c on c.id = mine.channel_id and (c.paused_at is not null) = ${isProbe} and c.disabled_at is null
    join conversations v on v.id = mine.conversation_id join contacts k on k.id = v.contact_id
    left join templates t on t.organization_id = mine.organization_id and t.id = mine.template_id
    left join upload_media u on u.organization_id = mine.organization_id and u.upload_id = mine.upload_id
      and u.channel_id = mine.channel_id and u.expires_at > now()
    left join messages r on r.organization_id = mine.organization_id and r.id = coalesce(
      mine.content->'reaction'->>'message_id', mine.content->'reply_to'->>'message_id')::uuid
  ), opened as (
    insert into message_attempts (id, organization_id, message_id, channel_id, recipient, deadline)
    select attempt_id, organization_id, id, channel_id, recipient, now() + make_interval(secs => ${DEADLINE_SECONDS})
    from ready where decision = 'open'
    on conflict do nothing returning id
  )`;

/** SQL: whether the person wants no marketing messages. The contact `k` may have been merged since. */
const isOptedOut = (sql: Sql): SqlFragment => sql`
  exists (select from contacts c where c.organization_id = k.organization_id and c.id = coalesce(k.merged_into, k.id)
    and c.marketing_opted_out_at is not null)`;

/** SQL: the columns of an `AttemptRow`, of `ready` under the name `r` and `opened` under the name `o`. */
export const attemptColumns = (sql: Sql): SqlFragment => sql`
  r.attempt_id as "attemptId", r.id as "messageId", r.organization_id as "organizationId",
  r.claim_token as "claimToken", r.recipient, r.type, r.content, r.channel_id as "channelId", r.upstream,
  r.phone_number_id as "phoneNumberId", r.access_token_encrypted as "accessTokenEncrypted", r.media_id as "mediaId",
  r.upload_id as "uploadId", r.is_media_id_reused as "isMediaIdReused", r.media_filename as "mediaFilename",
  r.template_name as "templateName", r.template_language as "templateLanguage",
  r.template_components as "templateComponents", r.referenced_upstream_id as "referencedUpstreamId",
  r.decision, r.is_window_denied as "isWindowDenied",
  o.id is not null as "wasOpened"`;

/** A message that was queued for this long is not sent any more. */
export const EXPIRES_AFTER = "12 hours";

export const claimedMessageOf = ({ messageId, organizationId, claimToken }: AttemptRow): ClaimedMessage => ({
  id: messageId,
  organizationId,
  claimToken,
});

/** Sorts messages by what is to be done with them. */
export function sortAttempts(rows: readonly AttemptRow[]): OpenedAttempts {
  const opened: OpenedAttempt[] = [];
  const failing: FailingMessage[] = [];
  const waitingForMedia: WaitingForMedia[] = [];
  for (const row of rows) {
    const message = claimedMessageOf(row);
    if (row.decision === "open") {
      if (row.wasOpened) opened.push(attemptOf(row));
    } else if (row.decision === "media") {
      if (row.uploadId !== null)
        waitingForMedia.push({ ...message, uploadId: row.uploadId, channel: channelOf(row) });
    } else failing.push({ message, code: row.decision, detail: detailOf(row) });
  }
  return { opened, failing, waitingForMedia };
}

function detailOf({ decision, isWindowDenied }: AttemptRow): typeof WINDOW_DENIED | null {
  return decision === "outside_customer_window" && isWindowDenied ? WINDOW_DENIED : null;
}

function channelOf({ channelId, upstream, phoneNumberId, accessTokenEncrypted }: AttemptRow): CallingChannel {
  return { id: channelId, upstream, phoneNumberId, accessTokenEncrypted };
}

function attemptOf(row: AttemptRow): OpenedAttempt {
  const { attemptId, messageId, organizationId, recipient, type, content } = row;
  const { mediaId, isMediaIdReused, mediaFilename, referencedUpstreamId } = row;
  const { templateName: name, templateLanguage: language, templateComponents: components } = row;
  const template =
    name === null || language === null || components === null ? null : { name, language, components };
  const said = { type, content, mediaId, isMediaIdReused, mediaFilename, template, referencedUpstreamId };
  return { attemptId, messageId, organizationId, recipient, ...said, channel: channelOf(row) };
}
