"use client";

import { useState } from "react";
import styles from "./code.module.css";

type Outcome = "ready" | "copied" | "failed";

interface CopyButtonProps {
  /** A function loads the text when it is copied. */
  readonly text: string | (() => Promise<string>);
  readonly label?: string;
  readonly className?: string | undefined;
}

/** Copies the text and says whether that worked: a page without HTTPS may not use the clipboard. */
export function CopyButton({ text, label = "Copy", className = styles.copy }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>("ready");
  const words = { ready: label, copied: "Copied", failed: "Select and copy" } as const satisfies Record<
    Outcome,
    string
  >;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : await text());
      setOutcome("copied");
    } catch {
      setOutcome("failed");
    }
  };
  return (
    <button
      type="button"
      className={className}
      onClick={() => void copy()}
      onBlur={() => setOutcome("ready")}
    >
      <span aria-live="polite">{words[outcome]}</span>
    </button>
  );
}
