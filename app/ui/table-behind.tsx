"use client";

import { VisuallyHidden } from "@mantine/core";
import { type ReactNode, useState } from "react";
import styles from "./table-behind.module.css";

/** What a chart shows as a table: made when it is asked for, because it may be long. */
export function TableBehind({ of, children }: { of: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.behind} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Show as a table<VisuallyHidden>: {of}</VisuallyHidden>
      </summary>
      {isOpen ? children : null}
    </details>
  );
}
