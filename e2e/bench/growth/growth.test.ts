import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing";
import { compareSizes } from "./compare";
import { type MeasuredSize, measureSize } from "./measure";
import { type OperationName, operationNames } from "./operations";
import { type GrowthWorld, openGrowthWorld } from "./world";

/** `npm run bench -- --growth` goes up to ten million. */
const SMALL = 10_000;
const LARGE = 60_000;

let database: TestDatabase;
let dataDir: string;
let world: GrowthWorld;
let small: MeasuredSize;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "waypost-growth-"));
  world = await openGrowthWorld({ address: database.connection, appRoot: process.cwd(), dataDir });
  await world.growTo(SMALL);
  small = await measureSize(world, SMALL, operationNames());
  await world.growTo(LARGE);
}, 120_000);

afterAll(async () => {
  await world.close();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

/** What touches more in the larger database than in the smaller, and how much more. */
async function growing(names: readonly OperationName[]): Promise<string[]> {
  const growth = compareSizes(small, await measureSize(world, LARGE, names));
  expect(new Set(growth.map(({ large }) => large.operation))).toEqual(new Set(names));
  return growth
    .filter(({ isGrowing }) => isGrowing)
    .map(
      ({ small: before, large }) => `${large.operation}: ${before.blocks} → ${large.blocks}: ${large.text}`,
    );
}

test("no statement of accepting, reading, listing, sending or sweeping touches more as messages become more", async () => {
  expect(await growing(operationNames())).toEqual([]);
}, 60_000);

// The last, since they take away what the others need.
test.each([
  { index: "messages_order_index", operation: "list" },
  { index: "messages_queue_index", operation: "handOver" },
  { index: "messages_upstream_id_unique", operation: "mergeStatuses" },
] as const)("without $index, $operation would", async ({ index, operation }) => {
  await world.admin.unsafe(`drop index ${index}`);
  expect(await growing([operation])).not.toEqual([]);
});
