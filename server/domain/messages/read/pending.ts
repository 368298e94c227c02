import type { Context } from "@/server/core/context";
import { EXPIRES_AFTER } from "../deliver/open-attempts";
import { aheadOfReaction } from "../deliver/reaction-order";
import { type UpstreamError, upstreamErrorIn } from "../model/explain-failure";
import type { PendingReason } from "./explanation";

/** Why a queued message waits, and until when. */
export interface Pending {
  readonly reason: PendingReason;
  /**
   * The earliest end of that reason, if there is a time: the next attempt, the next probe of a paused channel, the end
   * of a limit or of a call.
   */
  readonly until: Date | null;
  /** When Waypost gives up: unconfirmed, or too old to be sent. */
  readonly givenUpAt: Date;
  /** The earlier message of its conversation that it waits for. */
  readonly behind: string | null;
  /** WhatsApp's error, if it is the reason. */
  readonly upstream: UpstreamError | null;
}

interface Facts {
  readonly isErased: boolean;
  readonly callEndsAt: Date | null;
  readonly inDoubtSince: Date | null;
  readonly isDisabled: boolean;
  readonly isPaused: boolean;
  readonly nextProbeAt: Date | null;
  readonly pauseDetail: unknown;
  /** The last call's detail. */
  readonly lastDetail: unknown;
  readonly blockedUntil: Date | null;
  readonly nextAttemptAt: Date | null;
  readonly behind: string | null;
  readonly expiresAt: Date;
}

/** Determines why a queued message waits, by the rules of the claim (claim.ts). */
export async function findPending(ctx: Context, messageId: string): Promise<Pending | null> {
  const { sql, config } = ctx.services;
  const [facts] = await sql<Facts[]>`
    select m.erased_at is not null as "isErased", m.in_doubt_since as "inDoubtSince",
      (select a.deadline from message_attempts a
        where a.message_id = m.id and a.organization_id = m.organization_id and a.outcome is null) as "callEndsAt",
      c.disabled_at is not null as "isDisabled", c.paused_at is not null as "isPaused",
      c.next_probe_at as "nextProbeAt", c.pause_detail as "pauseDetail",
      (select e.detail from message_events e
        where e.message_id = m.id and e.organization_id = m.organization_id and e.kind in ('retry', 'uncertain')
        order by e.created_at desc limit 1) as "lastDetail",
      case when v.blocked_until > now() then v.blocked_until end as "blockedUntil",
      case when m.next_attempt_at > now() then m.next_attempt_at end as "nextAttemptAt",
      case when m.type = 'reaction' then (select a.id from (${aheadOfReaction(sql)}) a limit 1) else (select e.id from messages e
        where e.type <> 'reaction' and e.conversation_id = m.conversation_id and e.organization_id = m.organization_id and e.is_queued and e.accept_seq < m.accept_seq and e.accept_seq > 0
          and e.in_doubt_since is null and (e.hold_until is null or e.hold_until > now())
        order by e.accept_seq limit 1) end as behind,
      m.created_at + ${EXPIRES_AFTER}::interval as "expiresAt"
    from messages m
    join channels c on c.id = m.channel_id and c.organization_id = m.organization_id
    join conversations v on v.id = m.conversation_id and v.organization_id = m.organization_id
    where m.id = ${messageId} and m.organization_id = ${ctx.actor.organizationId} and m.is_queued`;
  return facts === undefined ? null : pendingFor(facts, config.unconfirmedAfterSeconds);
}

function pendingFor(facts: Facts, unconfirmedAfterSeconds: number): Pending {
  const { inDoubtSince, expiresAt, behind } = facts;
  const unconfirmedAt =
    inDoubtSince === null ? null : new Date(inDoubtSince.getTime() + unconfirmedAfterSeconds * 1000);
  // The first that applies is returned.
  const candidates: readonly (readonly [PendingReason, isSo: boolean, until: Date | null])[] = [
    ["answer", facts.callEndsAt !== null, facts.callEndsAt],
    ["confirmation", unconfirmedAt !== null, unconfirmedAt],
    ["erasure", facts.isErased, null],
    ["channel_disabled", facts.isDisabled, null],
    ["channel_paused", facts.isPaused, facts.nextProbeAt],
    ["customer_limit", facts.blockedUntil !== null, facts.blockedUntil],
    ["earlier_message", behind !== null, null],
    ["next_attempt", facts.nextAttemptAt !== null, facts.nextAttemptAt],
  ];
  const [reason, , until] = candidates.find(([, isSo]) => isSo) ?? (["turn", true, null] as const);
  return {
    reason,
    until,
    givenUpAt: unconfirmedAt ?? expiresAt,
    behind: reason === "earlier_message" ? behind : null,
    upstream: upstreamOf(reason, facts),
  };
}

function upstreamOf(reason: PendingReason, { pauseDetail, lastDetail }: Facts): UpstreamError | null {
  if (reason === "channel_paused") return upstreamErrorIn(pauseDetail);
  const isOfLastCall = reason === "next_attempt" || reason === "customer_limit" || reason === "confirmation";
  return isOfLastCall ? upstreamErrorIn(lastDetail) : null;
}
