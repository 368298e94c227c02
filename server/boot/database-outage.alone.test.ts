import { Writable } from "node:stream";
import pino from "pino";
import postgres from "postgres";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createDatabaseOutages } from "./database-outage";

let lines: { level: number; msg: string; err?: unknown }[];
let outages: ReturnType<typeof createDatabaseOutages>;
let log: pino.Logger;

beforeEach(() => {
  lines = [];
  outages = createDatabaseOutages();
  const destination = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const hooks: pino.LoggerOptions["hooks"] = {
    logMethod(args, method) {
      if (!outages.absorbs(args)) method.apply(this, args);
    },
  };
  log = pino({ hooks }, destination);
});
afterEach(() => vi.useRealTimers());

const messages = () => lines.map((line) => line.msg);

/** The driver's own error of a statement when no server listens. */
async function failureOfStatement(): Promise<unknown> {
  const sql = postgres({ host: "127.0.0.1", port: 1, max: 1 });
  const failure = await sql`select 1`.catch((error: unknown) => error);
  await sql.end({ timeout: 0 });
  return failure;
}

const AWAY = "the database is unavailable: unfinished work continues when it is available again";

describe("an outage of the database", () => {
  test("is one warning without a stack and one line when it is over, however much fails; the next is told again", async () => {
    const failure = await failureOfStatement();
    let isBack = false;
    vi.useFakeTimers();
    const watched = outages.watch(log, () =>
      isBack ? Promise.resolve() : Promise.reject(new Error("still away")),
    );
    for (let n = 0; n < 3; n++) {
      log.error({ err: failure, step: n }, "a step failed");
      log.child({ part: "x" }).warn({ err: new Error("query failed", { cause: failure }) }, "a job failed");
    }
    await vi.advanceTimersByTimeAsync(1_000);
    expect(messages()).toEqual([AWAY]);
    expect(lines[0]).toMatchObject({ level: 40, cause: expect.stringContaining("ECONNREFUSED") });
    expect(JSON.stringify(lines)).not.toContain(" at ");

    isBack = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(messages()).toEqual([AWAY, "the database is reachable again"]);
    expect(lines[1]).toMatchObject({ level: 30, awayMs: expect.any(Number) });

    log.error({ err: failure }, "a step failed");
    expect(messages().at(-1)).toBe(AWAY);
    await watched.stop();
  });

  test("hides no failure of anything else, and nothing where it isn't watched", async () => {
    const failure = await failureOfStatement();
    const elsewhere = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    const wrong = Object.assign(new Error("no such column"), { code: "42703", query: "select" });
    const reported: string[] = [];
    const report = (err: unknown, name: string) => {
      log.warn({ err }, name);
      reported.push(name);
    };
    report(failure, "before it is watched");
    const watched = outages.watch(log, () => Promise.resolve());
    report(elsewhere, "another connection that was refused");
    report(wrong, "a statement that is wrong");
    log.warn("words alone");
    await watched.stop();
    report(failure, "after the watch has ended");
    expect(messages()).toEqual([...reported.slice(0, 3), "words alone", reported[3]]);
  });
});
