"use client";

import { type MouseEvent, useState } from "react";
import styles from "./code.module.css";

type Outcome = "ready" | "copied" | "failed";

interface CopyButtonProps {
  /** Loads the text when it is copied. Without it, the text is that of the code before the button. */
  readonly load?: () => Promise<string>;
  readonly label?: string;
  readonly className?: string | undefined;
}

/** Copies the text and says whether that worked: a page without HTTPS may not use the clipboard. */
export function CopyButton({ load, label = "Copy", className = styles.copy }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>("ready");
  const words = { ready: label, copied: "Copied", failed: "Select and copy" } as const satisfies Record<
    Outcome,
    string
  >;
  const copy = async ({ currentTarget }: MouseEvent) => {
    const code = currentTarget.previousElementSibling?.textContent ?? "";
    try {
      await navigator.clipboard.writeText(load ? await load() : code);
      setOutcome("copied");
    } catch {
      setOutcome("failed");
    }
  };
  return (
    <button
      type="button"
      className={className}
      onClick={(event) => void copy(event)}
      onBlur={() => setOutcome("ready")}
    >
      <span aria-live="polite">{words[outcome]}</span>
    </button>
  );
}
