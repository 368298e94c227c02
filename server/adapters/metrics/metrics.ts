import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { type LabelsOf, type MetricName, METRICS, type NameOf } from "./catalogue";
import type { MetricDescription } from "./description";

/** The metrics of a process. Names and labels are those of the catalogue. */
export interface Metrics {
  /** Increases a counter by one, or by `by`. */
  count<N extends NameOf<"counter">>(name: N, labels: LabelsOf<N>, by?: number): void;
  observe<N extends NameOf<"histogram">>(name: N, labels: LabelsOf<N>, value: number): void;
  /** Sets a gauge. Null removes it from the text, because its value is unknown. */
  set<N extends NameOf<"gauge">>(name: N, labels: LabelsOf<N>, value: number | null): void;
  /** Removes a gauge, whatever its labels. */
  clear(name: NameOf<"gauge">): void;
  /** Returns all metrics in Prometheus's text format. */
  text(): Promise<string>;
  readonly contentType: string;
  /** For the library's own metrics of the process. */
  readonly registry: Registry;
}

type Instrument = Counter | Gauge | Histogram;
/** If a metric has more combinations of labels, they aren't written before they occur. */
const WRITTEN_AT_ONCE_MAX = 100;

/**
 * Creates the metrics of one process. Counters with known labels begin with 0, so that Prometheus sees the first
 * increase.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const instruments = new Map<string, Instrument>();
  for (const [name, description] of Object.entries<MetricDescription>(METRICS)) {
    const instrument = instrumentOf(registry, name, description);
    for (const labels of combinations(description)) begin(instrument, labels);
    instruments.set(name, instrument);
  }
  const find = (name: MetricName) => instruments.get(name);
  return {
    count(name, labels, by = 1) {
      const counter = find(name);
      if (counter instanceof Counter) counter.inc(labels, by);
    },
    observe(name, labels, value) {
      const histogram = find(name);
      if (histogram instanceof Histogram) histogram.observe(labels, value);
    },
    set(name, labels, value) {
      const gauge = find(name);
      if (!(gauge instanceof Gauge)) return;
      if (value === null) gauge.remove(labels);
      else gauge.set(labels, value);
    },
    clear(name) {
      const gauge = find(name);
      if (!(gauge instanceof Gauge)) return;
      gauge.reset();
      // Without this, a gauge without labels would remain at 0.
      gauge.remove({});
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
    registry,
  };
}

function instrumentOf(registry: Registry, name: string, description: MetricDescription): Instrument {
  const { kind, scope, labels, buckets } = description;
  const help = `${description.help}${scope === "installation" ? " (of the installation)" : ""}`;
  const common = { name, help, labelNames: Object.keys(labels), registers: [registry] };
  if (kind === "counter") return new Counter(common);
  if (kind === "gauge") return new Gauge(common);
  return new Histogram({ ...common, buckets: [...(buckets ?? [])] });
}

function begin(instrument: Instrument, labels: Record<string, string>): void {
  if (instrument instanceof Counter) instrument.inc(labels, 0);
  else if (instrument instanceof Histogram) instrument.zero(labels);
  // Values that are read at each scrape aren't known before the first.
  else instrument.remove(labels);
}

/** Returns every combination of the labels. None if the values of a label aren't known, or if there are too many. */
function combinations({ labels }: MetricDescription): Record<string, string>[] {
  let all: Record<string, string>[] = [{}];
  for (const [name, values] of Object.entries(labels)) {
    all = all.flatMap((one) => (values ?? []).map((value) => ({ ...one, [name]: value })));
  }
  return all.length > WRITTEN_AT_ONCE_MAX ? [] : all;
}
