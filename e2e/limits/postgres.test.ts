import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Api, type ApiAnswer, openApi } from "@/e2e/support/api";
import { until } from "@/e2e/support/until";
import { limitHeaders, type LimitsWorld, openLimitsWorld } from "./world";

const LIMIT = 60;
/** If set, the test really waits as long as a refusal says, instead of moving the window into the past. */
const IN_REAL_TIME = process.env.LIMITS_IN_REAL_TIME !== undefined;

let world: LimitsWorld;

beforeAll(async () => void (world = await openLimitsWorld()));
afterAll(() => world?.close());

function count(answers: readonly ApiAnswer[], status: number): number {
  return answers.filter((answer) => answer.status === status).length;
}

describe("two processes on PostgreSQL", () => {
  let apis: readonly [Api, Api];
  beforeAll(async () => {
    const { server } = world;
    apis = [await openApi(server.baseUrl), await openApi((await server.secondProcess()).baseUrl)];
  });

  const either = (index: number) => apis[index % 2 === 0 ? 0 : 1];

  /** Simulates that many seconds passing for the window of a key. */
  async function pass(keyId: string, seconds: number): Promise<void> {
    if (IN_REAL_TIME) {
      const endMs = performance.now() + seconds * 1000;
      await until("the wait is over", () => performance.now() >= endMs, { timeoutMs: 2_000 * seconds });
      return;
    }
    const aged = await world.sql`
      update rate_windows set last_second = last_second - ${seconds},
        counts = (select array_agg(counts[1 + (i + ${seconds}) % 61] order by i) from generate_series(0, 60) i)
      where subject = ${keyId} and bucket = 'send' returning 1`;
    expect(aged).toHaveLength(1);
  }

  it("accept 60 new messages of a key a minute, whatever repeats and conflicts come between, and one after the wait", async () => {
    const { id: keyId, secret } = await world.newKey();
    const ids = Array.from({ length: LIMIT }, () => randomUUID());
    for (const [index, id] of ids.entries()) {
      expect((await world.send(either(index), secret, id)).status).toBe(201);
      if (index % 6 !== 0) continue;
      const [repeat, conflict] = await Promise.all([
        world.send(either(index + 1), secret, id),
        world.send(either(index), secret, id, "Other"),
      ]);
      expect([repeat.status, conflict.status]).toEqual([200, 409]);
      expect({ ...limitHeaders(repeat), ...limitHeaders(conflict) }).toEqual({});
    }
    const refused = await world.send(apis[1], secret);
    expect(refused).toMatchObject({ status: 429, code: "rate_limited" });
    expect(limitHeaders(refused)).toEqual({
      "retry-after": expect.stringMatching(/^([1-9]|[1-5][0-9]|6[01])$/),
      "x-ratelimit-limit": String(LIMIT),
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": expect.stringMatching(/^[0-9]{10}$/),
    });
    expect((await world.send(apis[0], secret, ids[0])).status).toBe(200);
    expect((await world.send(apis[1], secret, ids[1], "Other")).status).toBe(409);

    await pass(keyId, Number(limitHeaders(refused)["retry-after"]));
    expect((await world.send(apis[0], secret)).status).toBe(201);
  });

  it("accept 60 of 100 that come at the same time", async () => {
    const { secret } = await world.newKey();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => world.send(either(index), secret)),
    );
    expect([count(answers, 201), count(answers, 429)]).toEqual([LIMIT, 40]);
  });
});
