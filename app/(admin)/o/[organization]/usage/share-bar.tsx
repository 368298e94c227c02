import type { CSSProperties } from "react";
import { count } from "@/app/ui/format";
import styles from "./usage.module.css";

/** A count, with a bar for its share of the largest count. */
export function ShareBar({ of, most }: { of: number; most: number }) {
  const style: CSSProperties & Record<"--share", number> = { "--share": most === 0 ? 0 : of / most };
  return (
    <span className={styles.share} style={style}>
      {count.format(of)}
    </span>
  );
}
