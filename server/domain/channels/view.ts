import type { SqlFragment } from "@/db/client";
import type { Context } from "@/server/core/context";
import { explainPause, pauseCode, type PauseExplanation } from "./explain-pause";

/** Why the channel currently sends nothing, and what to do. */
export interface PauseView extends PauseExplanation {
  readonly since: Date;
  /** Stable. */
  readonly reason: string;
  /** The upstream's own words at the time of the pause. */
  readonly upstreamWords: string | null;
  readonly upstreamCode: number | null;
}

/** A channel as members see it: everything except its credentials. */
export interface ChannelView {
  readonly id: string;
  readonly name: string;
  /** As people write it. */
  readonly displayPhoneNumber: string;
  readonly upstream: "meta" | "simulator";
  /** `active`: messages are sent. `paused`: they are accepted, and wait. `disabled`: they are refused. */
  readonly state: "active" | "paused" | "disabled";
  /** Used if neither request nor contact determines a channel. */
  readonly isDefault: boolean;
  /** Null if the channel isn't paused, or if it is disabled. */
  readonly pause: PauseView | null;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
  readonly phoneNumberId: string;
  readonly wabaId: string;
  /** Until this time, contacts who never wrote count as inside the customer window. */
  readonly unknownWindowOpenUntil: Date | null;
  /** When Meta last verified the callback URL. */
  readonly callbackVerifiedAt: Date | null;
  /** When the latest signed callback arrived, to the minute; null until the first one. */
  readonly lastCallbackAt: Date | null;
  /** When the account's templates were last read; null until the first time. */
  readonly templatesSyncedAt: Date | null;
  /** Why the last read of the templates failed. */
  readonly templatesFailure: string | null;
}

interface Row extends Omit<ChannelView, "pause"> {
  readonly pausedAt: Date | null;
  readonly pauseReason: string | null;
  readonly pauseDetail: Readonly<Record<string, unknown>> | null;
}

/**
 * Reads channels of the actor's organization, in the order of their connection.
 * @param which condition on channels `c`.
 */
export async function readChannels(
  { services, actor }: Context,
  { which, rowsMax }: { which: SqlFragment; rowsMax: number },
): Promise<ChannelView[]> {
  const rows = await services.sql<Row[]>`
    select c.id, c.name, c.display_phone_number as "displayPhoneNumber", c.upstream,
      case when c.disabled_at is not null then 'disabled' when c.paused_at is not null then 'paused' else 'active' end as state,
      c.is_default as "isDefault", c.disabled_at as "disabledAt", c.created_at as "createdAt",
      c.phone_number_id as "phoneNumberId", c.waba_id as "wabaId",
      c.unknown_window_open_until as "unknownWindowOpenUntil", c.callback_verified_at as "callbackVerifiedAt",
      c.last_callback_at as "lastCallbackAt", c.templates_synced_at as "templatesSyncedAt",
      c.templates_failure as "templatesFailure", c.paused_at as "pausedAt", c.pause_reason as "pauseReason",
      c.pause_detail as "pauseDetail"
    from channels c
    where c.organization_id = ${actor.organizationId} and ${which}
    order by c.id limit ${rowsMax}`;
  return rows.map(viewOf);
}

function viewOf({ pausedAt, pauseReason, pauseDetail, ...row }: Row): ChannelView {
  const isPaused = row.state === "paused" && pausedAt !== null && pauseReason !== null;
  return { ...row, pause: isPaused ? pauseOf(pausedAt, pauseReason, pauseDetail) : null };
}

function pauseOf(since: Date, reason: string, detail: Row["pauseDetail"]): PauseView {
  const words = detail?.reason;
  const upstreamCode = pauseCode(detail);
  return {
    ...explainPause(reason, upstreamCode),
    since,
    reason,
    upstreamWords: typeof words === "string" ? words : null,
    upstreamCode,
  };
}
