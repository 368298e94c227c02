import type { TransactionSql } from "@/db/client";
import type { TemplateState } from "@/db/schema";
import type { PauseReason } from "@/server/adapters/whatsapp/pause-reasons";
import { pauseChannels } from "@/server/domain/channels/pause";
import { equivalentHandles } from "@/server/adapters/whatsapp/handles";
import { canonicalContact } from "@/server/domain/contacts/merged-contacts";
import { recordPreferenceIn } from "@/server/domain/contacts/record-preference";
import type { Services } from "@/server/core/context";
import { setTemplateStateIn, type TemplateNews } from "@/server/domain/templates/set-state";
import { forgetMediaIds } from "@/server/domain/uploads/media-id";
import type { OutcomeEffect } from "@/server/adapters/whatsapp/upstream-code";
import type { MessageRow } from "./message-rows";

/** `number_reached`: a message was delivered to this number. */
type Effect = OutcomeEffect | "number_reached";

/** A finding of a response or a status beyond its message: about the customer, the conversation, the template. */
export interface UpstreamEffect {
  readonly row: MessageRow;
  readonly effect: Effect;
  /** When it was true, by the upstream's clock if it gave a time. */
  readonly at: Date;
  /** The upstream's own code and words. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A reason why a channel can currently send nothing. */
export interface UpstreamPause {
  readonly row: MessageRow;
  readonly reason: PauseReason;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A response about a customer's pair limit (upstream code 131056), or an acceptance, which ends the streak. */
export interface PairLimits {
  readonly hit: readonly MessageRow[];
  readonly passed: readonly MessageRow[];
}

/**
 * Stores findings, in the transaction of the outcome. Idempotent. Every statement is limited to the message's own
 * organization. Rows of one kind are locked in id order.
 * @returns webhook endpoints to notify after the commit.
 */
export async function storeEffects(
  tx: TransactionSql,
  effects: readonly UpstreamEffect[],
): Promise<readonly string[]> {
  const of = (effect: Effect) => effects.filter((one) => one.effect === effect);
  await refuseNumbers(tx, sortedBy(of("number_refused"), "contactId"));
  await trustNumbers(tx, of("number_reached"));
  const endpointIds = await optOut(tx, sortedBy(of("marketing_opted_out"), "contactId"));
  await closeWindows(tx, sortedBy(of("window_closed"), "conversationId"));
  await setTemplates(tx, sortedBy(of("template_paused"), "templateId"), "paused");
  await setTemplates(tx, sortedBy(of("template_disabled"), "templateId"), "disabled");
  await forgetMediaIds(
    tx,
    of("media_id_doubted").map(({ row }) => row.id),
  );
  return endpointIds;
}

function sortedBy(
  effects: readonly UpstreamEffect[],
  key: "contactId" | "conversationId" | "templateId",
): readonly UpstreamEffect[] {
  const keyOf = ({ row }: UpstreamEffect) => row[key] ?? "";
  return effects.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
}

/** Pauses the channels that made their messages fail, and logs it. */
export async function storePauses(
  services: Services,
  tx: TransactionSql,
  pauses: readonly UpstreamPause[],
): Promise<void> {
  const paused = await pauseChannels(
    tx,
    pauses.map(({ row, reason, detail }) => {
      const { channelId, organizationId } = row;
      return { channelId, organizationId, reason, detail };
    }),
  );
  for (const { channelId, reason, detail } of paused) {
    services.log.warn(
      { channelId, reason, ...detail },
      "a channel is paused: nothing can be sent through it",
    );
  }
}

const byConversation = (rows: readonly MessageRow[]) => [
  ...new Map(rows.map((row) => [row.conversationId, row])).values(),
];

/** No message of a conversation is claimed before its refused message is due again; an acceptance ends the streak. */
export async function storePairLimits(tx: TransactionSql, { hit, passed }: PairLimits): Promise<void> {
  const blocked = byConversation(hit);
  if (blocked.length > 0) {
    await tx`
      update conversations v set pair_limit_streak = v.pair_limit_streak + 1, blocked_until = locked.blocked_until
      from (
        select c.id, r.blocked_until
        from unnest(
          ${blocked.map((row) => row.organizationId)}::uuid[], ${blocked.map((row) => row.conversationId)}::uuid[],
          ${blocked.map((row) => row.nextAttemptAt?.toISOString() ?? null)}::timestamptz[]
        ) as r (organization_id, id, blocked_until)
        join conversations c on c.organization_id = r.organization_id and c.id = r.id
        order by c.id for update of c) locked
      where v.id = locked.id`;
  }
  const hitToo = new Set(blocked.map((row) => row.conversationId));
  const free = byConversation(passed).filter((row) => !hitToo.has(row.conversationId));
  if (free.length > 0) {
    await tx`
      update conversations v set pair_limit_streak = 0, blocked_until = null
      from (
        select c.id
        from unnest(${free.map((row) => row.organizationId)}::uuid[], ${free.map((row) => row.conversationId)}::uuid[])
          as r (organization_id, id)
        join conversations c on c.organization_id = r.organization_id and c.id = r.id
        where c.pair_limit_streak > 0
        order by c.id for update of c) locked
      where v.id = locked.id`;
  }
}

async function refuseNumbers(tx: TransactionSql, effects: readonly UpstreamEffect[]): Promise<void> {
  for (const { row, at } of effects) {
    if (row.recipient === null) continue;
    await tx`
      update contact_identities set refused_at = greatest(refused_at, ${at}::timestamptz)
      where organization_id = ${row.organizationId}
        and contact_id = ${canonicalContact(tx, row.organizationId, row.contactId)}
        and handle = any(${[...equivalentHandles(row.recipient)]}::text[])`;
  }
}

/**
 * In one statement, because deliveries are many and refused numbers few. The upstream gives times in whole seconds,
 * rounded down: within one second, the delivery counts as the later event.
 */
async function trustNumbers(tx: TransactionSql, effects: readonly UpstreamEffect[]): Promise<void> {
  const reached = effects.flatMap(({ row: { organizationId, contactId, recipient }, at }) =>
    (recipient === null ? [] : equivalentHandles(recipient)).map((handle) => ({
      organizationId,
      contactId,
      handle,
      at,
    })),
  );
  if (reached.length === 0) return;
  await tx`
    update contact_identities i set refused_at = null
    from (
      select n.id
      from unnest(
        ${reached.map(({ organizationId }) => organizationId)}::uuid[],
        ${reached.map(({ contactId }) => contactId)}::uuid[], ${reached.map(({ handle }) => handle)}::text[],
        ${reached.map(({ at }) => at.toISOString())}::timestamptz[]
      ) as r (organization_id, contact_id, handle, at)
      join contacts k on k.organization_id = r.organization_id and k.id = r.contact_id
      join contact_identities n on n.organization_id = r.organization_id
        and n.contact_id = coalesce(k.merged_into, k.id) and n.handle = r.handle
      where n.refused_at < r.at + interval '1 second'
      order by n.contact_id, n.id for update of n) locked
    where i.id = locked.id`;
}

async function optOut(tx: TransactionSql, effects: readonly UpstreamEffect[]): Promise<readonly string[]> {
  const endpointIds: string[] = [];
  for (const { row, at } of effects) {
    const decision = { isWanted: false, at, source: "upstream" } as const;
    endpointIds.push(...(await recordPreferenceIn(tx, row.organizationId, row.contactId, decision)));
  }
  return endpointIds;
}

async function closeWindows(tx: TransactionSql, effects: readonly UpstreamEffect[]): Promise<void> {
  for (const { row, at } of effects) {
    await tx`
      update conversations set window_closed_at = greatest(window_closed_at, ${at}::timestamptz)
      where organization_id = ${row.organizationId} and id = ${row.conversationId}`;
  }
}

/** Only if nothing newer is known: callbacks and lists also report on templates. */
async function setTemplates(
  tx: TransactionSql,
  effects: readonly UpstreamEffect[],
  state: TemplateState,
): Promise<void> {
  for (const { row, at, detail } of effects) {
    if (row.templateId === null) continue;
    const reason = typeof detail.reason === "string" ? detail.reason : null;
    const [template] = await tx<Omit<TemplateNews, "state" | "reason">[]>`
      select channel_id as "channelId", name, language, upstream_id as "upstreamId" from templates
      where organization_id = ${row.organizationId} and id = ${row.templateId}`;
    if (template) await setTemplateStateIn(tx, row.organizationId, { ...template, state, reason }, at);
  }
}
