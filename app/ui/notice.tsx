import type { ReactNode } from "react";
import styles from "./notice.module.css";

/** A page that says one thing: a short headline, a sentence or two, and what can be done about it. */
export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.notice}>
      <h1 className={styles.title}>{title}</h1>
      {children}
    </main>
  );
}
