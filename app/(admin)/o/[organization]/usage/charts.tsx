"use client";

import { BarChart, LineChart } from "@mantine/charts";
import "@mantine/charts/styles.css";
import { count, duration } from "@/app/ui/format";
import { countAxis, durationAxis, durationTick } from "./axis";
import { patternOf, type StateName, STATES } from "./states";
import { pointWords, ticksOf, tickWords } from "./point-words";
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
    xAxisProps: { tickFormatter: tickWords(of.unit), minTickGap: TICK_GAP, ...labelled(ticksOf(of)) },
    tooltipProps: {
      // There is no label while the pointer is outside the points.
      labelFormatter: (label: unknown) => (typeof label === "string" ? pointWords(of.unit)(label) : ""),
    },
  }) as const;

const labelled = (ticks: string[] | null) => (ticks === null ? {} : { ticks });

const STATE_SERIES = STATES.map(({ name, label }) => ({ name, label, color: `var(--usage-${name})` }));

/** Messages by acceptance time, with their current state. */
export function StatesChart({ of }: { of: Drawn }) {
  return (
    <BarChart
      {...common(of)}
      data={[...of.points]}
      type="stacked"
      series={STATE_SERIES}
      barProps={({ name }) => ({ fill: patternOf(stateOf(name)) })}
      barChartProps={barGap(of)}
      valueFormatter={(value) => count.format(value)}
      yAxisProps={{ interval: 0, ...countAxis(most(of, ({ accepted }) => accepted)) }}
      maxBarWidth={48}
    />
  );
}

const stateOf = (name: string): StateName => STATES.find((state) => state.name === name)?.name ?? "read";

const most = ({ points }: Drawn, value: (point: Drawn["points"][number]) => number | null) =>
  Math.max(0, ...points.map((point) => value(point) ?? 0));

/** Room for the upper half of the topmost number. */
const MARGIN = { top: 8 };

const barGap = ({ points }: Drawn) => ({
  barCategoryGap: points.length > POINTS_APART_MAX ? 0 : "15%",
  margin: MARGIN,
});

/** Refused requests, for any reason. */
export function RefusalsChart({ of }: { of: Drawn }) {
  return (
    <BarChart
      {...common(of)}
      h={HEIGHT / 1.5}
      data={[...of.points]}
      series={[{ name: "refused", label: "Refused", color: "var(--usage-failed)" }]}
      barProps={{ fill: patternOf("failed") }}
      barChartProps={barGap(of)}
      valueFormatter={(value) => count.format(value)}
      yAxisProps={{ interval: 0, ...countAxis(most(of, ({ refused }) => refused)) }}
      maxBarWidth={48}
    />
  );
}

const LINES = [
  { name: "p50Ms", label: "Median (p50)", color: "var(--usage-p50)" },
  { name: "p95Ms", label: "p95", color: "var(--usage-p95)", strokeDasharray: "6 4" },
];

/** Latency by the time at which messages were accepted. Times without messages are gaps. */
export function LatencyChart({ of, step }: { of: Drawn; step: "handedOverAfter" | "deliveredAfter" }) {
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
      yAxisProps={{
        width: 64,
        interval: 0,
        tickFormatter: durationTick,
        ...durationAxis(most(of, (point) => point[step].p95Ms)),
      }}
      lineChartProps={{ margin: MARGIN }}
    />
  );
}
