import type { Key, ReactNode } from "react";
import styles from "./data-table.module.css";

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Its cells keep to one line and to the right, as numbers do. */
  readonly isNumber?: boolean;
  /** Its heading is for screen readers only, such as that of buttons. */
  readonly isQuiet?: boolean;
}

/** Words of a cell, none of which is broken while there is room in other columns. */
export function Whole({ children }: { children: ReactNode }) {
  return <span className={styles.whole}>{children}</span>;
}

/** A table that becomes a list of cards on a narrow screen. The first column says which row it is. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  isMuted,
}: {
  /** What it lists, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => Key;
  /** Rows that are over and done with. */
  isMuted?: (row: Row) => boolean;
}) {
  // Roles again, because a display other than that of tables takes them away.
  return (
    <table role="table" className={styles.table}>
      <caption className={styles.quiet}>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ head, isNumber, isQuiet }) => (
            <th
              key={head}
              role="columnheader"
              scope="col"
              data-number={isNumber || undefined}
              data-quiet={isQuiet || undefined}
            >
              {isQuiet ? <span className={styles.quiet}>{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={rowKey(row)} role="row" data-muted={isMuted?.(row) || undefined}>
            {columns.map(({ head, cell, isNumber, isQuiet }, index) =>
              index === 0 ? (
                <th key={head} role="rowheader" scope="row">
                  <div>{cell(row)}</div>
                </th>
              ) : (
                <td
                  key={head}
                  role="cell"
                  data-head={isQuiet ? undefined : head}
                  data-number={isNumber || undefined}
                  data-quiet={isQuiet || undefined}
                >
                  <div>{cell(row)}</div>
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
