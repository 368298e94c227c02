import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import styles from "./usage.module.css";

/** The chart library is most of the page's script, so it is loaded only when there is something to draw. */
export const StatesChart = dynamic(() => import("./charts").then((charts) => charts.StatesChart), {
  ssr: false,
});
export const RefusalsChart = dynamic(() => import("./charts").then((charts) => charts.RefusalsChart), {
  ssr: false,
});
export const LatencyChart = dynamic(() => import("./charts").then((charts) => charts.LatencyChart), {
  ssr: false,
});

/** A chart. Its space is reserved while it loads. The table behind it says the same for people who can't see it. */
export function Picture({ isLow = false, children }: { isLow?: boolean; children: ReactNode }) {
  return (
    <div className={styles.picture} data-low={isLow || undefined} aria-hidden>
      {children}
    </div>
  );
}
