import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing";
import { isWaypostError } from "@/server/platform/errors";
import { createLogger } from "@/server/platform/log";
import { createLimits, type LimiterStore, type Limits } from "./limits";
import { createPostgresStore } from "./postgres";

let database: TestDatabase;

beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

const log = createLogger({ level: "silent" });

/** The PostgreSQL store, with a count of its statements. */
function counted(): { limits: Limits; statements: () => number; store: LimiterStore } {
  const store = createPostgresStore(database.sql);
  let statements = 0;
  const take: LimiterStore["take"] = (...args) => {
    statements += 1;
    return store.take(...args);
  };
  const countedStore = { ...store, take };
  return { limits: createLimits(countedStore, log), statements: () => statements, store: countedStore };
}

async function outcomes(takes: readonly Promise<unknown>[]) {
  const settled = await Promise.allSettled(takes);
  const refused = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  return { granted: settled.length - refused.length, refused };
}

describe("concurrent takes of one key", () => {
  test("are few statements, and each caller is told what is left after it", async () => {
    const { limits, statements } = counted();
    const key = randomUUID();
    const tickets = await Promise.all(Array.from({ length: 50 }, () => limits.take(key, "send", 60)));
    expect(statements()).toBeLessThanOrEqual(2);
    const remaining = tickets.map((ticket) =>
      ticket.kind === "granted" ? Number(ticket.headers["X-RateLimit-Remaining"]) : Number.NaN,
    );
    expect([...remaining].sort((a, b) => b - a)).toEqual(Array.from({ length: 50 }, (_, i) => 59 - i));
  });

  test("beyond the limit are refused, and only those", async () => {
    const { limits } = counted();
    const key = randomUUID();
    const { granted, refused } = await outcomes(
      Array.from({ length: 61 }, () => limits.take(key, "send", 60)),
    );
    expect(granted).toBe(60);
    expect(refused.map((error) => isWaypostError(error) && error.code)).toEqual(["rate_limited"]);
  });

  test("of two processes share one limit", async () => {
    const [one, other] = [counted().limits, counted().limits];
    const key = randomUUID();
    const { granted } = await outcomes(
      Array.from({ length: 80 }, (_, index) => (index % 2 ? one : other).take(key, "send", 60)),
    );
    expect(granted).toBe(60);
  });

  test("that read different limits are each held to their own", async () => {
    const { limits } = counted();
    const key = randomUUID();
    const high = Array.from({ length: 10 }, () => limits.take(key, "send", 60));
    const low = Array.from({ length: 10 }, () => limits.take(key, "send", 5));
    expect((await outcomes(high)).granted).toBe(10);
    expect((await outcomes(low)).granted).toBe(0);
  });
});

describe("a refusal", () => {
  test("says when to come again, in Retry-After and the three headers of the limit", async () => {
    const { limits } = counted();
    const key = randomUUID();
    await limits.take(key, "send", 1);
    const error = await limits.take(key, "send", 1).catch((error: unknown) => error);
    if (!isWaypostError(error)) throw new Error("It wasn't refused");
    const { headers, resendAfter } = error;
    expect(Object.keys(headers).sort()).toEqual([
      "Retry-After",
      "X-RateLimit-Limit",
      "X-RateLimit-Remaining",
      "X-RateLimit-Reset",
    ]);
    expect(headers).toMatchObject({ "X-RateLimit-Limit": "1", "X-RateLimit-Remaining": "0" });
    expect(headers["Retry-After"]).toMatch(/^\d+$/);
    expect(Number(headers["Retry-After"])).toBeLessThanOrEqual(61);
    expect(Number(headers["X-RateLimit-Reset"]) * 1000).toBe(resendAfter?.getTime());
  });
});

test("a unit given back twice is given back once", async () => {
  const { store } = counted();
  const given: number[] = [];
  const refund: LimiterStore["refund"] = async (...args) => void given.push(args[3]);
  const ticket = await createLimits({ ...store, refund }, log).take(randomUUID(), "send", 5);
  if (ticket.kind !== "granted") throw new Error("The unit wasn't granted");
  ticket.refund();
  ticket.refund();
  expect(given).toEqual([1]);
});

test("a unit given back is another request's", async () => {
  const { limits } = counted();
  const key = randomUUID();
  const ticket = await limits.take(key, "send", 1);
  if (ticket.kind !== "granted") throw new Error("The unit wasn't granted");
  ticket.refund();
  await expect
    .poll(() =>
      limits.take(key, "send", 1).then(
        (next) => next.kind,
        () => "refused",
      ),
    )
    .toBe("granted");
});

describe("a store that fails", () => {
  test("lets every waiting request through without headers, counted, and limits again when it is back", async () => {
    const { store } = counted();
    let isBroken = true;
    const take: LimiterStore["take"] = (...args) =>
      isBroken ? Promise.reject(new Error("the store is away")) : store.take(...args);
    const limits = createLimits({ ...store, take }, log);
    const key = randomUUID();
    const tickets = await Promise.all(Array.from({ length: 5 }, () => limits.take(key, "send", 1)));
    expect(tickets).toEqual(Array.from({ length: 5 }, () => ({ kind: "letThrough" })));
    expect(limits.failures()).toBe(5);
    isBroken = false;
    const { granted } = await outcomes([limits.take(key, "send", 1), limits.take(key, "send", 1)]);
    expect(granted).toBe(1);
    expect(limits.failures()).toBe(5);
  });

  test("by never answering lets the request through, doesn't hold the key up, and costs it nothing", async () => {
    const { store } = counted();
    const key = randomUUID();
    let answer: () => void = () => undefined;
    const hung = new Promise<void>((resolve) => (answer = resolve));
    let takes = 0;
    const given: number[] = [];
    const hanging: LimiterStore = {
      ...store,
      async take(...args) {
        takes += 1;
        if (takes === 1) await hung;
        return store.take(...args);
      },
      async refund(...args) {
        await store.refund(...args);
        given.push(args[3]);
      },
    };
    const limits = createLimits({ ...hanging, answerTimeoutMs: 50 }, log);
    expect((await limits.take(key, "send", 1)).kind).toBe("letThrough");
    answer();
    await expect.poll(() => given).toEqual([1]);
    expect((await limits.take(key, "send", 1)).kind).toBe("granted");
  });

  test("by never answering lets those through, too, who came while it was waited for", async () => {
    const { store } = counted();
    let takes = 0;
    const take: LimiterStore["take"] = () => {
      takes += 1;
      return new Promise(() => undefined);
    };
    const limits = createLimits({ ...store, take, answerTimeoutMs: 50 }, log);
    const key = randomUUID();
    const tickets = await Promise.all([limits.take(key, "send", 1), limits.take(key, "send", 1)]);
    expect(tickets).toEqual([{ kind: "letThrough" }, { kind: "letThrough" }]);
    const behind = [limits.take(key, "send", 1)];
    behind.push(limits.take(key, "send", 2), limits.take(key, "send", 1));
    expect(await Promise.all(behind)).toHaveLength(3);
    expect({ takes, failures: limits.failures() }).toEqual({ takes: 2, failures: 5 });
  });

  test("when giving back harms nobody", async () => {
    const { store } = counted();
    const limits = createLimits({ ...store, refund: () => Promise.reject(new Error("away")) }, log);
    const key = randomUUID();
    const ticket = await limits.take(key, "send", 2);
    if (ticket.kind !== "granted") throw new Error("The unit wasn't granted");
    ticket.refund();
    expect((await limits.take(key, "send", 2)).kind).toBe("granted");
  });
});
