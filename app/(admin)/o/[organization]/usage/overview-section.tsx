import { Text } from "@mantine/core";
import { count, duration, share } from "@/app/ui/format";
import { IconArrowDown, IconArrowUp } from "@/app/ui/icons";
import { Section } from "@/app/ui/section";
import { compareCounts, compareDurations, type Comparison } from "./comparison";
import { momentWords, spanWords } from "./point-words";
import styles from "./usage.module.css";
import type { Summary } from "./usage-filter";

interface Figure {
  readonly name: string;
  readonly value: string;
  /** Its share of the accepted messages. */
  readonly share?: string | null;
  readonly comparison: Comparison | null;
}

/** The main figures, each compared with the period before. */
export function OverviewSection({ of }: { of: Summary }) {
  return (
    <Section title="Overview" lead={leadOf(of.previous)}>
      <dl className={styles.overview}>
        {figuresOf(of).map(({ name, value, share: part, comparison }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span className={styles.large}>{value}</span>{" "}
              {part ? (
                <Text span c="dimmed" fz="0.875rem">
                  {part}
                </Text>
              ) : null}
              {comparison !== null && of.previous.missing === null ? <Change of={comparison} /> : null}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Change({ of: { direction, words } }: { of: Comparison }) {
  const Arrow = direction === "up" ? IconArrowUp : IconArrowDown;
  return (
    <span className={styles.change}>
      {direction === null ? null : <Arrow size={14} aria-hidden />}
      {words}
    </span>
  );
}

function leadOf({ since, until, missing }: Summary["previous"]): string {
  const before = spanWords(since, until);
  switch (missing?.reason) {
    case undefined:
      return `Compared with the period before: ${before}.`;
    case "created":
      return `There is no comparison with the period before, ${before}: the organization was created on ${momentWords(missing.until)}.`;
    case "deleted":
      return `There is no comparison with the period before, ${before}: counts from before ${momentWords(missing.until)} are deleted.`;
    case "uncounted":
      return `There is no comparison with the period before, ${before}, yet: not all of its messages are counted. They will be counted within the hour.`;
  }
}

function figuresOf({ totals, previous: { totals: before } }: Summary): Figure[] {
  const arrived = (of: Summary["totals"]) => of.delivered + of.read;
  const counted = (name: string, now: number, then: number): Figure => ({
    name,
    value: count.format(now),
    comparison: compareCounts(now, then),
  });
  const took = (name: string, step: "handedOverAfter" | "deliveredAfter"): Figure => ({
    name,
    value: durationWords(totals[step].p50Ms),
    comparison: compareDurations(totals[step].p50Ms, before[step].p50Ms),
  });
  return [
    counted("Accepted", totals.accepted, before.accepted),
    {
      ...counted("Delivered or read", arrived(totals), arrived(before)),
      share: share(arrived(totals), totals.accepted),
    },
    { ...counted("Failed", totals.failed, before.failed), share: share(totals.failed, totals.accepted) },
    ...(totals.refused === null ? [] : [counted("Refused requests", totals.refused, before.refused ?? 0)]),
    took("Median to WhatsApp", "handedOverAfter"),
    took("Median to delivery", "deliveredAfter"),
  ];
}

const durationWords = (ms: number | null) => (ms === null ? "–" : ms < 1 ? "< 1 ms" : duration(ms));
