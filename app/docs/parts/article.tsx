import Link from "next/link";
import type { ReactNode } from "react";
import styles from "./article.module.css";
import { Neighbours } from "./neighbours";

/** A page of the documentation: its title, a lead, its text, and links to the previous and next page. */
export function Article({ children }: { children?: ReactNode }) {
  return (
    <article className={styles.article}>
      {children}
      <Neighbours />
    </article>
  );
}

/** A heading that can be linked to. Its id is part of public URLs and must not change. */
export function Heading({ id, level = 2, children }: { id: string; level?: 2 | 3 | 4; children: ReactNode }) {
  const Tag = `h${level}` as const;
  return (
    <Tag id={id}>
      <a className={styles.anchor} href={`#${id}`}>
        {children}
      </a>
    </Tag>
  );
}

interface TableProps {
  readonly head: readonly string[];
  /** A row with an `id` can be linked to. */
  readonly rows: readonly {
    readonly key: string;
    readonly id?: string;
    readonly cells: readonly ReactNode[];
  }[];
  readonly isStacked?: boolean;
}

/** A table. If `isStacked`, each row becomes a block of labelled lines on a narrow screen. */
export function Table({ head, rows, isStacked = false }: TableProps) {
  const table = (
    <div className={styles.tableFrame}>
      <table className={styles.table}>
        <thead>
          <tr>
            {head.map((text) => (
              <th key={text} scope="col">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, id, cells }) => (
            <tr key={key} id={id}>
              {cells.map((cell, column) => (
                <td key={head[column]} data-head={head[column]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
  return isStacked ? <Stacked>{table}</Stacked> : table;
}

/** Shows each row of a table as a block of labelled lines on a narrow screen. */
export function Stacked({ children }: { children: ReactNode }) {
  return <div className={styles.stacked}>{children}</div>;
}

/** A collapsible section for long text that few readers need. */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={styles.fold}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

export function Note({ children }: { children: ReactNode }) {
  return <aside className={styles.note}>{children}</aside>;
}

/** Renders text of the catalogue. Words between backticks are code. */
export function Prose({ text }: { text: string }) {
  const parts = text.split("`");
  // Every second part was between backticks. The text never changes, so indexes are stable keys.
  return parts.map((part, place) =>
    place % 2 === 1 ? <code key={part + String(place)}>{part}</code> : part,
  );
}

/** A link to the explanation of an error code. */
export function ErrorLink({ code }: { code: string }) {
  return (
    <Link href={`/docs/errors#${code}`} prefetch={false}>
      <code>{code}</code>
    </Link>
  );
}
