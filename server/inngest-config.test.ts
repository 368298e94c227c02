import { describe, expect, test } from "vitest";
import { readConfig } from "./config";
import { configProblems } from "./config-testing";

const read = (env: Record<string, string>) => readConfig({ NODE_ENV: "test", ...env }, "/app").inngest;
const KEYS = { INNGEST_EVENT_KEY: "event-key", INNGEST_SIGNING_KEY: "signing-key" };

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
      signingKey: "signing-key",
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
    ["a signing key alone", { INNGEST_SIGNING_KEY: "hunter2" }, ["INNGEST_EVENT_KEY"]],
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
    expect(problems.join()).not.toContain("hunter2");
  });
});
