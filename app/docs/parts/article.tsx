import Link from "next/link";
import type { ReactNode } from "react";
import { PAGES, pageAt } from "./pages";
import styles from "./article.module.css";

/** A page of the documentation: title, lead, text, and links to the previous and next page. */
export function Article({ path, lead, children }: { path: string; lead: ReactNode; children: ReactNode }) {
  const { title } = pageAt(path);
  const at = PAGES.findIndex((page) => page.path === path);
  return (
    <article className={styles.article}>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.lead}>{lead}</p>
      <div className={styles.body}>{children}</div>
      <nav className={styles.next} aria-label="Previous and next page">
        <Neighbour label="Previous" page={PAGES[at - 1]} />
        <Neighbour label="Next" page={PAGES[at + 1]} />
      </nav>
    </article>
  );
}

function Neighbour({ label, page }: { label: string; page: (typeof PAGES)[number] | undefined }) {
  if (!page) return null;
  return (
    <Link href={page.path}>
      <small>{label}</small>
      {page.title}
    </Link>
  );
}

/** A heading that can be linked to. Its id is part of public URLs and must not change. */
export function Heading({ id, level = 2, children }: { id: string; level?: 2 | 3; children: ReactNode }) {
  const Tag = level === 2 ? "h2" : "h3";
  return (
    <Tag id={id}>
      <a className={styles.anchor} href={`#${id}`}>
        {children}
      </a>
    </Tag>
  );
}

/** A table. If `isStacked`, each row becomes a block of labelled lines on a narrow screen. */
export function Table({
  head,
  rows,
  isStacked = false,
}: {
  head: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
  isStacked?: boolean;
}) {
  return (
    <div className={styles.tableFrame}>
      <table className={isStacked ? `${styles.table} ${styles.stacked}` : styles.table}>
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
          {rows.map(({ key, cells }) => (
            <tr key={key}>
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
