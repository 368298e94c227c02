// Upper bounds of histograms, in seconds.

/** For durations of milliseconds: a response, a statement. */
export const SHORT_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;
/** For calls to other services. */
export const CALL_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60, 120] as const;
/** For work that may wait in a queue. */
export const LAG_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800] as const;

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
