import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "@/server/platform/config";
import { openConversation, queueText } from "@/server/domain/messages/testing";
import { connectTestChannel, TEST_SECRET } from "@/server/domain/organizations/testing";
import {
  removeJobHeartbeat,
  recordJobHeartbeat,
  recordServerRan,
  recordSweep,
} from "@/server/core/queue/heartbeats";
import { checkJobs } from "./check-jobs";
import { about, type DoctorWorld, openDoctorWorld } from "./testing";

let world: DoctorWorld;
let channelId: string;
beforeAll(async () => {
  world = await openDoctorWorld(TEST_SECRET);
  channelId = await connectTestChannel(world.ctx);
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.database.sql`delete from installation where name <> 'secret_check'`;
  await world.database.sql`update messages set state = 'failed' where state = 'queued'`;
});

const sweep = async () => about(await checkJobs(world.installation), "sweep");
const due = async () => about(await checkJobs(world.installation), "due messages");

/** A message that has been due for this long. */
async function waitingFor(seconds: number): Promise<{ messageId: string; threadId: string }> {
  const { threadId } = await openConversation(world.ctx, channelId);
  const messageId = await queueText(world.ctx, threadId);
  await world.database.sql`
    update messages set next_attempt_at = now() - make_interval(secs => ${seconds}) where id = ${messageId}`;
  return { messageId, threadId };
}

async function heardAgo(seconds: number): Promise<void> {
  await world.database.sql`
    update installation set updated_at = now() - make_interval(secs => ${seconds}) where name like 'jobs_seen%'`;
}

async function sweptAgo(seconds: number): Promise<void> {
  await recordSweep(world.services);
  await world.database.sql`
    update installation set updated_at = now() - make_interval(secs => ${seconds}) where name = 'sweep_ran'`;
}

describe("the sweep", () => {
  test("is well while it runs", async () => {
    await recordJobHeartbeat(world.services);
    await sweptAgo(12);
    expect(await sweep()).toMatchObject({
      state: "ok",
      seen: expect.stringMatching(
        /^ran 12 s ago; the last heartbeat of a process that runs jobs was \d s ago$/,
      ),
    });
  });

  test("is pointed out when it comes late, and when nothing was heard for two turns of a process that runs jobs", async () => {
    await recordJobHeartbeat(world.services);
    await sweptAgo(42);
    expect(await sweep()).toMatchObject({ state: "warn", seen: expect.stringMatching(/^ran 42 s ago; /) });
    await sweptAgo(12);
    await heardAgo(15);
    expect(await sweep()).toMatchObject({
      state: "warn",
      seen: "ran 12 s ago; the last heartbeat of a process that runs jobs was 15 s ago",
      remedy: expect.stringContaining("run `doctor` again"),
    });
  });

  test("that ran just now is a failure once no process runs jobs any more, though nothing waits", async () => {
    await recordJobHeartbeat(world.services);
    await sweptAgo(12);
    await removeJobHeartbeat(world.services);
    expect(await sweep()).toMatchObject({
      state: "fail",
      seen: "ran 12 s ago; no process is running jobs, so no messages are sent",
      remedy: expect.stringContaining("Start Waypost"),
    });
  });

  test("fails where no process runs jobs, and where one says that it does", async () => {
    expect(await sweep()).toMatchObject({
      state: "fail",
      seen: expect.stringMatching(/^never ran; no process is running jobs/),
    });
    await sweptAgo(600);
    expect(await sweep()).toMatchObject({
      state: "fail",
      seen: expect.stringMatching(/^ran 10 min ago; no process/),
    });
    await recordJobHeartbeat(world.services);
    expect(await sweep()).toMatchObject({ state: "fail", seen: expect.stringContaining("10 min ago") });
  });
});

describe("due messages", () => {
  test.each([
    [5, "ok"],
    [120, "warn"],
    [700, "fail"],
  ])("of which one waits for %i seconds: %s", async (seconds, state) => {
    await recordJobHeartbeat(world.services);
    expect(await due()).toMatchObject({ state: "ok", seen: "none waits" });
    await waitingFor(seconds);
    const finding = await due();
    expect(finding.state).toBe(state);
    expect(finding.seen).toMatch(/^the oldest has been waiting for .*, on 1 channel in total$/);
  });

  test("fail at once where no process runs jobs", async () => {
    await waitingFor(1);
    expect(await due()).toMatchObject({
      state: "fail",
      seen: expect.stringContaining("no process is running jobs"),
    });
  });

  test("that wait for a reason of their own don't count", async () => {
    await recordJobHeartbeat(world.services);
    const { sql } = world.database;
    const doubted = await waitingFor(700);
    await sql`update messages set in_doubt_since = now() where id = ${doubted.messageId}`;
    const limited = await waitingFor(700);
    await sql`update conversations set blocked_until = now() + interval '1 minute' where id = ${limited.threadId}`;
    const later = await waitingFor(-60);
    const successor = await queueText(world.ctx, later.threadId);
    await sql`update messages set next_attempt_at = now() - interval '1 hour' where id = ${successor}`;
    expect(await due()).toMatchObject({ state: "ok", seen: "none waits" });
    await waitingFor(700);
    expect((await due()).state).toBe("fail");
    await sql`update channels set paused_at = now(), pause_reason = 'payment_required' where id = ${channelId}`;
    expect(await due()).toMatchObject({ state: "ok", seen: "none waits" });
    await sql`update channels set paused_at = null, pause_reason = null where id = ${channelId}`;
  });
});

describe("an Inngest server", () => {
  const env = { NODE_ENV: "test", INNGEST_DEV: "1" } as const;
  const { inngest } = readConfig(env, process.cwd());
  const findings = () => {
    const config = { ...world.installation.config, inngest };
    return checkJobs({ ...world.installation, config });
  };
  const server = async () => about(await findings(), "Inngest server");

  test("is looked for only where one is named", async () => {
    expect((await checkJobs(world.installation)).map(({ what }) => what)).toEqual(["sweep", "due messages"]);
    expect(await findings()).toHaveLength(3);
  });

  test("that runs none is told of with its address, both keys, and the address that it is to call", async () => {
    const keys = { INNGEST_EVENT_KEY: "hunter2", INNGEST_SIGNING_KEY: "c0ffee" };
    const addresses = {
      INNGEST_BASE_URL: "http://user:hunter2@inngest:8288",
      INNGEST_SERVE_ORIGIN: "http://jobs:3000",
    };
    const named = readConfig({ NODE_ENV: "test", ...keys, ...addresses }, process.cwd()).inngest;
    const config = { ...world.installation.config, inngest: named };
    const { remedy } = about(await checkJobs({ ...world.installation, config }), "Inngest server");
    for (const word of ["http://inngest:8288 ", "INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"]) {
      expect(remedy).toContain(word);
    }
    expect(remedy).toContain("http://jobs:3000 with /api/inngest");
    expect(remedy).not.toMatch(/hunter2|c0ffee/);
  });

  test("is well while it runs functions, and pointed out with who stands in for it when it doesn't", async () => {
    await recordJobHeartbeat(world.services);
    expect(await server()).toMatchObject({
      state: "warn",
      seen: "never ran a function; the processes that run jobs replace it for now",
      remedy: expect.stringContaining("/api/inngest"),
    });
    await recordServerRan(world.services);
    expect(await server()).toMatchObject({
      state: "ok",
      seen: expect.stringMatching(/^ran a function .* ago$/),
    });
    await world.database.sql`
      update installation set updated_at = now() - interval '40 seconds' where name = 'inngest_ran'`;
    await removeJobHeartbeat(world.services);
    expect(await server()).toMatchObject({
      state: "warn",
      seen: "ran a function 40 s ago; no process is running jobs, so no messages are sent",
    });
  });
});

test("while PostgreSQL runs for the examination alone no process is taken to run jobs, even if one was killed just now", async () => {
  await recordJobHeartbeat(world.services);
  await sweptAgo(1);
  await waitingFor(1);
  const database = { ...world.installation.database, via: "own" } as const;
  const findings = await checkJobs({ ...world.installation, database });
  const seen = expect.stringContaining("no process is running jobs");
  expect(about(findings, "sweep")).toMatchObject({ state: "warn", seen });
  expect(about(findings, "due messages")).toMatchObject({ state: "fail", seen });
});
