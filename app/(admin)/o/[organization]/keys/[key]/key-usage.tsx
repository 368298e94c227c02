"use client";

import { Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { inferOutput } from "@trpc/tanstack-react-query";
import { type Column, DataTable, Whole } from "@/app/ui/data-table";
import { count } from "@/app/ui/format";
import { PageLink } from "@/app/ui/page-link";
import { QueryState } from "@/app/ui/query-state";
import { TableBehind } from "@/app/ui/table-behind";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { Words } from "@/app/ui/words";
import { usePath } from "../../shared/viewer";
import type { KeyDetail } from "../types";
import { type Counts, daysOf } from "./days";
import styles from "./key.module.css";

type Summary = inferOutput<Procedures["usage"]["summary"]>;

const REFRESH_MS = 30_000;

const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "short" });
const moment = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  hour: "2-digit",
  minute: "2-digit",
});

const DAY_MS = 86_400_000;
/** A span of 24 hours is named after the day on which it ends: the last one after today. */
const lastDayOf = ({ startsAt }: Counts) => weekday.format(Date.parse(startsAt) + DAY_MS - 1);

/** Shows what the key did in the last seven spans of 24 hours. */
export function KeyUsage({ of: { id } }: { of: KeyDetail }) {
  const trpc = useTRPC();
  const { timeZone: zone } = weekday.resolvedOptions();
  const query = useQuery({
    ...trpc.usage.summary.queryOptions({ range: "7d", zone, keyId: id }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Stack component="section" gap="md" aria-labelledby="usage">
      <h2 id="usage" className={styles.heading}>
        Last 7 days
      </h2>
      <QueryState query={query} rows={3}>
        {(summary) => <Week of={summary} keyId={id} />}
      </QueryState>
    </Stack>
  );
}

const DAY_COLUMNS: Column<Counts>[] = [
  { head: "24 hours from", cell: ({ startsAt }) => moment.format(new Date(startsAt)) },
  { head: "Accepted", cell: ({ accepted }) => count.format(accepted), isNumber: true },
  { head: "Failed", cell: ({ failed }) => count.format(failed), isNumber: true },
  { head: "Refused requests", cell: ({ refused }) => count.format(refused ?? 0), isNumber: true },
];

function Week({ of: { points, totals, refusals }, keyId }: { of: Summary; keyId: string }) {
  const days = daysOf(points);
  return (
    <>
      <Text size="sm">
        Messages accepted: {count.format(totals.accepted)}, of which failed: {count.format(totals.failed)}.
        Requests refused: {count.format(totals.refused ?? 0)}.
      </Text>
      <Chart of={days} />
      <TableBehind of="the last seven days">
        <DataTable
          caption="The last seven days"
          columns={DAY_COLUMNS}
          rows={days}
          rowKey={({ startsAt }) => startsAt}
        />
      </TableBehind>
      <Refusals of={refusals ?? []} keyId={keyId} />
    </>
  );
}

const BAR_WIDTH = 40;
const BAR_HEIGHT = 80;

/** Draws messages by day. The table beside it says the same in words, so screen readers skip the chart. */
function Chart({ of: days }: { of: readonly Counts[] }) {
  const most = Math.max(1, ...days.map(({ accepted }) => accepted));
  const heightOf = (number: number) => (number / most) * BAR_HEIGHT;
  return (
    <div className={styles.chart} aria-hidden>
      {days.map((day) => {
        const { startsAt, accepted, failed } = day;
        return (
          <div key={startsAt} className={styles.day}>
            <span>{count.format(accepted)}</span>
            <svg className={styles.bar} viewBox={`0 0 ${BAR_WIDTH} ${BAR_HEIGHT}`} preserveAspectRatio="none">
              <rect
                width={BAR_WIDTH}
                y={BAR_HEIGHT - heightOf(accepted)}
                height={Math.max(1, heightOf(accepted))}
              />
              <rect
                data-part="failed"
                width={BAR_WIDTH}
                y={BAR_HEIGHT - heightOf(failed)}
                height={heightOf(failed)}
              />
            </svg>
            <span>{lastDayOf(day)}</span>
          </div>
        );
      })}
    </div>
  );
}

type Refusal = NonNullable<Summary["refusals"]>[number] & { readonly keyId: string };

const REFUSAL_COLUMNS: Column<Refusal>[] = [
  { head: "Error code", cell: (refusal) => <RefusalCode of={refusal} /> },
  { head: "Requests", cell: (refusal) => count.format(refusal.count), isNumber: true },
  { head: "Meaning", cell: ({ message }) => <Words>{message ?? "–"}</Words> },
  { head: "What to do", cell: ({ remedy }) => <Words>{remedy ?? "–"}</Words> },
];

function RefusalCode({ of: { keyId, code } }: { of: Refusal }) {
  const path = usePath();
  const query = new URLSearchParams({ key: keyId, code }).toString();
  return (
    <Whole>
      <Anchor inherit component={PageLink} href={path(`/requests?${query}`)}>
        {code}
      </Anchor>
    </Whole>
  );
}

function Refusals({ of: refusals, keyId }: { of: NonNullable<Summary["refusals"]>; keyId: string }) {
  if (refusals.length === 0) return null;
  return (
    <DataTable
      caption="Refused requests, by code"
      columns={REFUSAL_COLUMNS}
      rows={refusals.map((refusal) => ({ ...refusal, keyId }))}
      rowKey={({ code }) => code}
    />
  );
}
