"use client";

import { parseAsString, useQueryState } from "nuqs";
import type { ComponentProps } from "react";
import { type Column, DataTable, type Sort } from "./data-table";

/** A prefix of the column's heading in the URL. */
const DESCENDING = "-";

/**
 * A table whose rows the viewer can sort, for lists that are complete on one page. The order is in the URL. A first
 * press on a heading sorts ascending, a second one descending, and a third one restores the list's own order.
 * @param isComplete false if rows are missing: sorting only some of a list would mislead.
 */
export function SortableTable<Row>({
  isComplete,
  ...table
}: Omit<ComponentProps<typeof DataTable<Row>>, "sort" | "onSort"> & { isComplete: boolean }) {
  const [spelling, setSpelling] = useQueryState("sort", parseAsString);
  if (!isComplete) return <DataTable {...table} />;
  const sort = sortOf(spelling, table.columns);
  const onSort = (head: string) => {
    const isSame = sort?.head === head;
    void setSpelling(!isSame ? head : sort.isDescending ? null : `${DESCENDING}${head}`);
  };
  return (
    <DataTable {...table} rows={sortedRows(table.rows, table.columns, sort)} sort={sort} onSort={onSort} />
  );
}

function sortOf<Row>(spelling: string | null, columns: readonly Column<Row>[]): Sort | null {
  if (spelling === null) return null;
  const isDescending = spelling.startsWith(DESCENDING);
  const head = isDescending ? spelling.slice(DESCENDING.length) : spelling;
  return columns.some((column) => column.head === head && column.sortBy) ? { head, isDescending } : null;
}

const names = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Returns the rows in the chosen order, and unchanged without one. Rows without a value are last in both orders. */
export function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly Pick<Column<Row>, "head" | "sortBy">[],
  sort: Sort | null,
): readonly Row[] {
  const valueOf = columns.find(({ head }) => head === sort?.head)?.sortBy;
  if (sort === null || valueOf === undefined) return rows;
  const sign = sort.isDescending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const order = typeof a === "number" && typeof b === "number" ? a - b : names.compare(`${a}`, `${b}`);
    return sign * order;
  });
}
