import { z } from "zod";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { type PauseView, readChannels } from "./view";

export const listPausedInput = z.strictObject({});

/** Beyond these numbers of channels and of waiting messages, exact figures aren't useful. */
const CHANNELS_MAX = 100;
const WAITING_MAX = 1_000;

export interface PausedChannel {
  readonly id: string;
  readonly name: string;
  readonly pause: PauseView;
  /** Messages that wait for the end of the pause. `WAITING_MAX` means that many or more. */
  readonly waiting: number;
  readonly isWaitingCut: boolean;
}

/**
 * Lists the organization's paused channels, with the reason and the number of waiting messages. Leaves out disabled
 * ones.
 * @throws WaypostError `permission_denied` for keys, and without `channels.read`.
 */
export async function listPausedChannels({ ctx }: { ctx: Context }): Promise<{ data: PausedChannel[] }> {
  requireMemberCapability(ctx.actor, "channels.read");
  const { sql } = ctx.services;
  const which = sql`c.paused_at is not null and c.disabled_at is null`;
  const channels = await readChannels(ctx, { which, rowsMax: CHANNELS_MAX });
  if (channels.length === 0) return { data: [] };
  const counts = await sql<{ id: string; waiting: number }[]>`
    select c.id, w.waiting from unnest(${channels.map(({ id }) => id)}::uuid[]) as c (id) cross join lateral (
      select count(*)::int as waiting from (
        select from messages m
        where m.channel_id = c.id and m.organization_id = ${ctx.actor.organizationId}
          and m.is_queued and m.claim_token is null and m.in_doubt_since is null
        limit ${WAITING_MAX}) q) w`;
  const waitingOf = new Map(counts.map(({ id, waiting }) => [id, waiting]));
  const data = channels.flatMap(({ id, name, pause }) => {
    const waiting = waitingOf.get(id) ?? 0;
    return pause === null ? [] : [{ id, name, pause, waiting, isWaitingCut: waiting >= WAITING_MAX }];
  });
  return { data };
}
