import type { ReactNode } from "react";
import styles from "./tag.module.css";

export type Tone = "neutral" | "good" | "info" | "warn" | "bad";

/** A short label for a state. The words carry the meaning; the colour only makes it easier to find. */
export function Tag({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={styles.tag} data-tone={tone}>
      {children}
    </span>
  );
}
