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
  /** Queued, or in doubt: what becomes of it isn't settled. */
  readonly isWaiting: boolean;
  readonly isErased: boolean;
}

/**
 * Erases messages in the order of their acceptance, until one is young enough, and then the contacts of whom nothing is
 * kept. What is done is remembered in `organizations.erased_until_seq`, so that a run costs what it erases. One that
 * still waits is left alone and holds nobody up, but later runs begin at it again.
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

/** The last number before the first message that waits; null where that is the first of all. */
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
