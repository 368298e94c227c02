import { afterAll, beforeAll, expect, test } from "vitest";
import type { TransactionSql } from "@/db/client";
import { lockMessages, saveMessages } from "./message-rows";
import { openConversation, openSendWorld, queueText, type SendWorld, startCall } from "../testing";
import { recordOutcomes } from "../deliver/record-outcomes";

let world: SendWorld;
beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());

test("a message that goes on from sent to delivered and read touches no index", async () => {
  const { ctx, channelId, services, sql } = world;
  const id = await queueText(ctx, (await openConversation(ctx, channelId)).threadId);
  const { attemptId } = await startCall(world, id);
  const detail = { httpStatus: 200, upstreamCode: null, reason: "accepted" };
  await recordOutcomes(services, [
    { attemptId, messageId: id, outcome: { kind: "accepted", upstreamId: `wamid.${id}`, detail } },
  ]);
  const counted = async (tx: TransactionSql) => {
    const [row] = await tx<{ all: number; withoutIndexes: number }[]>`
      select n_tup_upd::int as all, n_tup_hot_upd::int as "withoutIndexes" from pg_stat_xact_user_tables
      where relname = 'messages'`;
    return row ?? { all: 0, withoutIndexes: 0 };
  };
  const updates = await sql.begin(async (tx) => {
    const before = await counted(tx);
    for (const state of ["delivered", "read"] as const) {
      const { rows, now } = await lockMessages(tx, [id]);
      await saveMessages(
        tx,
        [...rows.values()].map((row) => ({ ...row, state, deliveredAt: now, readAt: now })),
      );
    }
    const after = await counted(tx);
    return { all: after.all - before.all, withoutIndexes: after.withoutIndexes - before.withoutIndexes };
  });
  expect(updates).toEqual({ all: 2, withoutIndexes: 2 });
});
