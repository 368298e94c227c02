import { Anchor, Text } from "@mantine/core";
import { type Column, DataTable } from "@/app/ui/data-table";
import { count, share } from "@/app/ui/format";
import { PageLink } from "@/app/ui/page-link";
import { Section } from "@/app/ui/section";
import { TableBehind } from "@/app/ui/table-behind";
import { usePath } from "../shared/viewer";
import { Picture, StatesChart } from "./lazy-charts";
import { STATES, Swatch } from "./states";
import { pointWords } from "./point-words";
import styles from "./usage.module.css";
import { listQuery, type Point, spanOf, type Summary, type UsageFilter } from "./usage-filter";

interface Shown {
  readonly of: Summary;
  readonly filter: UsageFilter;
}

/** The states of the messages that were accepted in each hour or on each day. */
export function MessagesSection({ of, filter }: Shown) {
  return (
    <Section
      title="Messages"
      lead={`Messages by the ${of.unit} when they were accepted, with their current delivery status.`}
    >
      <Legend of={of} filter={filter} />
      <Picture>
        <StatesChart of={of} />
      </Picture>
      <TableBehind of="messages">
        <DataTable
          caption={`Messages by ${of.unit}`}
          columns={COLUMNS}
          rows={of.points.map((point) => ({ ...point, filter, unit: of.unit, asOf: of.asOf }))}
          rowKey={({ startsAt }) => startsAt}
        />
      </TableBehind>
    </Section>
  );
}

function Legend({ of, filter }: Shown) {
  const path = usePath();
  const { totals } = of;
  return (
    <ul className={styles.legend} aria-label="Delivery status">
      {STATES.map(({ name, label, meaning }) => (
        <li key={name} title={`${label}: ${meaning}`}>
          <Swatch state={name} />
          <Anchor
            component={PageLink}
            href={path(`/messages?${listQuery(filter, spanOf(of), { state: name })}`)}
            inherit
          >
            {label}
          </Anchor>
          <span className={styles.figure}>{count.format(totals[name])}</span>
          <Text span c="dimmed" fz="0.8125rem">
            {share(totals[name], totals.accepted)}
          </Text>
        </li>
      ))}
    </ul>
  );
}

type Row = Point & Pick<Summary, "unit" | "asOf"> & { readonly filter: UsageFilter };

const COLUMNS: Column<Row>[] = [
  { head: "From", cell: (row) => <When of={row} /> },
  { head: "Accepted", cell: ({ accepted }) => count.format(accepted), isNumber: true },
  ...STATES.map(({ name, label }): Column<Row> => ({
    head: label,
    cell: (row) => count.format(row[name]),
    isNumber: true,
  })),
];

function When({ of: { startsAt, endsAt, filter, unit, asOf, accepted } }: { of: Row }) {
  const path = usePath();
  const words = pointWords(unit)(startsAt);
  if (accepted === 0) return words;
  const until = endsAt < asOf ? endsAt : asOf;
  return (
    <Anchor
      component={PageLink}
      href={path(`/messages?${listQuery(filter, { since: startsAt, until })}`)}
      inherit
    >
      {words}
    </Anchor>
  );
}
