import { isDatabaseUnavailable } from "@/db/errors";
import type { SystemActor } from "@/server/core/actor";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import type { Context, Services } from "@/server/core/context";
import type { Sql } from "@/db/client";
import {
  AVAILABLE_KEPT_DAYS,
  CALLBACKS_KEPT_DAYS,
  WEBHOOKS_KEPT_DAYS,
} from "@/server/domain/organizations/retention-days";
import {
  type Step,
  oldMessages,
  oldContacts,
  oldCallbacks,
  oldUnmatchedStatuses,
  oldAvailable,
  oldWebhooks,
} from "./steps";

const RUN_MS = 10_000;

const STEPS = [
  oldMessages,
  oldContacts,
  oldCallbacks,
  oldUnmatchedStatuses,
  oldWebhooks,
  oldAvailable,
] as const;

/** After this time, no work that started before a contact's erasure can still be running. */
const FINISHED_AFTER_HOURS = 2;
const ERASURES_MAX = 100;

/**
 * Erases everything past its organization's retention time, and completes erasures of contacts. Works in batches until
 * nothing is left or the time is over. After a crash the next run continues, and two concurrent processes do no harm.
 * @returns true if more may be left, so that the next run should start immediately.
 */
export async function enforceRetention(services: Services, { runMs = RUN_MS } = {}): Promise<boolean> {
  const endsAt = performance.now() + runMs;
  await finishErasures(services);
  const due = await organizationsDue(services.sql);
  const queue = due.map(({ organizationId, retentionDays }) => {
    const ctx = systemContext(services, organizationId);
    return { organizationId, steps: STEPS.map((step) => step(ctx, retentionDays)), erased: 0 };
  });
  // One batch per organization in turn, so that a large one doesn't delay the others.
  for (let run = queue.shift(); run !== undefined && !services.lifecycle.isStopping(); run = queue.shift()) {
    const { organizationId } = run;
    const turn = await takeTurn(services, organizationId, run.steps);
    const erased = run.erased + turn.erased;
    if (turn.steps.length > 0) queue.push({ organizationId, steps: turn.steps, erased });
    else if (erased > 0) services.log.info({ organizationId, erased }, "erased expired data");
    if (queue.length > 0 && performance.now() > endsAt) return true;
  }
  return false;
}

/** Runs one batch of each step. @returns the steps that have more. A failed step is not repeated in this run. */
async function takeTurn(
  services: Services,
  organizationId: string,
  steps: readonly Step[],
): Promise<{ steps: Step[]; erased: number }> {
  const left: Step[] = [];
  let erased = 0;
  for (const step of steps) {
    try {
      const batch = await step();
      erased += batch.erased;
      if (batch.isMore) left.push(step);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      services.log.error({ err: error, organizationId }, "erasing expired data failed");
    }
  }
  return { steps: left, erased };
}

async function finishErasures(services: Services): Promise<void> {
  for (const { organizationId, contactId } of await unfinishedErasures(services.sql)) {
    await eraseContact({ ctx: systemContext(services, organizationId), input: { contactId } });
  }
}

function systemContext(services: Services, organizationId: string): Context<SystemActor> {
  return { services, actor: { kind: "system", organizationId, job: "retention" }, requestId: null };
}

interface DueOrganization {
  readonly organizationId: string;
  readonly retentionDays: number;
}

/**
 * Returns the organizations with data past the retention time: a few index probes for each. Each query follows the
 * order of an index; otherwise the planner reads a whole table, hoping for an early hit.
 */
function organizationsDue(sql: Sql): Promise<DueOrganization[]> {
  return sql<DueOrganization[]>`
    select o.id as "organizationId", o.retention_days as "retentionDays"
    from organizations o, lateral (select now() - make_interval(days => o.retention_days) as content,
      now() - make_interval(days => least(o.retention_days, ${CALLBACKS_KEPT_DAYS})) as callbacks) oldest
    where (select m.created_at < oldest.content from messages m
        where m.organization_id = o.id and m.accept_seq > 0 and m.accept_seq > o.erased_until_seq
        order by m.accept_seq limit 1)
      or (select c.created_at < oldest.content from contacts c
        where c.organization_id = o.id and c.erased_at is null and c.id > o.contacts_looked_at_until
        order by c.id limit 1)
      or (select true from upstream_callbacks u
        where u.organization_id = o.id and u.processed_at is not null and u.received_at < oldest.callbacks
        order by u.received_at limit 1)
      or exists (select from channels c
        join upstream_callbacks u on u.channel_id = c.id and u.organization_id = c.organization_id
        where c.organization_id = o.id and u.processed_at is null and u.tries > 0
          and u.received_at < oldest.callbacks)
      or (select true from unmatched_statuses s
        where s.organization_id = o.id and s.created_at < oldest.callbacks order by s.created_at limit 1)
      or (select v.created_at < now() - make_interval(days => ${WEBHOOKS_KEPT_DAYS}) from webhook_events v
        where v.organization_id = o.id order by v.created_at limit 1)
      or (select d.created_at < now() - make_interval(days => ${AVAILABLE_KEPT_DAYS}) from webhook_deliveries d
        where d.organization_id = o.id and d.state = 'available' order by d.created_at limit 1)
    order by o.id`;
}

interface UnfinishedErasure {
  readonly organizationId: string;
  readonly contactId: string;
}

/**
 * Returns recently erased contacts that received data at the same moment: a message just accepted, a name just stored.
 */
function unfinishedErasures(sql: Sql): Promise<UnfinishedErasure[]> {
  return sql<UnfinishedErasure[]>`
    select c.organization_id as "organizationId", c.id as "contactId" from contacts c
    where c.erased_at > now() - make_interval(hours => ${FINISHED_AFTER_HOURS})
      and (c.name is not null
        or exists (select from contact_identities i
          where i.organization_id = c.organization_id and i.contact_id = c.id)
        or exists (select from conversations v
          join messages m on m.conversation_id = v.id and m.erased_at is null
          where v.organization_id = c.organization_id and v.contact_id = c.id))
    order by c.erased_at limit ${ERASURES_MAX}`;
}
