import { describe, expect, test } from "vitest";
import { coalesceJobs, type CoalesceOptions, type JobSignal } from "./jobs";

/** Jobs with a clock that the test moves. */
function newJobs(isRunning = false, { holdMs }: Pick<CoalesceOptions, "holdMs"> = {}) {
  const sent: JobSignal[][] = [];
  let nowMs = 1_000_000;
  const jobs = coalesceJobs({
    notifyRunning: () => isRunning,
    send: async (signals) => void sent.push([...signals]),
    now: () => nowMs,
    holdMs,
  });
  return {
    jobs,
    /** The signals sent so far, by turn of the event loop. */
    sent: async () => {
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      return sent;
    },
    pass: (ms: number) => void (nowMs += ms),
    inMs: (ms: number) => new Date(nowMs + ms),
  };
}

const now = (channelId: string): JobSignal => ({ kind: "channel", id: channelId, at: null });

describe("wake-ups", () => {
  test("of one turn go out together, one per channel and one for its callbacks", async () => {
    const { jobs, sent } = newJobs();
    for (let i = 0; i < 100; i++) {
      jobs.notifyChannel("a");
      jobs.notifyChannel("b");
      jobs.notifyCallbacks("a");
    }
    expect(await sent()).toEqual([[now("a"), now("b"), { kind: "callbacks", id: "a", at: null }]]);
  });

  test("aren't repeated while one waits, and are sent again once it has arrived", async () => {
    const { jobs, sent, pass } = newJobs();
    jobs.notifyChannel("a");
    await sent();
    pass(100);
    jobs.notifyChannel("a");
    jobs.notifyCallbacks("a");
    await sent();
    jobs.notifyCallbacks("a");
    expect(await sent()).toEqual([[now("a")], [{ kind: "callbacks", id: "a", at: null }]]);
    jobs.received({ kind: "channel", id: "a" });
    jobs.received({ kind: "callbacks", id: "a" });
    jobs.notifyChannel("a");
    jobs.notifyCallbacks("a");
    expect((await sent())[2]).toEqual([now("a"), { kind: "callbacks", id: "a", at: null }]);
  });

  test("for later are sent with their time; of several the earliest wins", async () => {
    const { jobs, sent, inMs } = newJobs();
    const [soon, later] = [inMs(1_000), inMs(60_000)];
    jobs.notifyChannel("a", later);
    await sent();
    jobs.notifyChannel("a", soon);
    await sent();
    jobs.notifyChannel("a", later);
    expect((await sent()).flat()).toEqual([
      { kind: "channel", id: "a", at: later },
      { kind: "channel", id: "a", at: soon },
    ]);
  });

  test("for later that were dropped are sent again unless they are due by now", async () => {
    const { jobs, sent, pass, inMs } = newJobs();
    const later = inMs(60_000);
    jobs.notifyChannel("a", inMs(1_000));
    jobs.notifyChannel("b", later);
    await sent();
    pass(2_000);
    jobs.resend();
    const [, again] = await sent();
    expect(again).toEqual([{ kind: "channel", id: "b", at: later }]);
  });

  test("for now are never swallowed by one for later, within a turn or after it", async () => {
    const { jobs, sent, inMs } = newJobs();
    jobs.notifyChannel("a", inMs(60_000));
    jobs.notifyChannel("a");
    jobs.notifyChannel("b", inMs(60_000));
    await sent();
    jobs.notifyChannel("b");
    expect((await sent()).flat()).toContainEqual(now("a"));
    expect((await sent()).flat().at(-1)).toEqual(now("b"));
  });

  test("for a time that has passed are for now", async () => {
    const { jobs, sent, inMs } = newJobs();
    jobs.notifyChannel("a", inMs(-1));
    expect(await sent()).toEqual([[now("a")]]);
  });

  test("that another process runs, or that are lost, hold up none that comes after them for longer than a moment", async () => {
    const { jobs, sent } = newJobs(false, { holdMs: 50 });
    jobs.notifyChannel("a");
    jobs.notifyCallbacks("a");
    await sent();
    jobs.notifyChannel("a");
    jobs.notifyChannel("a");
    expect(await sent()).toHaveLength(1);
    await expect.poll(sent).toHaveLength(2);
    expect((await sent())[1]).toEqual([now("a")]);
  });

  test("that nobody asks for again are sent once", async () => {
    const { jobs, sent } = newJobs(false, { holdMs: 5 });
    for (const channelId of ["a", "b"]) jobs.notifyChannel(channelId);
    await sent();
    jobs.notifyChannel("a");
    await expect.poll(sent).toHaveLength(2);
    expect((await sent()).flat()).toEqual([now("a"), now("b"), now("a")]);
  });

  test("for now aren't swallowed by one for later that another process ran", async () => {
    const { jobs, sent, pass, inMs } = newJobs();
    jobs.notifyChannel("a", inMs(1_000));
    await sent();
    pass(1_001);
    jobs.notifyChannel("a");
    expect((await sent()).at(-1)).toEqual([now("a")]);
  });

  test("for later that were lost hold up none that is due after them", async () => {
    const { jobs, sent, pass, inMs } = newJobs();
    jobs.notifyChannel("a", inMs(10_000));
    await sent();
    pass(12_001);
    jobs.notifyChannel("a", inMs(500));
    expect(await sent()).toHaveLength(2);
  });

  test("that have arrived for now leave one for later in force", async () => {
    const { jobs, sent, inMs } = newJobs();
    jobs.notifyChannel("a", inMs(10_000));
    await sent();
    jobs.received({ kind: "channel", id: "a" });
    jobs.notifyChannel("a", inMs(20_000));
    expect(await sent()).toHaveLength(1);
  });

  test("for one later time don't pile up, however many come and go for now", async () => {
    const { jobs, sent, pass, inMs } = newJobs();
    const later = inMs(300_000);
    for (let i = 0; i < 100; i++) {
      jobs.notifyChannel("a");
      await sent();
      pass(10);
      jobs.received({ kind: "channel", id: "a" });
      jobs.notifyChannel("a", later);
      await sent();
    }
    const forLater = (await sent())
      .flat()
      .filter((signal) => signal.kind === "channel" && signal.at !== null);
    expect(forLater).toHaveLength(1);
  });

  test("for now reach a run of this process directly, those for later don't", async () => {
    const { jobs, sent, inMs } = newJobs(true);
    jobs.notifyChannel("a");
    expect(await sent()).toEqual([]);
    jobs.notifyChannel("a", inMs(1_000));
    expect(await sent()).toHaveLength(1);
  });
});
