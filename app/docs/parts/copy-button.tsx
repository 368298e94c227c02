"use client";

import { useState } from "react";
import styles from "./code.module.css";

type Outcome = "ready" | "copied" | "failed";
const WORDS = { ready: "Copy", copied: "Copied", failed: "Select and copy" } as const satisfies Record<
  Outcome,
  string
>;

/** Copies the text and says whether that worked: a page without HTTPS may not use the clipboard. */
export function CopyButton({ text }: { text: string }) {
  const [outcome, setOutcome] = useState<Outcome>("ready");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      setOutcome("failed");
    }
  };
  return (
    <button
      type="button"
      className={styles.copy}
      onClick={() => void copy()}
      onBlur={() => setOutcome("ready")}
    >
      <span aria-live="polite">{WORDS[outcome]}</span>
    </button>
  );
}
