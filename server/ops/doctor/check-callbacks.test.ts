import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/db/schema";
import { addHandedOver } from "@/server/domain/channels/testing";
import { recordIntakeHeartbeat } from "@/server/domain/messages/sweep";
import { openConversation, queueText } from "@/server/domain/messages/testing";
import { connectTestChannel, TEST_SECRET } from "@/server/domain/organizations/testing";
import { recordJobHeartbeat } from "@/server/core/queue/heartbeats";
import { checkCallbacks } from "./check-callbacks";
import { about, type DoctorWorld, openDoctorWorld } from "./testing";

let world: DoctorWorld;
let channelId: string;
beforeAll(async () => {
  world = await openDoctorWorld(TEST_SECRET);
  channelId = await connectTestChannel(world.ctx);
});
afterAll(() => world.close());
beforeEach(async () => {
  const { sql } = world.database;
  await sql`delete from installation where starts_with(name, 'jobs_seen')`;
  await sql`delete from upstream_callbacks`;
  await sql`delete from intake_minutes`;
  await sql`delete from message_attempts`;
});

const look = async (what: string) => about(await checkCallbacks(world.installation), what);

async function stored(
  ago: string,
  row: { processed?: boolean; problem?: string; tries?: number },
): Promise<void> {
  const { processed = false, problem = null, tries = 0 } = row;
  await world.database.sql`
    insert into upstream_callbacks (id, organization_id, channel_id, body, received_at, processed_at, problem, tries)
    values (${newId()}, ${world.ctx.actor.organizationId}, ${channelId}, ''::bytea, now() - ${ago}::interval,
      case when ${processed}::bool then now() end, ${problem}, ${tries})`;
}

describe("the intake of callbacks", () => {
  test("is open while some process notes it", async () => {
    await recordIntakeHeartbeat(world.services);
    expect(await look("intake")).toMatchObject({ state: "ok" });
  });

  test("is pointed out as closed while PostgreSQL runs for the examination alone, however lately it was noted", async () => {
    await recordIntakeHeartbeat(world.services);
    await recordJobHeartbeat(world.services);
    const { installation } = world;
    const database = { ...installation.database, via: "own" } as const;
    expect(about(await checkCallbacks({ ...installation, database }), "intake")).toMatchObject({
      state: "warn",
      seen: expect.stringMatching(/^was last open (within the last minute|\d+ s ago)$/),
    });
  });

  test("is pointed out where nothing runs, and fails where something does", async () => {
    expect(await look("intake")).toMatchObject({ state: "warn", seen: "was never open" });
    await world.database.sql`
      insert into intake_minutes (minute) values (floor(extract(epoch from now()) / 60)::int - 5)`;
    expect(await look("intake")).toMatchObject({ state: "warn", seen: "was last open 5 min ago" });
    await recordJobHeartbeat(world.services);
    expect(await look("intake")).toMatchObject({ state: "fail", seen: "was last open 5 min ago" });
  });
});

describe("a stored callback", () => {
  test.each([
    ["10 seconds", "ok"],
    ["3 minutes", "warn"],
    ["20 minutes", "fail"],
  ])("that waits for %s: %s", async (ago, state) => {
    expect(await look("unprocessed")).toMatchObject({ state: "ok", seen: "none" });
    await stored(ago, { tries: 2 });
    await stored("1 second", {});
    expect(await look("unprocessed")).toMatchObject({
      state,
      seen: expect.stringContaining("tried 2 times"),
    });
  });

  test("that wasn't understood is pointed out for a day", async () => {
    await stored("2 days", { processed: true, problem: "not understood: of old" });
    await stored("1 hour", { processed: true });
    expect(await look("not understood")).toMatchObject({ state: "ok" });
    await stored("1 hour", { processed: true, problem: "not understood: a new field" });
    await stored("2 hours", { processed: true, problem: "not understood: a new field" });
    expect(await look("not understood")).toMatchObject({
      state: "warn",
      seen: "2 in the last day, most often: not understood: a new field",
    });
  });
});

describe("an accepted message", () => {
  const accepted = (minutesAgo: number, hasStatus: boolean) =>
    addHandedOver(world.ctx, channelId, { minutesAgo, hasStatus });

  test("of which no status came within ten minutes is pointed out; all of a channel fail it", async () => {
    await accepted(5, false);
    await accepted(25 * 60, false);
    expect(await look("statuses")).toMatchObject({
      state: "ok",
      seen: "no messages that should have a status",
    });
    await accepted(11, false);
    const fails = await look(`statuses of ${channelId} (Test channel)`);
    expect(fails).toMatchObject({
      state: "fail",
      seen: "1 of 1 accepted messages have no status after ten minutes",
      remedy: expect.stringContaining("Meta"),
    });
    await accepted(12, true);
    expect(await look("statuses")).toMatchObject({ state: "warn", seen: expect.stringMatching(/^1 of 2/) });
  });

  test("of which one came is well", async () => {
    await accepted(12, true);
    expect(await look("statuses")).toMatchObject({
      state: "ok",
      seen: "received for all 1 accepted messages",
    });
  });
});

test("a message that stays unconfirmed for longer than it is waited for is pointed out", async () => {
  const { threadId } = await openConversation(world.ctx, channelId);
  const id = await queueText(world.ctx, threadId);
  const doubt = (ago: string) =>
    world.database.sql`update messages set in_doubt_since = now() - ${ago}::interval where id = ${id}`;
  expect(await look("unconfirmed")).toMatchObject({ state: "ok", seen: "none" });
  await doubt("10 minutes");
  expect(await look("unconfirmed")).toMatchObject({ state: "ok", seen: "1, the oldest for 10 min" });
  await doubt("20 minutes");
  expect(await look("unconfirmed")).toMatchObject({ state: "warn", seen: "1, the oldest for 20 min" });
});
