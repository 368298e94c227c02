"use client";

import { BarChart, LineChart } from "@mantine/charts";
import "@mantine/charts/styles.css";
import { count, duration } from "@/app/ui/format";
import { drawnOf } from "./drawn";
import { patternOf, type StateName, STATES } from "./states";
import { HOURS_SHOWN_MAX, pointWords, tickWords } from "./point-words";
import type { Summary } from "./usage-filter";

const HEIGHT = 240;
/** With more points, bars are drawn without gaps and lines without markers. */
const POINTS_APART_MAX = 31;
const TICK_GAP = 24;

type Drawn = Pick<Summary, "unit" | "points">;

const common = (of: Drawn) =>
  ({
    h: HEIGHT,
    dataKey: "startsAt",
    // Keyboards and screen readers use the table behind the chart.
    accessibilityLayer: false,
    xAxisProps: { tickFormatter: tickWords(of), minTickGap: TICK_GAP, ...ticksOf(of) },
    tooltipProps: {
      // There is no label while the pointer is outside the points.
      labelFormatter: (label: unknown) => (typeof label === "string" ? pointWords(of.unit)(label) : ""),
    },
  }) as const;

/** If there are too many hours to label each one, only the start of each day is labelled. */
function ticksOf({ unit, points }: Drawn) {
  if (unit === "day" || points.length <= HOURS_SHOWN_MAX) return {};
  const dates = points.map(({ startsAt }) => new Date(startsAt).getDate());
  return {
    ticks: points
      .filter((_, index) => dates[index] !== dates[index - 1])
      .slice(1)
      .map(({ startsAt }) => startsAt),
  };
}

const STATE_SERIES = STATES.map(({ name, label }) => ({ name, label, color: `var(--usage-${name})` }));

/** Messages by acceptance time, with their current state. */
export function StatesChart({ of: summary }: { of: Drawn }) {
  const of = drawnOf(summary);
  return (
    <BarChart
      {...common(of)}
      data={[...of.points]}
      type="stacked"
      series={STATE_SERIES}
      barProps={({ name }) => ({ fill: patternOf(stateOf(name)) })}
      barChartProps={barGap(of)}
      valueFormatter={(value) => count.format(value)}
      yAxisProps={COUNT_AXIS}
      maxBarWidth={48}
    />
  );
}

const stateOf = (name: string): StateName => STATES.find((state) => state.name === name)?.name ?? "read";

const COUNT_AXIS = { allowDecimals: false, interval: 0 } as const;
/** Room for the upper half of the topmost number. */
const MARGIN = { top: 8 };

const barGap = ({ points }: Drawn) => ({
  barCategoryGap: points.length > POINTS_APART_MAX ? 0 : "15%",
  margin: MARGIN,
});

/** Refused requests, for any reason. */
export function RefusalsChart({ of: summary }: { of: Drawn }) {
  const of = drawnOf(summary);
  return (
    <BarChart
      {...common(of)}
      h={HEIGHT / 1.5}
      data={[...of.points]}
      series={[{ name: "refused", label: "Refused", color: "var(--usage-failed)" }]}
      barProps={{ fill: patternOf("failed") }}
      barChartProps={barGap(of)}
      valueFormatter={(value) => count.format(value)}
      yAxisProps={COUNT_AXIS}
      maxBarWidth={48}
    />
  );
}

const LINES = [
  { name: "p50Ms", label: "Median (p50)", color: "var(--usage-p50)" },
  { name: "p95Ms", label: "p95", color: "var(--usage-p95)", strokeDasharray: "6 4" },
];

/** Latency by the time at which messages were accepted. Times without messages are gaps. */
export function LatencyChart({
  of: summary,
  step,
}: {
  of: Drawn;
  step: "handedOverAfter" | "deliveredAfter";
}) {
  const of = drawnOf(summary);
  const isApart = of.points.length <= POINTS_APART_MAX;
  return (
    <LineChart
      {...common(of)}
      data={of.points.map((point) => ({ startsAt: point.startsAt, ...point[step] }))}
      series={LINES}
      curveType="linear"
      connectNulls={false}
      dotProps={{ r: isApart ? 3 : 1, strokeWidth: 1 }}
      strokeWidth={isApart ? 2 : 1.5}
      valueFormatter={duration}
      yAxisProps={{ width: 64, interval: 0 }}
      lineChartProps={{ margin: MARGIN }}
    />
  );
}
