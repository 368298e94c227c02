"use client";

import { Tooltip, VisuallyHidden } from "@mantine/core";
import { useSyncExternalStore } from "react";

const TICK_MS = 15_000;

/** One clock for all times of a page. */
function subscribe(changed: () => void): () => void {
  const timer = setInterval(changed, TICK_MS);
  return () => clearInterval(timer);
}

/** As of the last tick: the same until the next one, as React wants it. */
const lastTick = () => Math.floor(Date.now() / TICK_MS) * TICK_MS;

/** The longer ones from two of them on: "next month" and "in 30 days" would be the same time, a moment apart. */
const UNITS = [
  { unit: "year", seconds: 365 * 86_400, from: 2 },
  { unit: "month", seconds: 30 * 86_400, from: 2 },
  { unit: "day", seconds: 86_400, from: 1 },
  { unit: "hour", seconds: 3_600, from: 1 },
  { unit: "minute", seconds: 60, from: 1 },
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Such as `3 minutes ago` or `in 2 days`. */
function relativeTime(at: Date, now: number): string {
  const seconds = (at.getTime() - now) / 1000;
  const entry = UNITS.find((one) => Math.abs(seconds) >= one.from * one.seconds);
  if (!entry) return Math.abs(seconds) < 20 ? "just now" : relative.format(Math.round(seconds), "second");
  return relative.format(Math.round(seconds / entry.seconds), entry.unit);
}

/** Such as `22 November 2026, 14:03:07 CET`: never without its zone. */
export function exactTime(at: Date): string {
  return at.toLocaleString("en-GB", { dateStyle: "long", timeStyle: "long" });
}

/** Milliseconds since 1970, as of a few seconds ago: what depends on it is shown anew as time goes on. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, lastTick, lastTick);
}

/**
 * A time as people say it; the exact one, in the viewer's zone, on hover and for screen readers. It takes no focus, which
 * would be one more stop in each row of a list: what a row leads to shows the exact one (`isExact`).
 */
export function Time({
  at,
  isExact = false,
}: {
  at: string | Date;
  /** The exact one beside it. */ isExact?: boolean;
}) {
  const now = useNow();
  const date = new Date(at);
  if (isExact) {
    return (
      <time dateTime={date.toISOString()} suppressHydrationWarning>
        {relativeTime(date, now)}, {exactTime(date)}
      </time>
    );
  }
  return (
    <Tooltip label={exactTime(date)} events={{ hover: true, focus: false, touch: true }} withArrow>
      <time dateTime={date.toISOString()} suppressHydrationWarning>
        {relativeTime(date, now)}
        <VisuallyHidden>, {exactTime(date)}</VisuallyHidden>
      </time>
    </Tooltip>
  );
}
