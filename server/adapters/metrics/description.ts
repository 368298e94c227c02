/** Text and scope of a metric. */
export interface MetricDescription {
  readonly kind: "counter" | "gauge" | "histogram";
  /**
   * `process`: describes the process that is scraped, so that sums over processes are meaningful. `installation`: read
   * from the database, so that all processes report the same value and one of them is enough (`max`, not `sum`).
   */
  readonly scope: "process" | "installation";
  readonly help: string;
  /**
   * The values of each label. Null if the program defines the set at its start. A label is never a tenant, a phone
   * number or a key.
   */
  readonly labels: Readonly<Record<string, readonly string[] | null>>;
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[];
}
