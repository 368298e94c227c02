import type { Column, Sort } from "./data-table";

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
