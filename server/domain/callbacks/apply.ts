import { isDatabaseUnavailable } from "@/db/errors";
import type { SystemActor } from "@/server/core/actor";
import { learnRecipients } from "@/server/domain/contacts/learn";
import { setMarketingPreference } from "@/server/domain/contacts/marketing";
import { renamePerson } from "@/server/domain/contacts/rename";
import { type Context, perServices } from "@/server/core/context";
import { applyStatuses, type MarkProcessed } from "@/server/domain/messages/status/apply-statuses";
import type { NamedRecipient, StatusReport } from "@/server/adapters/whatsapp/reports";
import { receiveMessage } from "@/server/domain/messages/receive/receive";
import { applyTemplateStatus } from "@/server/domain/templates/set-state";
import type { NumberChange, TemplateChange } from "@/server/adapters/whatsapp/shapes";
import { createSemaphore } from "@/server/lib/semaphore";

/** The channels of one organization that callbacks can address. */
export interface ChannelsAddressed {
  readonly byPhoneNumberId: ReadonlyMap<string, string>;
  /** One channel per account. */
  readonly byWabaId: ReadonlyMap<string, string>;
}

/** Resolves with the wamids of erased messages, if it finds any. */
type Part = () => Promise<readonly string[]>;

/** Statuses that are applied together. A status that can't be applied delays only these, and not for long. */
const STATUSES_MAX = 100;

/** The process is stopping. Changes that aren't applied yet are delivered again. */
export class Interrupted extends Error {
  constructor() {
    super("The process ends before everything is applied");
  }
}

/**
 * Maximum parts applied concurrently, over all channels. Each takes a connection, and requests need connections too.
 */
const PARTS_MAX = 4;
const turnsOf = perServices(() => createSemaphore(PARTS_MAX));

/**
 * Applies the changes in callbacks, taking turns with other channels after each part. A failed part doesn't stop the
 * others. Applying a change again has no effect.
 * @param markProcessed is called in the transaction of the changes if they fit into one, which most do, and name no
 * erased message.
 * @returns wamids of erased messages: callbacks that name them need not be kept.
 * @throws the first failure, after all other parts; immediately if the database is unavailable; `Interrupted`.
 */
export async function applyChanges(
  ctx: Context<SystemActor>,
  channels: ChannelsAddressed,
  said: { changes: readonly NumberChange[]; templates: readonly TemplateChange[] },
  markProcessed: MarkProcessed,
): Promise<ReadonlySet<string>> {
  const numbers = [...byChannel(channels, said.changes)];
  const statuses = numbers.flatMap(([channelId, changes]) => statusBatches(channelId, changes));
  const others = [
    ...numbers.flatMap(([channelId, changes]) => otherParts(ctx, channelId, changes)),
    ...said.templates.flatMap(({ wabaId, ...template }) => {
      const channelId = channels.byWabaId.get(wabaId);
      if (channelId === undefined) return [];
      return [withoutNews(() => applyTemplateStatus({ ctx, input: { ...template, channelId } }))];
    }),
  ];
  const mark = statuses.length === 1 && others.length === 0 ? markProcessed : undefined;
  const parts = [...statuses.map((batch) => () => applyReports(ctx, batch, mark)), ...others];
  const { services } = ctx;
  const inTurn = parts.map((part) => () => {
    if (services.lifecycle.isStopping()) throw new Interrupted();
    return turnsOf(services).run(part);
  });
  return new Set(await doAll(inTurn));
}

function withoutNews(act: () => Promise<unknown>): Part {
  return async () => {
    await act();
    return [];
  };
}

/** Runs all parts one after the other, even if some fail. */
async function doAll(parts: readonly Part[]): Promise<readonly string[]> {
  const failures: unknown[] = [];
  const ofErased: string[] = [];
  for (const part of parts) {
    try {
      ofErased.push(...(await part()));
    } catch (error) {
      if (isDatabaseUnavailable(error) || error instanceof Interrupted) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return ofErased;
}

interface StatusBatch {
  readonly channelId: string;
  readonly reports: readonly StatusReport[];
}

function statusBatches(channelId: string, changes: readonly NumberChange[]): StatusBatch[] {
  const reports = changes.flatMap((change) => change.statuses);
  return Array.from({ length: Math.ceil(reports.length / STATUSES_MAX) }, (_, index) => ({
    channelId,
    reports: reports.slice(index * STATUSES_MAX, (index + 1) * STATUSES_MAX),
  }));
}

/** Applies them together. If that fails, applies each alone. */
async function applyReports(
  ctx: Context,
  { channelId, reports }: StatusBatch,
  mark?: MarkProcessed,
): Promise<readonly string[]> {
  try {
    return await applyStatuses({ ctx, input: { channelId, reports }, markProcessed: mark });
  } catch (error) {
    if (reports.length === 1 || isDatabaseUnavailable(error)) throw error;
    return doAll(reports.map((report) => () => applyReports(ctx, { channelId, reports: [report] })));
  }
}

/**
 * The changes other than statuses. A preference comes after the message that arrived with it, because both may create
 * the contact.
 */
function otherParts(ctx: Context, channelId: string, changes: readonly NumberChange[]): Part[] {
  const recipients = changes.flatMap((one) => one.recipients).filter(hasId);
  return [
    ...changes
      .flatMap((change) => change.messages)
      .map((message) => async () => {
        const { isErased } = await receiveMessage({ ctx, input: { ...message, channelId } });
        return isErased ? [message.upstreamId] : [];
      }),
    ...changes
      .flatMap((change) => change.preferences)
      .map((preference) => withoutNews(() => setMarketingPreference({ ctx, input: preference }))),
    ...changes
      .flatMap((change) => change.renamings)
      .map((renaming) => withoutNews(() => renamePerson({ ctx, input: renaming }))),
    ...(recipients.length === 0
      ? []
      : [withoutNews(() => learnRecipients({ ctx, input: { channelId, recipients } }))]),
  ];
}

/** Most statuses name a number only, from which there is nothing to learn. */
const hasId = ({ person }: NamedRecipient): boolean => person.userId !== null || person.parentUserId !== null;

function byChannel(
  channels: ChannelsAddressed,
  changes: readonly NumberChange[],
): ReadonlyMap<string, readonly NumberChange[]> {
  const groups = new Map<string, NumberChange[]>();
  for (const change of changes) {
    const channelId = channels.byPhoneNumberId.get(change.phoneNumberId);
    if (channelId === undefined) continue;
    const group = groups.get(channelId);
    if (group) group.push(change);
    else groups.set(channelId, [change]);
  }
  return groups;
}
