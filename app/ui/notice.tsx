import type { ReactNode } from "react";
import styles from "./notice.module.css";

/** A page with a single message: a short headline, one or two sentences, and the possible actions. */
export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.notice}>
      <h1 className={styles.title}>{title}</h1>
      {children}
    </main>
  );
}
