import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { type LabelsOf, type MetricName, METRICS, type NameOf } from "./catalogue";
import type { MetricDescription } from "./description";

/** What a process counts and measures. Each metric is named as in the catalogue, with the labels that it has there. */
export interface Metrics {
  /** One more, or `by` more. */
  count<N extends NameOf<"counter">>(name: N, labels: LabelsOf<N>, by?: number): void;
  observe<N extends NameOf<"histogram">>(name: N, labels: LabelsOf<N>, value: number): void;
  /** What it is now; null takes it out of the text, since nobody knows. */
  set<N extends NameOf<"gauge">>(name: N, labels: LabelsOf<N>, value: number | null): void;
  /** Leaves nothing of a gauge, whatever its labels. */
  clear(name: NameOf<"gauge">): void;
  /** Everything, in Prometheus's text format. */
  text(): Promise<string>;
  readonly contentType: string;
  /** For the library's own metrics of the process. */
  readonly registry: Registry;
}

type Instrument = Counter | Gauge | Histogram;
/** More combinations of labels than this aren't written before they occur. */
const WRITTEN_AT_ONCE_MAX = 100;

/**
 * The metrics of one process. Counters whose labels are known begin with 0, so that the first increase is one for
 * Prometheus too.
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
      // One without labels would be left with 0.
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
  // What is read at each scrape isn't known before the first.
  else instrument.remove(labels);
}

/** Every combination of the labels; none where one of them isn't known, or where they are too many. */
function combinations({ labels }: MetricDescription): Record<string, string>[] {
  let all: Record<string, string>[] = [{}];
  for (const [name, values] of Object.entries(labels)) {
    all = all.flatMap((one) => (values ?? []).map((value) => ({ ...one, [name]: value })));
  }
  return all.length > WRITTEN_AT_ONCE_MAX ? [] : all;
}
