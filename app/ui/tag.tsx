import type { ReactNode } from "react";
import styles from "./tag.module.css";

export type Tone = "neutral" | "good" | "info" | "warn" | "bad";

/** A word or two about a state. The words say it; the colour only helps to find it. */
export function Tag({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={styles.tag} data-tone={tone}>
      {children}
    </span>
  );
}
