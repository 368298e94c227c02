import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/db/schema";
import { openSendWorld, type SendWorld } from "@/server/domain/messages/testing";
import { setRetention } from "@/server/domain/organizations/set-retention";
import { enforceRetention } from "./enforce";
import { inOwnOrganization } from "./testing";

let shared: SendWorld;
let world: SendWorld;

beforeAll(async () => void (shared = await openSendWorld({ database: "own" })));
/** A new organization for each test. */
beforeEach(async () => void ({ world } = await inOwnOrganization(shared)));
afterAll(() => shared.close());

const enforce = () => enforceRetention(world.services);

describe("raw callbacks and statuses of unknown messages", () => {
  async function addCallback(fields: {
    daysAgo: number;
    isProcessed?: boolean;
    tries?: number;
  }): Promise<string> {
    const { daysAgo, isProcessed = true, tries = 1 } = fields;
    const id = newId();
    await world.sql`
      insert into upstream_callbacks (id, organization_id, channel_id, body, received_at, processed_at, tries)
      values (${id}, ${world.ctx.actor.organizationId}, ${world.channelId}, ${Buffer.from("{}")},
        now() - make_interval(days => ${daysAgo}), case when ${String(isProcessed)}::boolean then now() end, ${tries})`;
    return id;
  }

  async function addStatus(daysAgo: number): Promise<string> {
    const id = newId();
    await world.sql`
      insert into unmatched_statuses (id, organization_id, channel_id, upstream_id, status, entry, created_at)
      values (${id}, ${world.ctx.actor.organizationId}, ${world.channelId}, ${`wamid.${randomUUID()}`}, 'sent', '{}',
        now() - make_interval(days => ${daysAgo}))`;
    return id;
  }

  async function leftOf(ids: readonly string[]): Promise<readonly boolean[]> {
    const rows = await world.sql<{ id: string }[]>`
      select id from upstream_callbacks where id = any(${[...ids]}::uuid[])
      union all select id from unmatched_statuses where id = any(${[...ids]}::uuid[])`;
    const left = new Set(rows.map(({ id }) => id));
    return ids.map((id) => left.has(id));
  }

  test.each([
    ["30 days where content is kept for longer", 90, 29, 31],
    ["as content where that is for less", 3, 2, 4],
  ])("live for %s", async (_, days, young, old) => {
    await setRetention({ ctx: world.ctx, input: { days } });
    const ids = [
      await addCallback({ daysAgo: young }),
      await addStatus(young),
      await addCallback({ daysAgo: old }),
      await addStatus(old),
    ];
    await enforce();
    expect(await leftOf(ids)).toEqual([true, true, false, false]);
  });

  test("that can't be processed live as long, but one that nobody has looked at yet stays", async () => {
    const tried = await addCallback({ daysAgo: 31, isProcessed: false, tries: 9 });
    const untouched = await addCallback({ daysAgo: 31, isProcessed: false, tries: 0 });
    await enforce();
    expect(await leftOf([tried, untouched])).toEqual([false, true]);
  });
});
