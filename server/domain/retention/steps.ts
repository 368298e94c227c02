import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { removeGoneFiles } from "@/server/domain/customer-files/remove-gone";
import { emptyUnusedContacts } from "@/server/domain/erasure/empty-contact";
import { eraseMessages } from "@/server/domain/erasure/erase-messages";
import {
  CALLBACKS_KEPT_DAYS,
  AVAILABLE_KEPT_DAYS,
  WEBHOOKS_KEPT_DAYS,
} from "@/server/domain/organizations/retention-days";

const BATCH_MAX = 500;

/** A step of a run: erases one batch of an organization. Repeating it does no harm, nor does a concurrent process. */
export type Step = () => Promise<{
  readonly erased: number;
  /** Whether there may be another batch. */
  readonly isMore: boolean;
}>;

interface OldMessage {
  readonly id: string;
  readonly acceptSeq: number;
  readonly contactId: string;
  readonly isOld: boolean;
  /** Queued or in doubt: its outcome isn't final. */
  readonly isWaiting: boolean;
  readonly isErased: boolean;
}

/**
 * Erases messages in order of acceptance up to the first one that is young enough, and then the contacts with nothing
 * left. Progress is stored in `organizations.erased_until_seq`, so that a run's cost depends on what it erases. A
 * waiting message is skipped and blocks nothing, but later runs start at it again.
 */
export function oldMessages(ctx: Context<SystemActor>, retentionDays: number): Step {
  const { organizationId } = ctx.actor;
  const { sql } = ctx.services;
  let position: number | null = null;
  let isBehindWaiting = false;
  return async () => {
    const batch = await readBatch(ctx, retentionDays, position);
    const young = batch.findIndex(({ isOld }) => !isOld);
    const old = young < 0 ? batch : batch.slice(0, young);
    const last = old.at(-1);
    if (!last) return { erased: 0, isMore: false };
    const settled = old.filter(({ isWaiting }) => !isWaiting);
    const erased = await sql.begin((tx) =>
      eraseMessages(
        tx,
        organizationId,
        settled.filter(({ isErased }) => !isErased).map(({ id }) => id),
      ),
    );
    const contactIds = [...new Set(settled.map(({ contactId }) => contactId))];
    await emptyUnusedContacts({ ctx, input: { contactIds } });
    if (!isBehindWaiting) await remember(ctx, doneUntil(old));
    isBehindWaiting ||= settled.length < old.length;
    position = last.acceptSeq;
    await removeGoneFiles(ctx.services, organizationId);
    return { erased, isMore: old.length === BATCH_MAX };
  };
}

/** Returns the last number before the first waiting message; null if that is the very first. */
function doneUntil(old: readonly OldMessage[]): number | null {
  const waiting = old.findIndex(({ isWaiting }) => isWaiting);
  return (waiting < 0 ? old.at(-1) : old[waiting - 1])?.acceptSeq ?? null;
}

async function remember({ services, actor }: Context, acceptSeq: number | null): Promise<void> {
  if (acceptSeq === null) return;
  await services.sql`
    update organizations set erased_until_seq = greatest(erased_until_seq, ${acceptSeq})
    where id = ${actor.organizationId}`;
}

function readBatch(
  { services, actor }: Context,
  retentionDays: number,
  after: number | null,
): Promise<OldMessage[]> {
  return services.sql<OldMessage[]>`
    select id, accept_seq as "acceptSeq", contact_id as "contactId", coalesce(state = 'queued', false) as "isWaiting",
      created_at < now() - make_interval(days => ${retentionDays}) as "isOld", erased_at is not null as "isErased"
    from messages
    where organization_id = ${actor.organizationId} and accept_seq > 0 and accept_seq > coalesce(${after}::bigint,
      (select erased_until_seq from organizations where id = ${actor.organizationId}))
    order by accept_seq limit ${BATCH_MAX}`;
}

/**
 * Empties contacts that never had a message, such as those with only a preference. Each contact is checked once, when
 * it is old enough (`organizations.contacts_looked_at_until`): a contact with messages at that time is emptied with the
 * last of them.
 */
export function oldContacts(ctx: Context<SystemActor>, retentionDays: number): Step {
  const { organizationId } = ctx.actor;
  const { sql } = ctx.services;
  return async () => {
    const batch = await sql<{ id: string; isOld: boolean }[]>`
      select id, created_at < now() - make_interval(days => ${retentionDays}) as "isOld" from contacts
      where organization_id = ${organizationId} and erased_at is null
        and id > (select contacts_looked_at_until from organizations where id = ${organizationId})
      order by id limit ${BATCH_MAX}`;
    const young = batch.findIndex(({ isOld }) => !isOld);
    const contactIds = (young < 0 ? batch : batch.slice(0, young)).map(({ id }) => id);
    const last = contactIds.at(-1);
    if (last === undefined) return { erased: 0, isMore: false };
    const erased = await emptyUnusedContacts({ ctx, input: { contactIds } });
    await sql`
      update organizations set contacts_looked_at_until = greatest(contacts_looked_at_until, ${last}::uuid)
      where id = ${organizationId}`;
    return { erased, isMore: contactIds.length === BATCH_MAX };
  };
}

/**
 * Deletes raw callbacks older than 30 days, or than the retention time of content if that is shorter. An unprocessed
 * callback stays until it is processed, because it may contain a message's status.
 */
export function oldCallbacks({ services, actor }: Context<SystemActor>, retentionDays: number): Step {
  const days = Math.min(retentionDays, CALLBACKS_KEPT_DAYS);
  const { sql } = services;
  return async () => {
    const { count } = await sql`
      delete from upstream_callbacks where organization_id = ${actor.organizationId} and id in (
        (select id from upstream_callbacks
          where organization_id = ${actor.organizationId} and processed_at is not null
            and received_at < now() - make_interval(days => ${days})
          order by received_at limit ${BATCH_MAX})
        union all
        (select u.id from channels c
          join upstream_callbacks u on u.channel_id = c.id and u.organization_id = c.organization_id
          where c.organization_id = ${actor.organizationId} and u.processed_at is null and u.tries > 0
            and u.received_at < now() - make_interval(days => ${days})
          limit ${BATCH_MAX}))`;
    return { erased: count, isMore: count >= BATCH_MAX };
  };
}

/** Deletes statuses that have waited that long for an unknown message. */
export function oldUnmatchedStatuses({ services, actor }: Context<SystemActor>, retentionDays: number): Step {
  const days = Math.min(retentionDays, CALLBACKS_KEPT_DAYS);
  const { sql } = services;
  return async () => {
    const { count } = await sql`
      delete from unmatched_statuses where organization_id = ${actor.organizationId} and id in (
        select id from unmatched_statuses
        where organization_id = ${actor.organizationId} and created_at < now() - make_interval(days => ${days})
        order by created_at limit ${BATCH_MAX})`;
    return { erased: count, isMore: count >= BATCH_MAX };
  };
}

/** Deletes webhook events older than 30 days with their deliveries and attempts, and the records of replays. */
export function oldWebhooks({ services, actor }: Context<SystemActor>): Step {
  const { sql } = services;
  return async () => {
    const { count } = await sql`
      delete from webhook_events where organization_id = ${actor.organizationId} and id in (
        select id from webhook_events
        where organization_id = ${actor.organizationId} and created_at < now() - make_interval(days => ${WEBHOOKS_KEPT_DAYS})
        order by created_at limit ${BATCH_MAX})`;
    await sql`
      delete from webhook_replays
      where organization_id = ${actor.organizationId} and created_at < now() - make_interval(days => ${WEBHOOKS_KEPT_DAYS})`;
    return { erased: count, isMore: count >= BATCH_MAX };
  };
}

/** Deletes events that have waited seven days to be fetched. */
export function oldAvailable({ services, actor }: Context<SystemActor>): Step {
  const { sql } = services;
  return async () => {
    const { count } = await sql`
      delete from webhook_deliveries where organization_id = ${actor.organizationId} and id in (
        select id from webhook_deliveries
        where organization_id = ${actor.organizationId} and state = 'available'
          and created_at < now() - make_interval(days => ${AVAILABLE_KEPT_DAYS})
        order by created_at limit ${BATCH_MAX})`;
    return { erased: count, isMore: count >= BATCH_MAX };
  };
}
