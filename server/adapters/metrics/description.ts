/** How a metric reads, and of what it speaks. */
export interface MetricDescription {
  readonly kind: "counter" | "gauge" | "histogram";
  /**
   * `process`: of the process that is asked, so that sums over processes mean something. `installation`: read from the
   * database, so that all processes say the same, and one of them is enough (`max`, not `sum`).
   */
  readonly scope: "process" | "installation";
  readonly help: string;
  /** Each label's values; null where the program closes the set at its start. No tenant, number or key is ever one. */
  readonly labels: Readonly<Record<string, readonly string[] | null>>;
  /** Upper bounds, of a histogram. */
  readonly buckets?: readonly number[];
}
