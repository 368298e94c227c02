import type { ReactNode } from "react";
import styles from "./usage.module.css";

/** A chart, whose place is kept while it is fetched. The table behind it says the same to whoever can't see it. */
export function Picture({ isLow = false, children }: { isLow?: boolean; children: ReactNode }) {
  return (
    <div className={styles.picture} data-low={isLow || undefined} aria-hidden>
      {children}
    </div>
  );
}
