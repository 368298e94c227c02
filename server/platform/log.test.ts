import { expect, test } from "vitest";
import { createLogger, type LoggerOptions } from "./log";

/** Returns the written form of a line. */
function logged(write: (log: ReturnType<typeof createLogger>) => void, options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const log = createLogger({
    level: "trace",
    ...options,
    destination: { write: (line) => lines.push(line) },
  });
  write(log);
  return lines.join("");
}

const KEY = `ak_live_${"k".repeat(49)}`;
const TOKEN = `EAA${"t".repeat(40)}`;

test.each<[string, object]>([
  ["deep in objects and arrays", { a: [{ b: { c: [{ accessToken: "MARK" }] } }] }],
  ["under a name in another spelling", { app_secret: "MARK", "X-Api-Key": "MARK", newPassword: ["MARK"] }],
  ["what people wrote", { message: { text: { body: "MARK" } }, caption: "MARK", params: ["MARK"] }],
  ["to whom", { to: "MARK", wa_id: "MARK", phone_number: "MARK" }],
  ["in a map", { headers: new Map([["authorization", "MARK"]]) }],
  ["as bytes", { raw: Buffer.from("MARK") }],
])("a secret is not logged: %s", (_, facts) => {
  expect(logged((log) => log.info(facts, "said"))).not.toMatch(/MARK|77,65,82,75/);
  expect(logged((log) => log.child({ ...facts }).info("said"))).not.toMatch(/MARK|77,65,82,75/);
});

test.each([
  ["a key", KEY],
  ["an access token of Meta's", TOKEN],
  ["a credential", "Bearer MARK.MARK"],
  ["an address with a token", "https://graph.example/v24.0/1?access_token=MARK&fields=x"],
  ["an address with a verify token", "/api/upstream?hub.verify_token=MARK"],
  ["an address with a password", "postgres://user:MA/RK@db.internal/waypost"],
])("a secret is not logged, wherever it stands: %s", (_, text) => {
  const secret = /MARK|MA\/RK|kkkk|tttt/;
  const reported = [
    logged((log) => log.warn(`failed at ${text} for good`)),
    logged((log) => log.warn({ reason: `failed at ${text} for good` }, "words")),
    logged((log) => log.warn({ err: new Error(`failed at ${text} for good`) }, "words")),
    logged((log) => log.error(new Error(`failed at ${text} for good`))),
  ];
  for (const line of reported) {
    expect(line).not.toMatch(secret);
    expect(() => JSON.parse(line)).not.toThrow();
  }
  expect(reported[0]).toContain("failed at");
});

function thrownBy(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("It should have thrown");
}

const POSTGRES = Object.assign(new Error('invalid input syntax for type uuid: "MARK"'), {
  name: "PostgresError",
  code: "22P02",
  query: "select MARK",
  parameters: ["MARK"],
});

test.each<[string, Error]>([
  ["JSON that couldn't be read", thrownBy(() => JSON.parse('{"MARK": MARK'))],
  ["a value that PostgreSQL couldn't take", POSTGRES],
  ["Drizzle's around it", new Error("Failed query: x\nparams: MARK", { cause: POSTGRES })],
  ["Drizzle's alone", new Error("Failed query: x\nparams: MARK,\nMARK")],
  [
    "a body that a schema refused",
    Object.assign(new Error("MARK"), {
      issues: [{ code: "unrecognized_keys", keys: ["MARK"], path: ["to"], message: "MARK" }],
    }),
  ],
])("an error is logged with its frames and without the values in it: %s", (_, error) => {
  for (const facts of [{ err: error }, { results: [{ error }] }]) {
    const line = logged((log) => log.error(facts, "failed"));
    expect(line).not.toContain("MARK");
    expect(line).toContain("log.test.ts");
  }
});

test.each([
  [
    "what wraps another, and what it passes on only once",
    new Error("fetch failed: no answer within 5000 ms", {
      cause: new Error("the call broke", { cause: new Error("the call broke: aborted") }),
    }),
    "fetch failed: no answer within 5000 ms: the call broke: aborted",
  ],
  [
    "a wrapper that repeats a value in its words",
    new Error(`not stored: ${POSTGRES.message}`, { cause: POSTGRES }),
    "not stored: invalid input syntax for type uuid: [redacted]",
  ],
  [
    "a wrapper of Drizzle's statement that repeats it",
    new Error("Failed query: x\nparams: MARK", {
      cause: new Error("Failed query: x\nparams: MARK", { cause: POSTGRES }),
    }),
    "invalid input syntax for type uuid: [redacted]",
  ],
  [
    "the first of several",
    new Error("no way", { cause: new AggregateError([new Error("refused")]) }),
    "no way: refused",
  ],
])("an error is told with the words of what wraps it, without values: %s", (_, err, message) => {
  expect(JSON.parse(logged((log) => log.error({ err }, "failed")))).toMatchObject({ err: { message } });
});

test("an error that has no frames is told with those of what wraps it", () => {
  const cause = Object.assign(new Error("bare"), { stack: "Error: bare" });
  const line = logged((log) => log.error({ err: new Error("around", { cause }) }, "failed"));
  expect(line).toContain("log.test.ts");
});

test("the frames of a package with @ in its name are kept as they are", () => {
  const frame = "    at call (file:///srv/node_modules/@trpc/server/index.mjs:1:2)";
  const err = Object.assign(new Error("x"), { stack: `Error: x\n${frame}` });
  expect(JSON.parse(logged((log) => log.error({ err }, "failed")))).toMatchObject({ err: { stack: frame } });
});

test("a line stays short whatever it is given, and a secret that is cut is still known as one", () => {
  const wide = Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => "x".repeat(3_000)));
  const names = Object.fromEntries(wide.map((_, n) => [`${n}${"n".repeat(5_000)}`, wide]));
  const long = `${"x".repeat(1_980)} postgres://user:MARK${"y".repeat(100)}@db.internal/waypost`;
  const line = logged((log) => log.warn({ reason: long, wide, names, deep: names }, long));
  expect(line.length).toBeLessThan(50_000);
  expect(line).not.toContain("MARK");
  expect(JSON.parse(line)).toMatchObject({ level: "warn", msg: expect.stringMatching(/^x+/) });
});

test("what helps is kept: ids, codes, words, times, and whatever is circular or endless is cut", () => {
  const circular: Record<string, unknown> = { messageId: "m-1" };
  circular.self = circular;
  const line = logged((log) =>
    log.warn({ circular, at: new Date(0), long: "x".repeat(10_000), nothing: null, status: 503 }, "words"),
  );
  expect(JSON.parse(line)).toMatchObject({
    level: "warn",
    msg: "words",
    status: 503,
    nothing: null,
    at: "1970-01-01T00:00:00.000Z",
    circular: { messageId: "m-1", self: "[circular]" },
  });
  expect(line.length).toBeLessThan(2_500);
});

test("each line that is written is counted by its level, and none that is absorbed or below the level", () => {
  const levels: string[] = [];
  logged(
    (log) => {
      log.debug("too low");
      log.warn("one");
      log.error("absorbed");
      log.child({}).error("two");
    },
    { level: "info", counts: (level) => levels.push(level), absorbs: ([words]) => words === "absorbed" },
  );
  expect(levels).toEqual(["warn", "error"]);
});
