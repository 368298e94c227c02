import type { inferOutput } from "@trpc/tanstack-react-query";
import type { ReactNode } from "react";
import type { Procedures } from "@/app/ui/trpc";
import styles from "./changes.module.css";
import { type Difference, differencesOf } from "./differences";

export type Act = inferOutput<Procedures["audit"]["list"]>["data"][number];

/** Further facts are shown on request: they are the values that something was created with. */
const FACTS_SHOWN_MAX = 3;

/** Shows what an act changed, or the values that something was created with. */
export function Changes({ of: { action, detail } }: { of: Pick<Act, "action" | "detail"> }) {
  const differences = differencesOf(action, detail);
  if (differences.length === 0) return "–";
  const lines = <Lines of={differences} />;
  const isChange = differences.some(({ before }) => before !== null);
  if (isChange || differences.length <= FACTS_SHOWN_MAX) return lines;
  return (
    <details className={styles.facts}>
      <summary>{differences.length} details</summary>
      {lines}
    </details>
  );
}

function Lines({ of: differences }: { of: readonly Difference[] }) {
  return (
    <dl className={styles.changes}>
      {differences.map(({ name, before, after }) => (
        <Line key={name} name={name}>
          {before === null ? (
            after
          ) : (
            <>
              <del>{before}</del> <span aria-label="became">→</span> <ins>{after}</ins>
            </>
          )}
        </Line>
      ))}
    </dl>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
