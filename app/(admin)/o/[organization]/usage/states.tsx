import type { Point } from "./usage-filter";
import styles from "./usage.module.css";

/** The states of messages, from the bottom of a bar to its top. */
export const STATES = [
  { name: "read", label: "Read", meaning: "the customer opened it" },
  { name: "delivered", label: "Delivered", meaning: "it is on the customer’s phone" },
  { name: "sent", label: "Sent", meaning: "WhatsApp has it" },
  { name: "queued", label: "Queued", meaning: "it is waiting to be sent to WhatsApp, or for confirmation" },
  { name: "failed", label: "Failed", meaning: "it will not be delivered" },
] as const satisfies readonly { name: keyof Point; label: string; meaning: string }[];

export type StateName = (typeof STATES)[number]["name"];

const SIZE = 6;

/** Patterns that distinguish the states without colour. */
const DRAWINGS: Record<StateName, string | null> = {
  read: null,
  delivered: "M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2",
  sent: "M3,0 v6",
  queued: "M0,3 h6",
  failed: "M0,0 l6,6 M6,0 l-6,6",
};

export const patternOf = (state: StateName) => `url(#usage-${state})`;

/** The fills of bars and legends. Rendered once per page: each chart refers to them by id. */
export function Patterns() {
  return (
    <svg width={0} height={0} className={styles.patterns} aria-hidden>
      <defs>
        {Object.entries(DRAWINGS).map(([state, drawing]) => (
          <pattern
            key={state}
            id={`usage-${state}`}
            width={SIZE}
            height={SIZE}
            patternUnits="userSpaceOnUse"
            className={styles.pattern}
            data-state={state}
          >
            <rect width={SIZE} height={SIZE} data-solid={drawing === null || undefined} />
            {drawing === null ? null : <path d={drawing} />}
          </pattern>
        ))}
      </defs>
    </svg>
  );
}

/** A sample of a bar's fill, beside its name. */
export function Swatch({ state }: { state: StateName }) {
  return (
    <svg width={16} height={16} className={styles.swatch} data-state={state} aria-hidden>
      <rect width={16} height={16} rx={3} fill={patternOf(state)} />
    </svg>
  );
}
