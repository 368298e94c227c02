import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { emptyUnusedContacts } from "@/server/domain/erasure/empty-contact";
import { eraseMessages } from "@/server/domain/erasure/erase-messages";
import type { Step } from "./step";

const BATCH_MAX = 500;

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
