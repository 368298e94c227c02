import { collectDefaultMetrics, Registry } from "prom-client";
import { expect, test } from "vitest";
import { ALERTS, alertRules } from "./alerts";
import { METRICS } from "@/server/adapters/metrics/catalogue";
import type { MetricDescription } from "@/server/adapters/metrics/description";

const catalogue: Readonly<Record<string, MetricDescription>> = METRICS;
const SERIES = /\b((?:waypost|nodejs|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g;
const MATCHER = /^(\w+)(=~|!=|=)"([^"]*)"$/;

/** The metrics in an expression, with their labels. */
function seriesOf(expression: string) {
  return [...expression.matchAll(SERIES)].map(([, name = "", matchers = ""]) => ({
    name: name.replace(/_(bucket|sum|count)$/, ""),
    matchers: matchers.split(",").filter(Boolean),
  }));
}

test.each(ALERTS.map((alert) => [alert.name, alert] as const))(
  "%s asks for metrics, labels and values that there are, and says what to do",
  (_, { expression, remedy }) => {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    const series = seriesOf(expression);
    expect(series.length).toBeGreaterThan(0);
    for (const { name, matchers } of series) {
      const description = catalogue[name];
      expect(description !== undefined || registry.getSingleMetric(name) !== undefined).toBe(true);
      for (const matcher of matchers) {
        const [, label = "", , value = ""] = MATCHER.exec(matcher) ?? [];
        expect(Object.keys(description?.labels ?? {})).toContain(label);
        const values = description?.labels[label] ?? value.split("|");
        expect(values).toEqual(expect.arrayContaining(value.split("|")));
      }
    }
    expect(remedy.length).toBeGreaterThan(20);
    registry.clear();
  },
);

const FITS: Readonly<Record<string, (pattern: string, value: string) => boolean>> = {
  "=": (pattern, value) => pattern === value,
  "!=": (pattern, value) => pattern !== value,
  "=~": (pattern, value) => new RegExp(`^(?:${pattern})$`).test(value),
};

test.each([
  [
    "WaypostCallbacksRefused",
    "result",
    [...METRICS.waypost_callbacks_received_total.labels.result],
    ["unsigned"],
  ],
  ["WaypostCallbacksFail", "result", [...METRICS.waypost_callbacks_received_total.labels.result], ["failed"]],
  [
    "WaypostCallbacksLimited",
    "result",
    [...METRICS.waypost_callbacks_received_total.labels.result],
    ["limited"],
  ],
  ["WaypostInngestAway", "part", [...METRICS.waypost_degraded.labels.part], ["inngest"]],
  ["WaypostDegraded", "part", [...METRICS.waypost_degraded.labels.part], ["migrations", "uploads"]],
  ["WaypostServerErrors", "route", ["/readyz", "/healthz", "/api/*"], ["/healthz", "/api/*"]],
  ["WaypostServerErrors", "status", ["200", "404", "500", "503", "aborted"], ["500", "503"]],
])("%s counts only what its remedy is for, by %s", (name, label, values, counted) => {
  const expression = ALERTS.find((alert) => alert.name === name)?.expression ?? "";
  const matchers = seriesOf(expression).flatMap(({ matchers: all }) =>
    all.map((one) => MATCHER.exec(one) ?? []),
  );
  const ofLabel = matchers.filter(([, asked]) => asked === label);
  const fits = (value: string) =>
    ofLabel.every(([, , operator = "", pattern = ""]) => FITS[operator]?.(pattern, value));
  expect(values.filter(fits)).toEqual(counted);
});

test("what all processes say alike is never summed over them", () => {
  for (const { expression } of ALERTS) {
    for (const { name } of seriesOf(expression)) {
      if (catalogue[name]?.scope !== "installation") continue;
      expect(expression).not.toMatch(new RegExp(`sum[^(]*\\([^)]*${name}`));
      expect(expression).toMatch(new RegExp(`(max|min)[^(]*(\\([a-z]+\\) )?\\(${name}`));
    }
  }
});

test.each([
  ["WaypostSlow", "nodejs_eventloop_lag_max_seconds"],
  ["WaypostDatabaseSlow", "waypost_database_probe_seconds_bucket"],
])("%s sees a standstill of a few seconds for longer than it has to hold", (name, metric) => {
  const { expression = "", forTime = "" } = ALERTS.find((alert) => alert.name === name) ?? {};
  const [, minutes] = new RegExp(`${metric}\\[(\\d+)m\\]`).exec(expression) ?? [];
  expect(Number(minutes)).toBeGreaterThan(Number.parseInt(forTime, 10));
});

test("the standstill of 7 of 300 tries is in the quantile that WaypostDatabaseSlow asks for", () => {
  const { expression = "" } = ALERTS.find((alert) => alert.name === "WaypostDatabaseSlow") ?? {};
  const quantiles = [...expression.matchAll(/histogram_quantile\(([\d.]+),/g)].map(([, one]) => Number(one));
  expect(Math.max(...quantiles)).toBeGreaterThan(1 - 7 / 300);
});

test("the rules are one for each alert, in Prometheus's form", () => {
  const rules = alertRules();
  expect(rules.startsWith("groups:\n- name: waypost\n  rules:\n    - alert: ")).toBe(true);
  expect(rules.match(/^ {4}- alert: \w+$/gm)).toHaveLength(ALERTS.length);
  expect(rules.match(/^ {6}expr: ".+"$/gm)).toHaveLength(ALERTS.length);
});
