import type { ComponentProps, Key, ReactNode } from "react";
import styles from "./data-table.module.css";
import { Time } from "./time";

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Cells stay on one line and are right-aligned, as numbers are. */
  readonly isNumber?: boolean;
  /** The heading is for screen readers only, such as that of a column of buttons. */
  readonly isQuiet?: boolean;
}

/** Text of a cell whose words aren't broken as long as other columns have room. */
export function Whole({ children }: { children: ReactNode }) {
  return <span className={styles.whole}>{children}</span>;
}

/** A time in a cell, on one line if there is room. */
export function WholeTime(time: ComponentProps<typeof Time>) {
  return (
    <Whole>
      <Time {...time} />
    </Whole>
  );
}

/** A table that becomes a list of cards on a narrow screen. The first column identifies the row. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  isMuted,
}: {
  /** The name of the list, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => Key;
  /** Returns true for a row that is shown muted, because its item is no longer active. */
  isMuted?: (row: Row) => boolean;
}) {
  // Explicit roles, because a `display` other than that of tables removes the implicit ones.
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
