import type { inferInput, inferOutput } from "@trpc/tanstack-react-query";
import { type inferParserType, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { timeRangeParsers } from "@/app/ui/time-range";
import type { Procedures } from "@/app/ui/trpc";

export type Summary = inferOutput<Procedures["usage"]["summary"]>;
export type Point = Summary["points"][number];
type Input = inferInput<Procedures["usage"]["summary"]>;
type Range = NonNullable<Input["range"]>;

export const RANGE_LABELS = {
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
} as const satisfies Record<Range, string>;

const RANGES = ["24h", "7d", "30d", "90d"] as const satisfies readonly Range[];

const parsers = {
  ...timeRangeParsers,
  range: parseAsStringLiteral([...RANGES, "custom"]).withDefault("7d"),
  channel: parseAsString,
  key: parseAsString,
};

export type UsageFilter = inferParserType<typeof parsers>;

/** The page's filter. All of it is in the URL. */
export function useUsageFilter() {
  const [filter, set] = useQueryStates(parsers, { history: "push" });
  return {
    filter,
    isFiltered: filter.channel !== null || filter.key !== null,
    setRange: (range: string) => void set({ range: parsers.range.parse(range), since: null, until: null }),
    /** @param history a changed field replaces the previous entry, so that typing doesn't fill the history. */
    setSpan: (span: Span, history: "push" | "replace" = "replace") =>
      void set({ range: "custom", ...span }, { history }),
    /** Counts are kept by channel and by key, but not by both, so choosing one clears the other. */
    setChannel: (channel: string | null) => void set({ channel, key: null }),
    setKey: (key: string | null) => void set({ key, channel: null }),
    clear: () => void set({ channel: null, key: null }),
  };
}

type Span = Pick<UsageFilter, "since" | "until">;
export type PeriodInput = Pick<Input, "range" | "since" | "until" | "zone">;

/** Returns the period as the procedures take it; null for a span without a start, or that ends before it starts. */
export function periodInput({ range, since, until }: UsageFilter, nowMs: number): PeriodInput | null {
  const zone = ownZone();
  if (range !== "custom") return { range, zone };
  if (since === null || since.getTime() >= Math.min(until?.getTime() ?? nowMs, nowMs)) return null;
  return { since: since.toISOString(), ...(until === null ? {} : { until: until.toISOString() }), zone };
}

/** Returns the query of the period, for a link to this page. */
export function periodQuery({ range, since, until }: UsageFilter): URLSearchParams {
  return new URLSearchParams({
    range,
    ...(since === null ? {} : { since: since.toISOString() }),
    ...(until === null ? {} : { until: until.toISOString() }),
  });
}

/** The viewer's time zone (IANA). */
const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Builds the query for the list of the messages or requests behind a count. */
export function listQuery(
  { channel, key }: Pick<UsageFilter, "channel" | "key">,
  { since, until }: { since: string; until: string },
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ ...more, range: "custom", since, until });
  if (channel !== null) query.set("channel", channel);
  if (key !== null) query.set("key", key);
  return query.toString();
}

/** Returns the start and end of a summary: so far, if its end is still to come. */
export function spanOf({ points, asOf }: Summary): { since: string; until: string } {
  const end = points.at(-1)?.endsAt ?? asOf;
  return { since: points[0]?.startsAt ?? asOf, until: end < asOf ? end : asOf };
}
