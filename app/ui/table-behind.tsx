"use client";

import { VisuallyHidden } from "@mantine/core";
import { type ReactNode, useState } from "react";
import styles from "./table-behind.module.css";

/** Shows a chart's data as a table. The table is rendered on request, because it may be long. */
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
