import { Anchor, Text } from "@mantine/core";
import { type Column, DataTable, Whole } from "@/app/ui/data-table";
import { count } from "@/app/ui/format";
import { PageLink } from "@/app/ui/page-link";
import { Section } from "@/app/ui/section";
import { TableBehind } from "@/app/ui/table-behind";
import { Words } from "@/app/ui/words";
import { usePath } from "../shared/viewer";
import { Picture, RefusalsChart } from "./lazy-charts";
import { pointWords } from "./point-words";
import { ShareBar } from "./share-bar";
import { listQuery, type Point, spanOf, type Summary, type UsageFilter } from "./usage-filter";

interface Shown {
  readonly of: Summary;
  readonly filter: UsageFilter;
}

type CodeRow = Summary["failures"][number] & {
  readonly most: number;
  /** The path of the list that was counted. */
  readonly list: string;
};

/** Why messages failed, most frequent reason first. */
export function FailuresSection({ of, filter }: Shown) {
  const { failures } = of;
  if (failures.length === 0) return null;
  const list = (code: string) =>
    `/messages?${listQuery(filter, spanOf(of), { state: "failed", error: code })}`;
  return (
    <Section title="Failed messages by error code">
      <DataTable
        caption="Failed messages, by code"
        columns={codeColumns("Messages")}
        rows={rowsOf(failures, list)}
        rowKey={({ code }) => code}
      />
    </Section>
  );
}

/** Requests that the API refused, and why. */
export function RefusalsSection({ of, filter }: Shown) {
  const { refusals, totals, unit, points } = of;
  if (refusals === null) {
    return (
      <Section title="Refused requests">
        <Text size="sm" c="dimmed">
          Refused requests have no channel. Clear the filter to see them.
        </Text>
      </Section>
    );
  }
  const list = (code: string) => `/requests?${listQuery(filter, spanOf(of), { code })}`;
  return (
    <Section
      title="Refused requests"
      lead={
        totals.refused === 0
          ? "No requests were refused."
          : "Requests that the API answered with an error. All of them are counted. The list for each code covers the last seven days."
      }
    >
      {totals.refused === 0 ? null : (
        <>
          <Picture isLow>
            <RefusalsChart of={of} />
          </Picture>
          <TableBehind of="refused requests">
            <DataTable
              caption={`Refused requests by ${unit}`}
              columns={REFUSAL_COLUMNS}
              rows={points.map((point) => ({ ...point, unit }))}
              rowKey={({ startsAt }) => startsAt}
            />
          </TableBehind>
          <DataTable
            caption="Refused requests, by code"
            columns={codeColumns("Requests")}
            rows={rowsOf(refusals, list)}
            rowKey={({ code }) => code}
          />
        </>
      )}
    </Section>
  );
}

const REFUSAL_COLUMNS: Column<Point & Pick<Summary, "unit">>[] = [
  { head: "From", cell: ({ startsAt, unit }) => pointWords(unit)(startsAt) },
  { head: "Refused", cell: ({ refused }) => count.format(refused ?? 0), isNumber: true },
];

function rowsOf(codes: Summary["failures"], list: (code: string) => string): CodeRow[] {
  const most = Math.max(...codes.map((code) => code.count));
  return codes.map((code) => ({ ...code, most, list: list(code.code) }));
}

const codeColumns = (counted: string): Column<CodeRow>[] => [
  { head: "Code", cell: (row) => <Code of={row} /> },
  { head: counted, cell: (row) => <ShareBar of={row.count} most={row.most} /> },
  { head: "Meaning", cell: ({ message }) => <Words>{message ?? "–"}</Words> },
  { head: "What to do", cell: ({ remedy }) => <Words>{remedy ?? "–"}</Words> },
];

function Code({ of: { code, list } }: { of: CodeRow }) {
  return (
    <Anchor component={PageLink} href={usePath()(list)} inherit>
      <Whole>{code}</Whole>
    </Anchor>
  );
}
