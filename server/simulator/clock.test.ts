import { randomUUID } from "node:crypto";
import { onTestFinished, expect, test } from "vitest";
import { call, type Answer, send, startForTest, startWithReceiver, textMessage } from "./testing";
import type { Simulator } from "./start";

const HOUR_MS = 3_600_000;
const LATE = "4915112399044";
const LATE_MS = 30_000;

const advance = (simulator: Simulator, by: unknown) => call(simulator, "POST", "/clock", { advance: by });

async function aheadSeconds(simulator: Simulator): Promise<unknown> {
  const { body } = await call(simulator, "GET", "/clock");
  return body;
}

test("advancing the clock sends the callbacks that are due by then at once, with the times at which they were due", async () => {
  const { simulator, receiver } = await startWithReceiver();
  const sentAtMs = Date.now();
  expect((await send(simulator, textMessage(LATE))).status).toBe(200);
  const moved = await advance(simulator, "12h");
  expect(moved).toMatchObject({ status: 200, body: { ahead_seconds: 12 * 3600, followers: [] } });
  await expect
    .poll(() => receiver.statuses().map(({ status }) => status))
    .toEqual(["sent", "delivered", "read"]);
  const times = receiver.statuses().map(({ timestamp }) => Number(timestamp) * 1000 - sentAtMs);
  for (const afterMs of times) expect(Math.abs(afterMs - LATE_MS)).toBeLessThan(5_000);
});

test("a callback that is due in the skipped time is sent, however long that was", async () => {
  const { simulator, receiver } = await startWithReceiver();
  expect((await send(simulator, textMessage(LATE))).status).toBe(200);
  expect((await advance(simulator, "30d")).status).toBe(200);
  await expect.poll(() => receiver.statuses().length).toBe(3);
});

test("the clock can be ten years ahead at most", async () => {
  const { simulator } = await startWithReceiver();
  for (let time = 0; time < 40; time++) expect((await advance(simulator, "90d")).status).toBe(200);
  expect(await advance(simulator, "90d")).toMatchObject({
    status: 400,
    body: { error: { field: "advance" } },
  });
  expect((await call(simulator, "GET", "/clock")).status).toBe(200);
});

test("what happens after that has the moved time, also after a restart", async () => {
  const { simulator, receiver, directory } = await startWithReceiver();
  await advance(simulator, "1d12h");
  await simulator.stop();
  const again = await startForTest(directory);
  expect(await aheadSeconds(again)).toMatchObject({ ahead_seconds: 36 * 3600 });
  expect((await send(again, textMessage("4915112345678"))).status).toBe(200);
  await expect.poll(() => receiver.statuses().length).toBe(3);
  for (const { timestamp } of receiver.statuses())
    expect(Math.abs(Number(timestamp) * 1000 - Date.now() - 36 * HOUR_MS)).toBeLessThan(60_000);
});

test("an upload expires 30 days later, by the moved clock", async () => {
  const { simulator } = await startWithReceiver();
  const form = new FormData();
  form.set("messaging_product", "whatsapp");
  form.set("file", new Blob(["%PDF-1.4"], { type: "application/pdf" }), "a.pdf");
  const headers = { authorization: "Bearer token-of-the-test" };
  const uploaded = await fetch(`${simulator.url}/v23.0/106540352242922/media`, {
    method: "POST",
    body: form,
    headers,
  });
  const { id } = (await uploaded.json()) as { id: string };
  const exists = async () => (await fetch(`${simulator.url}/v23.0/${id}`, { headers })).status;
  await advance(simulator, "29d");
  expect(await exists()).toBe(200);
  await advance(simulator, "1d1s");
  expect(await exists()).toBe(400);
});

test.each(["", "0s", "12", "-1h", "1h30", "91d", "1h1d", "PT1H", 3600, null])(
  "%j is refused as a duration, and moves nothing",
  async (by) => {
    const { simulator } = await startWithReceiver();
    expect(await advance(simulator, by)).toMatchObject({
      status: 400,
      body: { error: { field: "advance" } },
    });
    expect(await aheadSeconds(simulator)).toMatchObject({ ahead_seconds: 0 });
  },
);

interface State {
  readonly ahead_ms: number;
  readonly move: { to_ms: number; step: "ask" | "go" } | null;
}

/** A program that follows the clock. `refusal`: why it refuses each move. */
function follower(simulator: Simulator, name: string, refusal: string | null = null) {
  const leaving = new AbortController();
  const seen: State[] = [];
  const own = { aheadMs: 0 };
  const follow = async () => {
    const id = randomUUID();
    for (let answer: object | null = null; !leaving.signal.aborted;) {
      const response = await fetch(`${simulator.url}/clock/follow`, {
        method: "POST",
        body: JSON.stringify({ id, name, ahead_ms: own.aheadMs, answer }),
        signal: leaving.signal,
      });
      const state = (await response.json()) as State;
      seen.push(state);
      const { move, ahead_ms } = state;
      answer = move?.step === "ask" ? { to_ms: move.to_ms, refusal } : null;
      own.aheadMs = Math.max(own.aheadMs, move?.step === "go" ? move.to_ms : ahead_ms);
    }
  };
  const ended = follow().catch(() => undefined);
  const leave = async () => {
    leaving.abort();
    await ended;
  };
  onTestFinished(leave);
  return { seen, own, leave };
}

const followers = async (simulator: Simulator) =>
  ((await aheadSeconds(simulator)) as { followers: string[] }).followers.toSorted();

test("programs that follow the clock are asked, move before the simulator does, and learn when it has moved", async () => {
  const { simulator } = await startWithReceiver();
  const both = [follower(simulator, "one"), follower(simulator, "two")];
  await expect.poll(() => followers(simulator)).toEqual(["one", "two"]);
  for (const hours of [1, 2]) {
    expect(await advance(simulator, "1h")).toMatchObject({ status: 200 });
    const to_ms = hours * HOUR_MS;
    const before = to_ms - HOUR_MS;
    for (const { seen, own } of both) {
      expect(own.aheadMs).toBe(to_ms);
      await expect.poll(() => seen.at(-1)).toEqual({ ahead_ms: to_ms, move: null });
      expect(seen.slice(-3, -1)).toEqual([
        { ahead_ms: before, move: { to_ms, step: "ask" } },
        { ahead_ms: before, move: { to_ms, step: "go" } },
      ]);
    }
  }
});

test("if one of them refuses, nobody's clock moves, and the answer has the reason", async () => {
  const { simulator } = await startWithReceiver();
  const refusing = follower(simulator, "the shop", "it serves a real number");
  const willing = follower(simulator, "willing");
  await expect.poll(() => followers(simulator)).toEqual(["the shop", "willing"]);
  const refused: Answer = await advance(simulator, "1h");
  expect(refused).toEqual({
    status: 409,
    body: { error: { message: "the clock was not moved: the shop: it serves a real number" } },
  });
  expect(await aheadSeconds(simulator)).toMatchObject({ ahead_seconds: 0 });
  expect([willing, refusing].map(({ own }) => own.aheadMs)).toEqual([0, 0]);
  await refusing.leave();
  await expect.poll(() => followers(simulator)).toEqual(["willing"]);
  expect(await advance(simulator, "1h")).toMatchObject({ status: 200 });
  expect(willing.own.aheadMs).toBe(HOUR_MS);
});

test("a simulator that starts anew catches up with a program whose clock is ahead", async () => {
  const { simulator } = await startWithReceiver();
  const ahead = follower(simulator, "ahead");
  ahead.own.aheadMs = 5 * HOUR_MS;
  await expect.poll(() => aheadSeconds(simulator)).toMatchObject({ ahead_seconds: 5 * 3600 });
  expect(await advance(simulator, "1h")).toMatchObject({ status: 200, body: { ahead_seconds: 6 * 3600 } });
});
