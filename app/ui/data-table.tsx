"use client";

import { ActionIcon, Tooltip, UnstyledButton } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import type { ComponentProps, CSSProperties, Key, PointerEvent, ReactNode } from "react";
import styles from "./data-table.module.css";
import { IconArrowDown, IconArrowUp, IconBaselineDensity } from "./icons";
import { holdRow, openRow } from "./open-row";
import { Time } from "./time";

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Cells stay on one line and are right-aligned, as numbers are. */
  readonly isNumber?: boolean;
  /** The heading is for screen readers only, such as that of a column of buttons. */
  readonly isQuiet?: boolean;
  /** The column's share of a wide table, in percent. Needed if its cells consist of `Cut`, which has no width. */
  readonly share?: number;
  /** The value that the column sorts by. Nulls are last. */
  readonly sortBy?: (row: Row) => string | number | null;
}

export interface Sort {
  /** The heading of the column. */
  readonly head: string;
  readonly isDescending: boolean;
}

/** Text of a cell that stays on one line in a wide table. A very long one is cut. */
export function Whole({ children }: { children: ReactNode }) {
  return (
    <span className={styles.whole} onPointerEnter={titleWhereCut}>
      {children}
    </span>
  );
}

/** A time in a cell, on one line in a wide table unless it is exact. */
export function WholeTime(time: ComponentProps<typeof Time>) {
  return (
    <span className={styles.time} data-exact={time.isExact || undefined}>
      <Time {...time} />
    </span>
  );
}

/** The parts of a cell: beside each other on one line in a wide table, else below each other. */
export function Line({ children }: { children: ReactNode }) {
  return <div className={styles.line}>{children}</div>;
}

/** A part of a `Line` that takes the room that is left, and is cut there. The whole text shows on hover. */
export function Cut({ isDimmed, isCode, children }: CutProps) {
  return (
    <span
      className={styles.cut}
      data-dimmed={isDimmed || undefined}
      data-code={isCode || undefined}
      onPointerEnter={titleWhereCut}
    >
      {children}
    </span>
  );
}

interface CutProps {
  readonly isDimmed?: boolean;
  readonly isCode?: boolean;
  readonly children: ReactNode;
}

function titleWhereCut({ currentTarget: text }: PointerEvent<HTMLElement>): void {
  if (text.scrollWidth > text.clientWidth) text.title = text.textContent ?? "";
  else text.removeAttribute("title");
}

/**
 * A table that becomes a list of cards on a narrow screen. The first column identifies the row. A click anywhere in a
 * row opens its first link. The viewer chooses between normal and compact rows for all tables.
 */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  isMuted,
  sort,
  onSort,
}: {
  /** The name of the list, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => Key;
  /** Returns true for a row that is shown muted, because its item is no longer active. */
  isMuted?: (row: Row) => boolean;
  /** The order of the rows, if the viewer chose one. */
  sort?: Sort | null;
  /** Sorts by a column. Without it, the headings are plain text. */
  onSort?: (head: string) => void;
}) {
  const [isCompact, setIsCompact] = useCompactRows();
  // Explicit roles, because a `display` other than that of tables removes the implicit ones.
  return (
    <div className={styles.around}>
      <Tooltip label={isCompact ? "Normal rows" : "Compact rows"}>
        <ActionIcon
          className={styles.density}
          variant={isCompact ? "light" : "subtle"}
          color="gray"
          size="sm"
          aria-label="Compact rows"
          aria-pressed={isCompact}
          onClick={() => setIsCompact(!isCompact)}
        >
          <IconBaselineDensity size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <table role="table" className={styles.table} tabIndex={-1} data-compact={isCompact || undefined}>
        <caption className={styles.quiet}>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <Heading key={column.head} of={column} sort={sort ?? null} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              data-muted={isMuted?.(row) || undefined}
              onClick={openRow}
              onAuxClick={openRow}
              onMouseDown={holdRow}
            >
              {columns.map((column, index) => (
                <Cell key={column.head} of={column} row={row} isFirst={index === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The viewer's choice, in this browser. */
const useCompactRows = () => useLocalStorage({ key: "waypost-compact-rows", defaultValue: false });

function Heading<Row>({
  of: { head, isNumber, isQuiet, share, sortBy },
  sort,
  onSort,
}: {
  of: Column<Row>;
  sort: Sort | null;
  onSort: ((head: string) => void) | undefined;
}) {
  const isSortable = onSort !== undefined && sortBy !== undefined;
  const isSorted = isSortable && sort?.head === head;
  const Arrow = sort?.isDescending ? IconArrowDown : IconArrowUp;
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={isSorted ? (sort.isDescending ? "descending" : "ascending") : undefined}
      data-number={isNumber || undefined}
      data-quiet={isQuiet || undefined}
      data-share={share}
      style={share === undefined ? undefined : ({ "--share": `${share}%` } as CSSProperties)}
    >
      {isQuiet ? <span className={styles.quiet}>{head}</span> : null}
      {isQuiet || isSortable ? null : head}
      {isSortable ? (
        <UnstyledButton className={styles.sort} onClick={() => onSort(head)}>
          {head}
          {isSorted ? <Arrow size={14} aria-hidden /> : null}
        </UnstyledButton>
      ) : null}
    </th>
  );
}

function Cell<Row>({
  of: { head, cell, isNumber, isQuiet },
  row,
  isFirst,
}: {
  of: Column<Row>;
  row: Row;
  isFirst: boolean;
}) {
  if (isFirst) {
    return (
      <th role="rowheader" scope="row">
        <div>{cell(row)}</div>
      </th>
    );
  }
  return (
    <td
      role="cell"
      data-head={isQuiet ? undefined : head}
      data-number={isNumber || undefined}
      data-quiet={isQuiet || undefined}
    >
      <div>{cell(row)}</div>
    </td>
  );
}
