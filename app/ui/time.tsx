"use client";

import { Tooltip, VisuallyHidden } from "@mantine/core";
import { createContext, useContext, useSyncExternalStore } from "react";

const TICK_MS = 15_000;

/** One timer for all times on a page. */
function subscribe(changed: () => void): () => void {
  const timer = setInterval(changed, TICK_MS);
  return () => clearInterval(timer);
}

/** The time of the last tick. It must stay the same until the next one, as React requires of a snapshot. */
const lastTick = () => Math.floor(Date.now() / TICK_MS) * TICK_MS;

/**
 * Longer units are used from two on: otherwise "next month" and "in 30 days" would mean the same time, a moment apart.
 */
const UNITS = [
  { unit: "year", seconds: 365 * 86_400, from: 2 },
  { unit: "month", seconds: 30 * 86_400, from: 2 },
  { unit: "day", seconds: 86_400, from: 1 },
  { unit: "hour", seconds: 3_600, from: 1 },
  { unit: "minute", seconds: 60, from: 1 },
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Formats `3 minutes ago` or `in 2 days`, for example. */
function relativeTime(at: Date, now: number): string {
  const seconds = (at.getTime() - now) / 1000;
  const entry = UNITS.find((one) => Math.abs(seconds) >= one.from * one.seconds);
  if (!entry) return Math.abs(seconds) < 20 ? "just now" : relative.format(Math.round(seconds), "second");
  return relative.format(Math.round(seconds / entry.seconds), entry.unit);
}

/** Formats `22 November 2026, 14:03:07 CET`, for example. Always includes the time zone. */
export function exactTime(at: Date): string {
  return at.toLocaleString("en-GB", { dateStyle: "long", timeStyle: "long" });
}

const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
const dayAndClock = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** Shows the time of day in the viewer's zone, as `14:03`. The exact one shows on hover. */
export function ClockTime({ at }: { at: string | Date }) {
  return <ShownAs at={at} format={clock} />;
}

/** Shows the time of day, after the date unless that is today. The exact one shows on hover. */
export function DatedClockTime({ at }: { at: string | Date }) {
  const isToday = new Date(useNow()).toDateString() === new Date(at).toDateString();
  return <ShownAs at={at} format={isToday ? clock : dayAndClock} />;
}

function ShownAs({ at, format }: { at: string | Date; format: Intl.DateTimeFormat }) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={exactTime(date)} suppressHydrationWarning>
      {format.format(date)}
    </time>
  );
}

/** By how many milliseconds the server's clock is ahead of this one. It is, in a demo whose clock was moved. */
export const ClockAhead = createContext(0);

/**
 * Returns the server's current time in milliseconds since 1970, accurate to a few seconds. The component renders again
 * as time passes.
 */
export function useNow(): number {
  const aheadMs = useContext(ClockAhead);
  return useSyncExternalStore(subscribe, lastTick, lastTick) + aheadMs;
}

/**
 * Shows a relative time. The exact one, in the viewer's zone, shows on hover and is read by screen readers. It isn't
 * focusable, because that would add a tab stop to each row of a list: the row's own page shows the exact time
 * (`isExact`).
 */
export function Time({
  at,
  isExact = false,
}: {
  at: string | Date;
  /** Whether to show the exact time beside it. */ isExact?: boolean;
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
