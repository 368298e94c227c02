import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openAttempts } from "./deliver/open-attempts";
import { connectTestChannel } from "@/server/domain/organizations/testing";
import { sweepDueWork } from "@/server/domain/sweep";
import { recordIntakeHeartbeat, sweepOldStatuses } from "./sweep";
import {
  claimDue,
  breakingAfter,
  messageRow,
  openConversation,
  openSendWorld,
  outcomesOf,
  queueCopies,
  queueText,
  type SendWorld,
  timelineOf,
} from "./testing";
import { servicesWith } from "@/server/core/testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());

const sweep = () => sweepDueWork(world.services);
const change = (id: string, columns: string) =>
  world.sql`update messages set ${world.sql.unsafe(columns)} where id = ${id}`;

async function queueOne(): Promise<string> {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  return queueText(world.ctx, threadId);
}

async function claimOne(id: string) {
  const claimed = await claimDue(world.services, world.channelId, 1000);
  return claimed.filter((message) => message.id === id);
}

/** A message whose call has started. */
async function calling(): Promise<string> {
  const id = await queueOne();
  await openAttempts(world.services, await claimOne(id));
  return id;
}

/** Stores the minutes of the last hour, from `from` to `to` ago, in which callbacks could arrive. */
async function intakeBetween(from: number, to: number): Promise<void> {
  await world.sql`delete from intake_minutes`;
  await world.sql`
    insert into intake_minutes (minute)
    select (extract(epoch from now()) / 60)::int - m from generate_series(${to}::int, ${from}::int) as m`;
}

describe("an open attempt", () => {
  test("past its deadline is in doubt, and never called again", async () => {
    const id = await calling();
    await world.sql`update message_attempts set deadline = now() - interval '1 second' where message_id = ${id}`;
    await sweep();
    expect(await messageRow(world, id)).toMatchObject({ state: "queued", isInDoubt: true, isClaimed: false });
    expect(await outcomesOf(world, id)).toEqual(["uncertain"]);
    expect(await claimOne(id)).toEqual([]);
  });

  test("before its deadline is left alone, also when its claim has run out", async () => {
    const id = await calling();
    await change(id, "claimed_until = now() - interval '1 hour'");
    await sweep();
    expect(await messageRow(world, id)).toMatchObject({ isInDoubt: false, isClaimed: true });
    expect(await outcomesOf(world, id)).toEqual([null]);
  });
});

describe("a claim without an attempt", () => {
  test("is free again once it has run out, and not before", async () => {
    const id = await queueOne();
    await claimOne(id);
    await sweep();
    expect(await messageRow(world, id)).toMatchObject({ isClaimed: true });
    await change(id, "claimed_until = now() - interval '1 second'");
    await sweep();
    expect(await messageRow(world, id)).toMatchObject({ isClaimed: false, state: "queued" });
  });
});

describe("a message in doubt", () => {
  async function doubtful(minutes: number): Promise<string> {
    const id = await calling();
    await world.sql`update message_attempts set outcome = 'uncertain' where message_id = ${id}`;
    await change(id, `in_doubt_since = now() - interval '${minutes} minutes', claim_token = null`);
    return id;
  }

  test("is given up as unconfirmed after fifteen minutes in which callbacks could come in", async () => {
    await intakeBetween(17, 0);
    const id = await doubtful(17);
    await sweep();
    expect(await messageRow(world, id)).toMatchObject({
      state: "failed",
      errorCode: "upstream_unconfirmed",
      eventSequence: 1,
    });
    expect(await timelineOf(world, id)).toMatchObject([
      { kind: "failed", errorCode: "upstream_unconfirmed" },
    ]);
  });

  test("waits on while callbacks couldn't come in: an outage of ours proves nothing", async () => {
    await intakeBetween(9, 0);
    const id = await doubtful(60);
    await sweep();
    expect(await messageRow(world, id)).toMatchObject({ state: "queued", isInDoubt: true });
  });

  test("waits on within the fifteen minutes", async () => {
    await intakeBetween(60, 0);
    const id = await doubtful(13);
    await sweep();
    expect(await messageRow(world, id)).toMatchObject({ state: "queued", isInDoubt: true });
  });

  test("isn't given up for minutes of intake that lie before the doubt", async () => {
    await intakeBetween(90, 61);
    const id = await doubtful(60);
    await sweep();
    expect(await messageRow(world, id)).toMatchObject({ state: "queued", isInDoubt: true });
  });

  test("never expires: it may have been handed over", async () => {
    await world.sql`delete from intake_minutes`;
    const id = await doubtful(60);
    await change(id, "created_at = now() - interval '2 days'");
    await sweep();
    expect(await messageRow(world, id)).toMatchObject({ state: "queued", isInDoubt: true });
  });
});

describe("a message that waits", () => {
  test("expires after twelve hours, and not before", async () => {
    const [old, young] = [await queueOne(), await queueOne()];
    await change(old, "created_at = now() - interval '12 hours 1 minute'");
    await change(young, "created_at = now() - interval '11 hours 59 minutes'");
    await sweep();
    expect(await messageRow(world, old)).toMatchObject({ state: "failed", errorCode: "expired" });
    expect(await messageRow(world, young)).toMatchObject({ state: "queued" });
  });

  test("doesn't expire while a call for it is under way", async () => {
    const id = await calling();
    await change(id, "created_at = now() - interval '13 hours'");
    await sweep();
    expect(await messageRow(world, id)).toMatchObject({ state: "queued" });
    expect(await outcomesOf(world, id)).toEqual([null]);
  });

  test("wakes its channel when it is due, though every wake-up was lost", async () => {
    await queueOne();
    world.target.length = 0;
    await sweep();
    expect(world.target).toEqual([world.channelId]);
  });

  test("wakes its channel also where the channel before it only has a message for later", async () => {
    const channels: string[] = [];
    const messages: string[] = [];
    for (const wait of ["1 hour", "0 seconds", "1 hour", "0 seconds"]) {
      const channelId = await connectTestChannel(world.ctx);
      const { threadId } = await openConversation(world.ctx, channelId);
      const id = await queueText(world.ctx, threadId);
      await change(id, `next_attempt_at = now() + interval '${wait}'`);
      channels.push(channelId);
      messages.push(id);
    }
    world.target.length = 0;
    await sweep();
    expect(world.target.filter((id) => channels.includes(id))).toEqual([channels[1], channels[3]]);
    for (const id of messages) await change(id, "state = 'failed'");
  });
});

describe("the sweep", () => {
  test("goes on while there is more than one batch: what an outage leaves is settled at once", async () => {
    const id = await queueOne();
    await change(id, "created_at = now() - interval '13 hours'");
    const ids = [id, ...(await queueCopies(world, id, 249))];
    await sweep();
    const rows = await world.sql<{ state: string; n: number }[]>`
      select state, count(*)::int as n from messages where id = any(${ids}::uuid[]) group by state`;
    expect(rows).toEqual([{ state: "failed", n: 250 }]);
  });

  test("says whether it took all of its steps", async () => {
    expect(await sweep()).toBe(true);
    expect(await sweepDueWork(servicesWith(world.services, { lifecycle: { isStopping: () => true } }))).toBe(
      false,
    );
  });

  test("names the step that fails, and goes on with the next", async () => {
    const errors: unknown[] = [];
    const log = Object.assign(Object.create(world.services.log), {
      error: (fault: object) => errors.push(fault),
    });
    const id = await queueOne();
    world.target.length = 0;
    const breaking = breakingAfter(world.services, "from unmatched_statuses");
    expect(await sweepDueWork({ ...breaking, log })).toBe(false);
    expect(errors).toMatchObject([{ step: "join kept statuses" }]);
    expect(world.target).toEqual([world.channelId]);
    await change(id, "state = 'failed'");
  });

  test("joins what was kept lately, and the hourly one what was kept before", async () => {
    const kept = async (upstreamId: string, minutesAgo: number) => {
      const id = await queueOne();
      await change(id, `state = 'sent', upstream_id = '${upstreamId}'`);
      const entry = { upstreamId, messageId: null, kind: "delivered", upstreamAt: null, recipient: null };
      await world.sql`
        insert into unmatched_statuses (id, organization_id, channel_id, upstream_id, status, entry, created_at)
        values (${randomUUID()}, ${world.ctx.actor.organizationId}, ${world.channelId}, ${upstreamId}, 'delivered',
          ${JSON.stringify({ ...entry, errorCode: null, detail: null })}::text::jsonb,
          now() - make_interval(mins => ${minutesAgo}))`;
      return id;
    };
    const [recent, old] = [await kept("wamid.recent", 10), await kept("wamid.old", 20)];
    await sweep();
    expect(await messageRow(world, recent)).toMatchObject({ state: "delivered" });
    expect(await messageRow(world, old)).toMatchObject({ state: "sent" });
    await sweepOldStatuses(world.services);
    expect(await messageRow(world, old)).toMatchObject({ state: "delivered" });
  });

  test("of many processes at once does each thing once", async () => {
    await intakeBetween(60, 0);
    const id = await calling();
    await world.sql`update message_attempts set deadline = now() - interval '1 second' where message_id = ${id}`;
    const expired = await queueOne();
    await change(expired, "created_at = now() - interval '13 hours'");
    await Promise.all(Array.from({ length: 4 }, sweep));
    expect(await timelineOf(world, expired)).toMatchObject([{ kind: "failed", sequence: 1 }]);
    expect((await timelineOf(world, id)).map((event) => event.kind).sort()).toEqual(["uncertain"]);
  });

  test("takes note of a minute of intake once, and forgets old ones", async () => {
    await world.sql`delete from intake_minutes`;
    await world.sql`insert into intake_minutes (minute) values (1)`;
    await Promise.all([recordIntakeHeartbeat(world.services), recordIntakeHeartbeat(world.services)]);
    await recordIntakeHeartbeat(world.services);
    const rows = await world.sql<{ age: number }[]>`
      select ((extract(epoch from now()) / 60)::int - minute) as age from intake_minutes`;
    expect(rows.every((row) => row.age <= 1)).toBe(true);
    expect(rows.length).toBeLessThanOrEqual(2);
  });

  test("takes no note while stored callbacks wait untouched for more than a minute", async () => {
    const { organizationId } = world.ctx.actor;
    const id = randomUUID();
    await world.sql`delete from intake_minutes`;
    const noted = async () => {
      await recordIntakeHeartbeat(world.services);
      return (await world.sql`select 1 from intake_minutes`).length > 0;
    };
    await world.sql`
      insert into upstream_callbacks (id, organization_id, channel_id, body, received_at)
      values (${id}, ${organizationId}, ${world.channelId}, '', now() - interval '61 seconds')`;
    expect(await noted()).toBe(false);
    // A callback that was tried and can't be applied doesn't mean that others wait.
    await world.sql`update upstream_callbacks set tries = 1 where id = ${id}`;
    expect(await noted()).toBe(true);
    await world.sql`delete from upstream_callbacks where id = ${id}`;
  });
});
