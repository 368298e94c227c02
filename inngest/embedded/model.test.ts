import { Inngest } from "inngest";
import { describe, expect, test } from "vitest";
import { openTestWorld } from "@/server/domain/organizations/testing";
import { createFunctions } from "..";
import { modelOf } from "./model";

const options = {
  id: "job",
  triggers: [{ event: "test/event" }, { cron: "* * * * *" }],
  concurrency: { limit: 2, key: "event.data.channelId" },
  retries: 0,
  checkpointing: false,
};

describe("the executor's model of a function", () => {
  test("is its events, its cron and its concurrency", () => {
    expect(modelOf(options)).toEqual({
      id: "job",
      events: new Set(["test/event"]),
      everyMinutes: 1,
      concurrencyMax: 2,
      concurrencyField: "channelId",
    });
  });

  test("has a cron of each minute, of every tenth, or of each hour, or none", () => {
    expect(modelOf({ ...options, triggers: [{ cron: "*/10 * * * *" }] }).everyMinutes).toBe(10);
    expect(modelOf({ ...options, triggers: [{ cron: "0 * * * *" }] }).everyMinutes).toBe(60);
    expect(modelOf({ ...options, triggers: [{ event: "test/event" }] }).everyMinutes).toBeNull();
  });

  test.each([
    ["retries", { retries: 3 }],
    ["no word of retries", { retries: undefined }],
    ["checkpointing", { checkpointing: true }],
    ["a throttle", { throttle: { limit: 1, period: "1m" } }],
    ["a debounce", { debounce: { period: "1m" } }],
    ["batches", { batchEvents: { maxSize: 10, timeout: "1s" } }],
    ["idempotency", { idempotency: "event.data.id" }],
    ["a singleton", { singleton: { mode: "skip" } }],
    ["two limits", { concurrency: [{ limit: 1 }, { limit: 2, key: "event.data.x" }] }],
    ["a limit for the account", { concurrency: { limit: 1, scope: "account" } }],
    ["a key that is an expression", { concurrency: { limit: 1, key: "event.data.a + event.data.b" } }],
    ["a condition on its event", { triggers: [{ event: "x", if: "event.data.n > 1" }] }],
    ["another cron", { triggers: [{ cron: "0 3 * * *" }] }],
    ["no trigger", { triggers: [] }],
  ])("refuses one with %s, by its name, at start-up", (_, change) => {
    expect(() => modelOf({ ...options, ...change })).toThrow(/can't run the function job/);
  });

  test("knows every function of Waypost", async () => {
    const world = await openTestWorld();
    const received = () => undefined;
    const jobs = { ...world.services.jobs, received };
    const functions = createFunctions(new Inngest({ id: "waypost", isDev: true }), {
      services: world.services,
      jobs,
    });
    const models = functions.map((fn) => modelOf({ ...fn.opts }));
    await world.close();
    expect(models.map((model) => model.id).sort()).toEqual([
      "count-usage",
      "deliver-webhooks",
      "drain-channel",
      "enforce-retention",
      "process-callbacks",
      "sweep",
      "sweep-hourly",
      "sync-templates",
    ]);
    expect(models.every((model) => model.concurrencyMax === 1)).toBe(true);
  });
});
