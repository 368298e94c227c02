import { Writable } from "node:stream";
import { eventType } from "inngest";
import { serve } from "inngest/edge";
import pino from "pino";
import { expect, test } from "vitest";
import { z } from "zod";
import { callFunction } from "./calls/testing";
import { createInngestClient } from "./client";
import { DEV_SERVER } from "./testing";
import { createSdkLogger } from "./sdk-logger";

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly err?: { type: string; message: string; stack: string };
  readonly eventName?: string;
}

function gatheringLog(): { log: pino.Logger; lines: Line[] } {
  const lines: Line[] = [];
  const destination = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  return { log: pino({ level: "info" }, destination), lines };
}

test("a step that fails is logged once, with its event and its error's name, message and stack", async () => {
  const { log, lines } = gatheringLog();
  const client = createInngestClient({ inngest: DEV_SERVER, log });
  const failing = eventType("test/failing", { schema: z.object({}) });
  const fn = client.createFunction(
    { id: "failing", triggers: [failing], concurrency: { limit: 1 }, retries: 0, checkpointing: false },
    async ({ step }) => {
      await step.run("work", () => Promise.reject(new RangeError("too far")));
    },
  );
  const handler = serve({ client, functions: [fn] });
  await expect(callFunction(handler, "waypost-failing", { name: failing.name, data: {} })).rejects.toThrow(
    "too far",
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    level: 50,
    eventName: "test/failing",
    err: { type: "RangeError", message: "too far", stack: expect.stringContaining("client.test.ts") },
  });
  expect(lines[0]?.msg).not.toContain("[object");
});

test("the SDK's lines are told whatever they begin with; what it says of every run is not", () => {
  const { log, lines } = gatheringLog();
  const logger = createSdkLogger(log);
  logger.info("quiet");
  logger.debug({ quiet: true }, "quiet");
  logger.warn("a", 1, null);
  logger.error(new Error("bare"), "with words");
  logger.warn({ attempts: 2 }, "with facts");
  expect(lines).toMatchObject([
    { level: 40, msg: "a 1 null" },
    { level: 50, msg: "with words", err: { message: "bare" } },
    { level: 40, msg: "with facts", attempts: 2 },
  ]);
});

test("that callers' signatures are wrong is told once, by the key's name, however many they are, and other errors each time", () => {
  const { log, lines } = gatheringLog();
  const logger = createSdkLogger(log);
  const err = new Error("Invalid signature");
  for (let i = 0; i < 100; i++) logger.error({ err, method: "POST" }, "Signature validation failed");
  logger.error({ method: "POST" }, "another");
  logger.error({ method: "POST" }, "another");
  const [refused, ...others] = lines;
  expect(refused).toMatchObject({ level: 40, reason: "Invalid signature" });
  expect(refused?.msg).toContain("INNGEST_SIGNING_KEY");
  expect(refused).not.toHaveProperty("err");
  expect(others.map(({ msg }) => msg)).toEqual(["another", "another"]);
});
