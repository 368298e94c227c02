import { SimpleGrid, Text } from "@mantine/core";
import { type Column, DataTable } from "@/app/ui/data-table";
import { count, duration } from "@/app/ui/format";
import { Section } from "@/app/ui/section";
import { TableBehind } from "@/app/ui/table-behind";
import { LatencyChart, Picture } from "./lazy-charts";
import { pointWords } from "./point-words";
import styles from "./usage.module.css";
import type { Point, Summary } from "./usage-filter";

const STEPS = [
  {
    name: "handedOverAfter",
    title: "From acceptance to WhatsApp",
    table: "to WhatsApp",
    none: "No messages were sent to WhatsApp.",
  },
  {
    name: "deliveredAfter",
    title: "From WhatsApp to the customer’s phone",
    table: "to delivery",
    none: "No messages were delivered.",
  },
] as const;

type Step = (typeof STEPS)[number];

/** How long messages took. */
export function LatencySection({ of }: { of: Summary }) {
  return (
    <Section
      title="Latency"
      lead="Only messages that reached the step are counted. If a phone is switched off, delivery takes longer."
    >
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl" verticalSpacing="lg">
        {STEPS.map((step) => (
          <StepLatency key={step.name} of={of} step={step} />
        ))}
      </SimpleGrid>
    </Section>
  );
}

function StepLatency({ of, step: { name, title, table, none } }: { of: Summary; step: Step }) {
  const { p50Ms, p95Ms } = of.totals[name];
  return (
    <div className={styles.step}>
      <h3 className={styles.heading}>{title}</h3>
      {p50Ms === null || p95Ms === null ? (
        <Text c="dimmed" size="sm">
          {none}
        </Text>
      ) : (
        <>
          <ul className={styles.legend} aria-label={`Whole period, ${table}`}>
            <li>
              <Line name="p50" />
              Median (p50): <Most ms={p50Ms} />
            </li>
            <li>
              <Line name="p95" />
              p95: <Most ms={p95Ms} />
            </li>
          </ul>
          <Picture>
            <LatencyChart of={of} step={name} />
          </Picture>
          <TableBehind of={`time ${table}`}>
            <DataTable
              caption={`Time ${table}, by ${of.unit}`}
              columns={COLUMNS}
              rows={of.points.map((point) => ({ ...point[name], startsAt: point.startsAt, unit: of.unit }))}
              rowKey={({ startsAt }) => startsAt}
            />
          </TableBehind>
        </>
      )}
    </div>
  );
}

function Most({ ms }: { ms: number }) {
  return (
    <>
      {isNoTime(ms) ? "less than " : null}
      <span className={styles.figure}>{atLeastOne(ms)}</span>
    </>
  );
}

const isNoTime = (ms: number) => Math.round(ms) < 1;
const atLeastOne = (ms: number) => duration(isNoTime(ms) ? 1 : ms);

function Line({ name }: { name: "p50" | "p95" }) {
  return (
    <svg width={24} height={8} className={styles.line} data-line={name} aria-hidden>
      <path d="M0,4 h24" />
    </svg>
  );
}

type Row = Point[Step["name"]] & Pick<Point, "startsAt"> & Pick<Summary, "unit">;

const COLUMNS: Column<Row>[] = [
  { head: "From", cell: ({ startsAt, unit }) => pointWords(unit)(startsAt) },
  { head: "Messages", cell: (row) => count.format(row.count), isNumber: true },
  { head: "Median (p50)", cell: ({ p50Ms }) => durationText(p50Ms), isNumber: true },
  { head: "p95", cell: ({ p95Ms }) => durationText(p95Ms), isNumber: true },
];

const durationText = (ms: number | null) => (ms === null ? "–" : isNoTime(ms) ? "< 1 ms" : duration(ms));
