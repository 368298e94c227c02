import { expect, test } from "vitest";
import { METRICS } from "./catalogue";
import type { MetricDescription } from "./description";
import { createMetrics } from "./metrics";

const lineOf = (text: string, start: string) => text.split("\n").find((line) => line.startsWith(start));

test("every metric of the catalogue is described in the text, and of which scope it is", async () => {
  const text = await createMetrics().text();
  for (const [name, { kind, scope, help }] of Object.entries<MetricDescription>(METRICS)) {
    expect(text).toContain(`# TYPE ${name} ${kind}`);
    const reported = lineOf(text, `# HELP ${name} `);
    expect(reported).toContain(help);
    expect(reported?.endsWith("(of the installation)")).toBe(scope === "installation");
  }
});

test.each(Object.entries<MetricDescription>(METRICS))(
  "%s is named by Prometheus's conventions",
  (name, { kind, labels }) => {
    expect(name).toMatch(/^waypost_[a-z][a-z_]*[a-z]$/);
    expect(name.endsWith("_total")).toBe(kind === "counter");
    expect(Object.keys(labels).length).toBeLessThanOrEqual(3);
  },
);

test("a counter with known labels begins with 0, so that its first increase is one for Prometheus", async () => {
  const metrics = createMetrics();
  expect(await metrics.text()).toContain('waypost_messages_failed_total{code="upstream_unconfirmed"} 0');
  metrics.count("waypost_messages_failed_total", { code: "upstream_unconfirmed" });
  expect(await metrics.text()).toContain('waypost_messages_failed_total{code="upstream_unconfirmed"} 1');
});

test("a gauge that nobody has set, or that isn't known any more, is not in the text", async () => {
  const metrics = createMetrics();
  const isThere = async (start: string) => lineOf(await metrics.text(), start) !== undefined;
  expect(await isThere("waypost_sweep_age_seconds ")).toBe(false);
  metrics.set("waypost_sweep_age_seconds", {}, 7);
  metrics.set("waypost_channels_paused", { reason: "account_locked" }, 1);
  expect(await metrics.text()).toContain("waypost_sweep_age_seconds 7");
  metrics.set("waypost_sweep_age_seconds", {}, null);
  metrics.clear("waypost_channels_paused");
  expect(await isThere("waypost_sweep_age_seconds ")).toBe(false);
  expect(await isThere("waypost_channels_paused{")).toBe(false);
});

test("two processes' metrics in one program don't mix", async () => {
  const [one, other] = [createMetrics(), createMetrics()];
  one.count("waypost_messages_accepted_total", {}, 3);
  expect(await one.text()).toContain("waypost_messages_accepted_total 3");
  expect(await other.text()).toContain("waypost_messages_accepted_total 0");
});
