import { expect, test } from "vitest";
import { WaypostError } from "@/server/platform/errors";
import { createMetrics } from "@/server/adapters/metrics/metrics";
import type { Limits } from "./limits";
import { measureLimits } from "@/server/adapters/metrics/measure";

test("a refusal is counted by its bucket and still thrown; what is granted, let through or broken isn't counted", async () => {
  const metrics = createMetrics();
  const answers: (() => ReturnType<Limits["take"]>)[] = [
    async () => ({ kind: "letThrough" }),
    async () => Promise.reject(new WaypostError("rate_limited")),
    async () => Promise.reject(new Error("broken")),
  ];
  const take = () => answers.shift()?.() ?? Promise.reject(new Error("asked too often"));
  const limits = measureLimits({ take, probe: async () => undefined, failures: () => 7 }, metrics);
  expect(await limits.take("key", "send", 1)).toEqual({ kind: "letThrough" });
  await expect(limits.take("key", "send", 1)).rejects.toMatchObject({ code: "rate_limited" });
  await expect(limits.take("key", "send", 1)).rejects.toThrow("broken");
  expect(limits.failures()).toBe(7);
  const text = await metrics.text();
  expect(text).toContain('waypost_rate_limit_refusals_total{bucket="send"} 1');
  expect(text).toContain('waypost_rate_limit_refusals_total{bucket="read"} 0');
});
