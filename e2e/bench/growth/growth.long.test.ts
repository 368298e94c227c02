import { afterAll, beforeAll, expect, test } from "vitest";
import { claimDue } from "@/server/domain/messages/testing";
import { compareSizes } from "./compare";
import { type MeasuredSize, measureSize } from "./measure";
import { openGrowthWorldAlone } from "./open-alone";
import { type OperationName, operationNames } from "./operations";
import type { GrowthWorld } from "./world";

/** `npm run bench -- --growth` goes up to ten million. */
const SMALL = 10_000;
const LARGE = 40_000;
/** More messages and a queue of the same length: others have sent the previous one. */
const LARGER = 50_000;
const LARGEST = 60_000;
const WAITING = 2_000;

let world: GrowthWorld;
let small: MeasuredSize;

beforeAll(async () => {
  world = await openGrowthWorldAlone(process.cwd());
  await world.growTo(SMALL);
  small = await measureSize(world, SMALL, operationNames(SMALL));
  await world.growTo(LARGE);
});

afterAll(() => world.close());

/** Returns statements that touch more blocks in the larger database than in the smaller one, and by how much. */
async function growing(names: readonly OperationName[]): Promise<string[]> {
  // Later operations read rows replaced at the other size; that isn't growth of the messages.
  await world.admin`vacuum`;
  const growth = compareSizes(small, await measureSize(world, LARGE, names));
  expect(new Set(growth.map(({ large }) => large.operation))).toEqual(new Set(names));
  return growth
    .filter(({ isGrowing }) => isGrowing)
    .map(
      ({ small: before, large }) => `${large.operation}: ${before.blocks} → ${large.blocks}: ${large.text}`,
    );
}

test("no statement of accepting, reading, listing, sending or sweeping touches more as messages become more", async () => {
  expect(await growing(operationNames(SMALL))).toEqual([]);
});

test("nor where few were queued when samples were last taken, so that the planner expects none", async () => {
  await world.growTo(LARGER);
  await world.admin`
    select pg_restore_attribute_stats('schemaname', 'public', 'relname', 'messages', 'attname', 'is_queued', 'inherited', false,
      'null_frac', 0::real, 'avg_width', 1, 'n_distinct', 1::real,
      'most_common_vals', '{f}', 'most_common_freqs', '{1}'::real[])`;
  expect(await growing(["handOver", "watch", "sweep", "queueAge"])).toEqual([]);
});

test("a claim passes over what waits behind a held head, without a look at each", async () => {
  const { admin, channelId, services, statements } = world;
  await queueBehindHeld(WAITING);
  statements.take();
  await claimDue(services, channelId, 1);
  const blocks = statements.take().reduce((sum, statement) => sum + statement.blocks, 0);
  await admin`delete from messages where request_id = 'held'`;
  expect(blocks).toBeLessThan(WAITING / 2);
});

/** Due before everything else on the channel; the next attempt of their head is in the future. */
async function queueBehindHeld(count: number): Promise<void> {
  await world.admin`
    with head as (
      update messages set next_attempt_at = now() + interval '1 minute'
      where id = (select id from messages where channel_id = ${world.channelId} and is_queued order by accept_seq limit 1)
      returning *)
    insert into messages (id, organization_id, conversation_id, contact_id, channel_id, kind, type, content, recipient,
      request_id, state, next_attempt_at, enqueued_at)
    select gen_random_uuid(), organization_id, conversation_id, contact_id, channel_id, kind, type, content, recipient, 'held',
      state, now() - interval '1 minute', now()
    from head, generate_series(1, ${count}::int)`;
}

// Last, because they remove what the others need.
test.each([
  { index: "messages_queue_index", operation: "handOver" },
  { index: "messages_order_index", operation: "list" },
  { index: "messages_upstream_id_unique", operation: "mergeStatuses" },
] as const)("without $index, $operation would", async ({ index, operation }) => {
  await world.growTo(LARGEST);
  await world.admin.unsafe(`drop index ${index}`);
  expect(await growing([operation])).not.toEqual([]);
});
