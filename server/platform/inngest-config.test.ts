import { describe, expect, test } from "vitest";
import { readConfig } from "./config";
import { configProblems } from "./config-testing";

const read = (env: Record<string, string>) => readConfig({ NODE_ENV: "test", ...env }, "/app").inngest;
const KEYS = { INNGEST_EVENT_KEY: "event-key", INNGEST_SIGNING_KEY: "signkey-test-00aaff" };

describe("an Inngest server", () => {
  test("is named by its address and the two keys, and calls the public address", () => {
    const env = {
      ...KEYS,
      INNGEST_BASE_URL: "http://inngest:8288",
      WAYPOST_PUBLIC_URL: "https://w.example/x",
    };
    expect(read(env)).toEqual({
      isDev: false,
      baseUrl: "http://inngest:8288",
      eventKey: "event-key",
      signingKey: "signkey-test-00aaff",
      signingKeyFallback: null,
      serveOrigin: "https://w.example",
    });
    const inside = read({ ...env, INNGEST_SERVE_ORIGIN: "http://waypost:3000", INNGEST_DEV: "0" });
    expect(inside).toMatchObject({ isDev: false, serveOrigin: "http://waypost:3000" });
  });

  test("is Inngest Cloud when only keys are given, which must be told where it reaches us", () => {
    expect(read({ ...KEYS, WAYPOST_PUBLIC_URL: "https://w.example" })).toMatchObject({ baseUrl: null });
    expect(configProblems(KEYS)).toEqual([
      expect.stringMatching(/^INNGEST_SERVE_ORIGIN must be .* Inngest Cloud/),
    ]);
  });

  test.each(["c0ffee", "C0FFEE", "signkey-prod-c0ffee", "signkey-branch-c0ffee"])(
    "takes %s for a signing key, as Inngest Cloud and a server of one's own have them",
    (key) => {
      const env = { ...KEYS, INNGEST_BASE_URL: "http://inngest:8288" };
      const keys = { INNGEST_SIGNING_KEY: key, INNGEST_SIGNING_KEY_FALLBACK: key };
      expect(read({ ...env, ...keys })).toMatchObject({ signingKey: key, signingKeyFallback: key });
    },
  );

  test("calls a process that only runs jobs where it is told to; a dev server calls where that process listens", () => {
    const role = { WAYPOST_ROLE: "jobs" };
    const env = { ...KEYS, ...role, INNGEST_BASE_URL: "http://inngest:8288" };
    expect(read({ ...env, INNGEST_SERVE_ORIGIN: "http://jobs:3000" })?.serveOrigin).toBe("http://jobs:3000");
    expect(read({ ...role, INNGEST_DEV: "1" })?.serveOrigin).toBeNull();
  });

  test.each(["1", "true"])("is a dev server on this machine with INNGEST_DEV=%s, without keys", (dev) => {
    expect(read({ INNGEST_DEV: dev })).toMatchObject({
      isDev: true,
      baseUrl: "http://127.0.0.1:8288",
      eventKey: null,
    });
  });

  test("is a dev server at the address that INNGEST_DEV gives", () => {
    expect(read({ INNGEST_DEV: "http://dev:9000" })).toMatchObject({
      isDev: true,
      baseUrl: "http://dev:9000",
    });
  });

  test.each(["0", "false"])("isn't named by INNGEST_DEV=%s, nor by where it would call us", (dev) => {
    expect(read({ INNGEST_DEV: dev, INNGEST_SERVE_ORIGIN: "http://waypost:3000" })).toBeNull();
  });

  test.each([
    ["an event key alone", { INNGEST_EVENT_KEY: "hunter2" }, ["INNGEST_SIGNING_KEY"]],
    ["a signing key alone", { INNGEST_SIGNING_KEY: "c0ffee" }, ["INNGEST_EVENT_KEY"]],
    [
      "a fallback alone",
      { INNGEST_SIGNING_KEY_FALLBACK: "c0ffee" },
      ["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"],
    ],
    [
      "a fallback without its key",
      { INNGEST_EVENT_KEY: "e", INNGEST_SIGNING_KEY_FALLBACK: "c0ffee" },
      ["INNGEST_SIGNING_KEY"],
    ],
    ["a signing key that isn't one", { ...KEYS, INNGEST_SIGNING_KEY: "hunter2" }, ["INNGEST_SIGNING_KEY"]],
    ["a signing key with half a byte", { ...KEYS, INNGEST_SIGNING_KEY: "c0ffee0" }, ["INNGEST_SIGNING_KEY"]],
    ["a prefix without its key", { ...KEYS, INNGEST_SIGNING_KEY: "signkey-prod-" }, ["INNGEST_SIGNING_KEY"]],
    [
      "a fallback that isn't one",
      { ...KEYS, INNGEST_SIGNING_KEY_FALLBACK: "hunter2" },
      ["INNGEST_SIGNING_KEY_FALLBACK"],
    ],
    [
      "the public address alone for processes that only run jobs",
      {
        ...KEYS,
        INNGEST_BASE_URL: "http://hunter2",
        WAYPOST_PUBLIC_URL: "http://hunter2",
        WAYPOST_ROLE: "jobs",
      },
      ["INNGEST_SERVE_ORIGIN"],
    ],
    [
      "an address alone",
      { INNGEST_BASE_URL: "http://hunter2" },
      ["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"],
    ],
    ["a switch that isn't one", { INNGEST_DEV: "hunter2" }, ["INNGEST_DEV"]],
    ["a path beside the origin", { INNGEST_SERVE_ORIGIN: "http://hunter2/path" }, ["INNGEST_SERVE_ORIGIN"]],
  ])("is refused with %s, without repeating its value", (_, env: Record<string, string>, variables) => {
    const problems = configProblems(env);
    expect(problems.map((line) => line.split(" must be ")[0])).toEqual(variables);
    expect(problems.join()).not.toMatch(/hunter2|c0ffee/);
  });
});
