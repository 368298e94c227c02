import { createServer } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { limitMs } from "@/e2e/support/machine-speed";
import { createPool } from "@/db/client";
import { newId } from "@/db/schema";
import { until } from "@/e2e/support/until";
import { recordLog } from "@/server/adapters/limits/testing";
import { applyStatuses } from "@/server/domain/messages/status/apply-statuses";
import { newHandle, openConversation, openSendWorld, type SendWorld } from "@/server/domain/messages/testing";
import { sendMessage } from "@/server/domain/messages/send/send";
import { recordJobHeartbeat, recordSweep } from "@/server/core/queue/heartbeats";
import { recordIntakeHeartbeat } from "@/server/domain/messages/sweep";
import { addDeliveries, addEndpoint } from "@/server/domain/webhooks/testing";
import { INSTALLATION_PARTS } from "@/server/adapters/metrics/catalogue";
import { createInstallationReader } from "./installation";
import { createMetrics, type Metrics } from "@/server/adapters/metrics/metrics";
import { valueOf } from "./testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());

/** Reads without a cached result, as another process would. */
async function read(): Promise<string> {
  const metrics = createMetrics();
  await createInstallationReader({ ...world.services, sql: world.sql, metrics })();
  return metrics.text();
}

const partsUp = async (metrics: Metrics) => {
  const text = await metrics.text();
  return INSTALLATION_PARTS.map((part) => valueOf(text, `waypost_installation_up{part="${part}"}`));
};

test("an installation in which nothing has happened has nothing to tell, and says that it could be asked", async () => {
  const text = await read();
  for (const part of INSTALLATION_PARTS) {
    expect(valueOf(text, `waypost_installation_up{part="${part}"}`)).toBe(1);
  }
  expect(valueOf(text, "waypost_queue_oldest_due_seconds")).toBe(0);
  expect(valueOf(text, "waypost_callback_age_seconds")).toBeNull();
  expect(valueOf(text, "waypost_sweep_age_seconds")).toBeNull();
  expect(valueOf(text, "waypost_jobs_running")).toBe(0);
  expect(valueOf(text, "waypost_channels")).toBe(1);
  expect(valueOf(text, 'waypost_channels_paused{reason="account_locked"}')).toBe(0);
});

test("the installation's state is told: queue, doubt, pauses, callbacks, silence, jobs", async () => {
  const { sql, ctx, channelId } = world;
  const organizationId = ctx.actor.organizationId;
  const sent = [];
  for (const id of ["due", "doubted", "silent", "spoken-of"]) {
    const { handle } = await openConversation(ctx, channelId, newHandle());
    const input = {
      client_message_id: id,
      to: { kind: "whatsapp", handle },
      type: "text",
      text: { body: "Hello" },
    } as const;
    sent.push((await sendMessage({ ctx, input })).message_id);
  }
  const [due = "", doubted = "", silent = "", spokenOf = ""] = sent;
  await sql`update messages set next_attempt_at = now() - interval '90 s' where id = ${due}`;
  await sql`update messages set in_doubt_since = now() - interval '5 minutes' where id = ${doubted}`;
  const anHourAgo = new Date(Date.now() - 3_600_000);
  for (const id of [silent, spokenOf]) {
    await sql`update messages set state = 'sent', next_attempt_at = null where id = ${id}`;
    await sql`insert into message_attempts (id, organization_id, message_id, channel_id, started_at, deadline, outcome)
      values (${newId()}, ${organizationId}, ${id}, ${channelId}, ${anHourAgo}, now(), 'accepted')`;
  }
  const status = { upstreamAt: null, recipient: null, errorCode: null, detail: null } as const;
  await applyStatuses({
    ctx,
    input: {
      channelId,
      reports: [
        { ...status, upstreamId: "wamid.1", messageId: spokenOf, kind: "delivered" },
        { ...status, upstreamId: "wamid.2", messageId: null, kind: "sent" },
      ],
    },
  });
  for (const seconds of [40, 400]) {
    await sql`insert into upstream_callbacks (id, organization_id, channel_id, body, received_at)
      values (${newId(Date.now() - seconds * 1000)}, ${organizationId}, ${channelId}, '\\x00',
        now() - make_interval(secs => ${seconds}))`;
  }
  await recordJobHeartbeat(world.services);
  await recordSweep(world.services);
  await recordIntakeHeartbeat({ ...world.services, sql });

  const text = await read();
  expect(valueOf(text, "waypost_queue_oldest_due_seconds")).toBeGreaterThanOrEqual(90);
  expect(valueOf(text, "waypost_queue_oldest_behind_seconds")).toBe(0);
  expect(valueOf(text, "waypost_queue_channels")).toBe(1);
  expect(valueOf(text, "waypost_queue_messages")).toBe(2);
  expect(valueOf(text, "waypost_messages_in_doubt")).toBe(1);
  expect(valueOf(text, "waypost_messages_in_doubt_oldest_seconds")).toBeGreaterThanOrEqual(300);
  expect(valueOf(text, "waypost_messages_awaiting_status")).toBe(1);
  expect(valueOf(text, "waypost_messages_expecting_status")).toBe(2);
  // One of its messages has received a status.
  expect(valueOf(text, "waypost_channels_silent")).toBe(0);
  expect(valueOf(text, "waypost_statuses_unmatched")).toBe(1);
  expect(valueOf(text, "waypost_callbacks_waiting_oldest_seconds")).toBeGreaterThanOrEqual(400);
  const callbackAge = valueOf(text, "waypost_callback_age_seconds") ?? 0;
  expect(Math.floor(callbackAge / 100)).toBe(0);
  expect(callbackAge).toBeGreaterThanOrEqual(40);
  expect(valueOf(text, "waypost_jobs_running")).toBe(1);
  expect(valueOf(text, "waypost_sweep_age_seconds")).toBeLessThan(60);

  await sql`delete from message_attempts where message_id = ${spokenOf}`;
  const afterwards = await read();
  expect(valueOf(afterwards, "waypost_messages_expecting_status")).toBe(1);
  expect(valueOf(afterwards, "waypost_channels_silent")).toBe(1);

  await sql`update channels set paused_at = now(), pause_reason = 'account_locked'`;
  expect(valueOf(await read(), 'waypost_channels_paused{reason="account_locked"}')).toBe(1);
  await sql`update channels set pause_reason = 'a reason of a newer version'`;
  expect(valueOf(await read(), 'waypost_channels_paused{reason="other"}')).toBe(1);
});

test("webhook endpoints are counted by how they fare, and what waits for one that can be reached is late", async () => {
  const { sql } = world;
  const url = "https://hooks.example.com/";
  const working = await addEndpoint(world.ctx, { url });
  const failing = await addEndpoint(world.ctx, {
    url,
    failingSince: new Date(),
    backoffStreak: 1,
    backoffUntil: new Date(),
    backoffSetAt: new Date(),
  });
  await addEndpoint(world.ctx, { url, disabledAt: new Date(), disabledReason: "gone" });
  await addEndpoint(world.ctx, { url, deletedAt: new Date() });
  for (const { id } of [working, failing]) await addDeliveries(world.ctx, id, 1);
  const late = (id: string) =>
    sql`update webhook_deliveries set next_attempt_at = now() - interval '90 s' where endpoint_id = ${id}`;
  await late(failing.id);
  const text = await read();
  expect(valueOf(text, 'waypost_webhook_endpoints{state="working"}')).toBe(1);
  expect(valueOf(text, 'waypost_webhook_endpoints{state="failing"}')).toBe(1);
  expect(valueOf(text, 'waypost_webhook_endpoints{state="disabled_gone"}')).toBe(1);
  expect(valueOf(text, 'waypost_webhook_endpoints{state="disabled_member"}')).toBe(0);
  expect(valueOf(text, "waypost_webhooks_oldest_due_seconds")).toBeLessThan(60);
  await late(working.id);
  expect(valueOf(await read(), "waypost_webhooks_oldest_due_seconds")).toBeGreaterThanOrEqual(90);
});

test("a part that can't be asked is left out and said to be, and the others are told", async () => {
  const { sql } = world;
  const { log, lines } = recordLog();
  const metrics = createMetrics();
  const refresh = createInstallationReader({ sql, metrics, log }, { freshForMs: 0 });
  await refresh();
  expect(valueOf(await metrics.text(), "waypost_callbacks_waiting_oldest_seconds")).not.toBeNull();
  await sql`alter table unmatched_statuses rename to elsewhere`;
  await refresh();
  await refresh();
  await sql`alter table elsewhere rename to unmatched_statuses`;
  const text = await metrics.text();
  expect(valueOf(text, 'waypost_installation_up{part="callbacks"}')).toBe(0);
  expect(valueOf(text, "waypost_callbacks_waiting_oldest_seconds")).toBeNull();
  expect(valueOf(text, 'waypost_installation_up{part="queue"}')).toBe(1);
  expect(valueOf(text, "waypost_queue_messages")).toBe(2);
  // Once, however often the query fails.
  expect(lines()).toMatchObject([{ level: "warn", part: "callbacks", err: { code: "42P01" } }]);
});

test("however many ask at once and soon after, the database is asked once", async () => {
  const begin = vi.spyOn(world.sql, "begin");
  const refresh = createInstallationReader({ ...world.services, sql: world.sql, metrics: createMetrics() });
  await Promise.all(Array.from({ length: 10 }, refresh));
  await refresh();
  expect(begin).toHaveBeenCalledTimes(INSTALLATION_PARTS.length);
  begin.mockRestore();
});

test("a table that is locked holds up no scrape, and is told of again once it is free", async () => {
  const { sql } = world;
  const { log, lines } = recordLog();
  const metrics = createMetrics();
  const refresh = createInstallationReader({ sql, metrics, log }, { refreshMaxMs: 300 });
  await sql.begin(async (tx) => {
    await tx`lock table channels in access exclusive mode`;
    // The lock is held until this is over.
    await refresh();
    expect(await partsUp(metrics)).toEqual(INSTALLATION_PARTS.map(() => 0));
    expect(lines()).toMatchObject([{ level: "warn", part: "queue" }]);
  });
  const isUp = async () => {
    await refresh();
    return (await partsUp(metrics)).every((up) => up === 1);
  };
  await until("every part is told", isUp);
});

test("without a database, and with one that takes connections and says nothing, all parts are down in time", async () => {
  const mute = createServer(() => undefined).listen(0, "127.0.0.1");
  await once(mute, "listening");
  const address = mute.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  for (const url of ["postgres://nobody@127.0.0.1:1/none", `postgres://nobody@127.0.0.1:${port}/none`]) {
    const sql = createPool({ url }, { name: "test", connectionsMax: 1 });
    const metrics = createMetrics();
    const { log } = recordLog();
    const startedAt = performance.now();
    await createInstallationReader({ sql, metrics, log }, { refreshMaxMs: 300 })();
    expect(performance.now() - startedAt).toBeLessThan(limitMs(2_000));
    expect(await partsUp(metrics)).toEqual(INSTALLATION_PARTS.map(() => 0));
    await sql.end({ timeout: 0 });
  }
  mute.close();
});
