import { describe, expect, test } from "vitest";
import { readConfig } from "./config";
import { configProblems } from "./config-testing";

const read = (env: Record<string, string>) => readConfig({ NODE_ENV: "test", ...env }, "/app");
const SECRET = "0123456789abcdef0123456789abcdef";

describe("the configuration", () => {
  test("needs no variable at all", () => {
    expect(read({})).toMatchObject({
      port: 3000,
      dataDir: "/app/data",
      role: "all",
      publicApiMount: "node",
      sendSlots: 64,
      unconfirmedAfterSeconds: 900,
      databaseUrl: null,
      inngest: null,
    });
  });

  test("takes an empty value for an absent one", () => {
    expect(read({ PORT: "", DATABASE_URL: "", WAYPOST_SECRET: "" })).toEqual(read({}));
  });

  test.each([
    ["alone", {}, 0],
    ["attached to an owner", { WAYPOST_ATTACH: "/x" }, 5_000],
    ["on a database of its own", { DATABASE_URL: "postgres://h/d", WAYPOST_SECRET: SECRET }, 5_000],
    ["told to", { WAYPOST_DRAIN_SECONDS: "20" }, 20_000],
    ["told not to", { WAYPOST_ATTACH: "/x", WAYPOST_DRAIN_SECONDS: "0" }, 0],
  ])("lets a process that is %s drain as long as others may take over", (_, env, drainMs) => {
    expect(read(env).drainMs).toBe(drainMs);
  });

  test("names every wrong variable with what is expected of it, and repeats no value", () => {
    const problems = configProblems({
      PORT: "70000",
      WAYPOST_ROLE: "boss",
      WAYPOST_SECRET: "hunter2",
      LOG_LEVEL: "loud",
    });
    expect(problems.map((line) => line.split(" ")[0])).toEqual([
      "PORT",
      "WAYPOST_ROLE",
      "WAYPOST_SECRET",
      "LOG_LEVEL",
    ]);
    expect(problems.every((line) => line.includes(" must be "))).toBe(true);
    expect(problems.join()).not.toMatch(/hunter2|boss|70000|loud/);
  });

  test.each([
    ["DATABASE_URL without WAYPOST_SECRET", { DATABASE_URL: "postgres://u:pw@h/d" }, "WAYPOST_SECRET"],
    [
      "DATABASE_URL with WAYPOST_ATTACH",
      { DATABASE_URL: "postgres://u:pw@h/d", WAYPOST_SECRET: SECRET, WAYPOST_ATTACH: "/x" },
      "WAYPOST_ATTACH",
    ],
    ["an address that isn't http", { WAYPOST_GRAPH_URL: "ftp://x" }, "WAYPOST_GRAPH_URL"],
    ["another database than PostgreSQL", { DATABASE_URL: "mysql://x" }, "DATABASE_URL"],
    ["half a slot", { WAYPOST_SEND_SLOTS: "0.5" }, "WAYPOST_SEND_SLOTS"],
    [
      "a private host without its port",
      { ALLOWED_PRIVATE_HOSTS: "10.0.0.5:80,inbox" },
      "ALLOWED_PRIVATE_HOSTS",
    ],
    ["an address as a private host", { ALLOWED_PRIVATE_HOSTS: "http://inbox:80" }, "ALLOWED_PRIVATE_HOSTS"],
    ["no slot", { WAYPOST_SEND_SLOTS: "0" }, "WAYPOST_SEND_SLOTS"],
    ["a Redis that isn't one", { REDIS_URL: "https://:pw@h" }, "REDIS_URL"],
    ["a Redis's address that can't be read", { REDIS_URL: "redis://:pw@h:x" }, "REDIS_URL"],
    ["half of Upstash's variables", { UPSTASH_REDIS_REST_URL: "https://u" }, "UPSTASH_REDIS_REST_TOKEN"],
    ["the other half of them", { UPSTASH_REDIS_REST_TOKEN: "pw" }, "UPSTASH_REDIS_REST_URL"],
    [
      "a token that no header can carry",
      { UPSTASH_REDIS_REST_URL: "https://u", UPSTASH_REDIS_REST_TOKEN: "pw pw" },
      "UPSTASH_REDIS_REST_TOKEN",
    ],
    [
      "a Redis and Upstash",
      { REDIS_URL: "redis://:pw@h", UPSTASH_REDIS_REST_URL: "https://u", UPSTASH_REDIS_REST_TOKEN: "pw" },
      "REDIS_URL",
    ],
  ])("is refused with %s", (_, env, variable) => {
    const problems = configProblems(env);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${variable} must be`));
    expect(problems[0]).not.toContain("pw");
  });

  test("says what is wrong with a token that no header can carry", () => {
    const problems = configProblems({
      UPSTASH_REDIS_REST_URL: "https://u",
      UPSTASH_REDIS_REST_TOKEN: "one two",
    });
    expect(problems).toEqual([expect.stringMatching(/^UPSTASH_REDIS_REST_TOKEN must be .*without spaces$/)]);
  });

  test("takes private hosts in the form that URLs have", () => {
    const { allowedPrivateHosts } = read({
      ALLOWED_PRIVATE_HOSTS: "Inbox.Local:80, [0:0::1]:443,0x7f.1:8080",
    });
    expect([...allowedPrivateHosts]).toEqual(["inbox.local:80", "[::1]:443", "127.0.0.1:8080"]);
    expect(read({}).allowedPrivateHosts.size).toBe(0);
  });

  test("counts units in PostgreSQL unless a Redis or an Upstash is named", () => {
    expect(read({}).limiter).toEqual({ kind: "postgres" });
    expect(read({ REDIS_URL: "rediss://u:p%40@h:6380/2" }).limiter).toEqual({
      kind: "redis",
      url: "rediss://u:p%40@h:6380/2",
    });
    const upstash = { UPSTASH_REDIS_REST_URL: "https://u.example.com", UPSTASH_REDIS_REST_TOKEN: "AX==" };
    expect(read(upstash).limiter).toEqual({ kind: "upstash", url: "https://u.example.com", token: "AX==" });
  });

  test("cuts the slash at the end of addresses, and works with absolute directories", () => {
    const config = read({ WAYPOST_GRAPH_URL: "https://graph.example.com//", WAYPOST_ATTACH: "run" });
    expect(config.graphUrl).toBe("https://graph.example.com");
    expect(config.attachTo).toBe(config.dataDir);
    expect(config.dataDir).toMatch(/^\/.*run$/);
  });
});
