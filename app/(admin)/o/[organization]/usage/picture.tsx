import type { ReactNode } from "react";
import styles from "./usage.module.css";

/** A chart. Its space is reserved while it loads. The table behind it says the same for people who can't see it. */
export function Picture({ isLow = false, children }: { isLow?: boolean; children: ReactNode }) {
  return (
    <div className={styles.picture} data-low={isLow || undefined} aria-hidden>
      {children}
    </div>
  );
}
