"use client";

import { Group, TextInput } from "@mantine/core";
import { parseAsIsoDateTime, parseAsStringLiteral } from "nuqs";
import { useEffect, useRef } from "react";
import { Choice } from "./choice";

const MINUTE_MS = 60_000;

const QUICK = {
  "1h": { label: "Last hour", since: "PT1H" },
  "24h": { label: "Last 24 hours", since: "PT24H" },
  "7d": { label: "Last 7 days", since: "PT168H" },
  "30d": { label: "Last 30 days", since: "PT720H" },
} as const;
type Quick = keyof typeof QUICK;
const QUICK_NAMES: readonly Quick[] = ["1h", "24h", "7d", "30d"];

/** The state in the URL: a relative range, or two times, each optional. */
export const timeRangeParsers = {
  range: parseAsStringLiteral([...QUICK_NAMES, "custom"]),
  since: parseAsIsoDateTime,
  until: parseAsIsoDateTime,
};

export interface TimeRange {
  readonly range: Quick | "custom" | null;
  readonly since: Date | null;
  readonly until: Date | null;
}

const ANY_TIME: TimeRange = { range: null, since: null, until: null };

/**
 * Returns the range as the procedures take it. A relative range is passed on unchanged, so it moves with the time while
 * the page is open.
 */
export function timesOf({ range, since, until }: TimeRange): { since?: string; until?: string } {
  if (range === null) return {};
  if (range !== "custom") return { since: QUICK[range].since };
  return {
    ...(since === null ? {} : { since: since.toISOString() }),
    ...(until === null ? {} : { until: until.toISOString() }),
  };
}

const HOUR_MS = 60 * MINUTE_MS;

/** Returns the range as moments, for callers that need those. A relative range is as of `nowMs`. */
export function momentsOf(range: TimeRange, nowMs: number): { since?: string; until?: string } {
  const { since, ...times } = timesOf(range);
  const hours = /^PT(\d+)H$/.exec(since ?? "")?.[1];
  if (hours !== undefined) return { since: new Date(nowMs - Number(hours) * HOUR_MS).toISOString() };
  return since === undefined ? times : { since, ...times };
}

/** Fields for the start and the end, in the viewer's time zone. */
export function TimeRangeInput({
  value,
  quickChoices = QUICK_NAMES,
  onChange,
}: {
  value: TimeRange;
  quickChoices?: readonly Quick[];
  onChange: (range: TimeRange) => void;
}) {
  return (
    <>
      <Choice
        label="Time"
        data={[
          ...quickChoices.map((name) => ({ value: name, label: QUICK[name].label })),
          { value: "custom", label: "From … to …" },
        ]}
        value={value.range}
        onChange={(chosen) => onChange({ ...ANY_TIME, range: timeRangeParsers.range.parse(chosen ?? "") })}
      />
      {value.range === "custom" ? (
        <MomentsInput value={value} onChange={(moments) => onChange({ ...value, ...moments })} />
      ) : null}
    </>
  );
}

type Moments = Pick<TimeRange, "since" | "until">;

/** Fields for the start and the end only. */
export function MomentsInput({
  value: { since, until },
  onChange,
}: {
  value: Moments;
  onChange: (moments: Moments) => void;
}) {
  return (
    <Group gap="xs" wrap="wrap">
      <MomentInput label="From" value={since} onChange={(moment) => onChange({ since: moment, until })} />
      <MomentInput label="To" value={until} onChange={(moment) => onChange({ since, until: moment })} />
    </Group>
  );
}

function MomentInput({
  label,
  value,
  onChange,
}: {
  label: string;
  value: Date | null;
  onChange: (moment: Date | null) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const spelling = value === null ? "" : localSpelling(value);
  // Uncontrolled: a half-typed date has no value, and setting `value` would clear it.
  useEffect(() => {
    if (field.current !== null && field.current.value !== spelling) field.current.value = spelling;
  }, [spelling]);
  return (
    <TextInput
      ref={field}
      type="datetime-local"
      aria-label={label}
      defaultValue={spelling}
      onChange={({ currentTarget }) => {
        const moment = new Date(currentTarget.value);
        onChange(Number.isNaN(moment.getTime()) ? null : moment);
      }}
    />
  );
}

/** Formats `2026-11-22T14:03` in the viewer's time zone, as the browser's field expects it. */
export function localSpelling(moment: Date): string {
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, 16);
}
