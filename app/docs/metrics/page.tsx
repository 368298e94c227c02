import type { Metadata } from "next";
import { getRuntime } from "@/app/runtime";
import { Article, Heading, Prose, Table } from "../parts/article";
import { Shell } from "../parts/code";

export const metadata: Metadata = { title: "Metrics and alerts" };

const READ = `curl -sS -H "Authorization: Bearer $(cat "\${WAYPOST_DATA_DIR:-data}/metrics-token")" "$WAYPOST_URL/metrics"`;

const SCRAPE = `scrape_configs:
- job_name: waypost
  scrape_interval: 15s
  authorization: { credentials_file: /etc/prometheus/waypost-metrics-token }
  static_configs:
  - targets: ["waypost-1.internal:3000", "waypost-2.internal:3000"]`;

export default async function MetricsPage() {
  const { metrics, alerts, alertRules } = (await getRuntime()).documentation;
  return (
    <Article
      path="/docs/metrics"
      lead="Each process tells Prometheus what it does, and what the database knows of all of them."
    >
      <Heading id="reading">Reading them</Heading>
      <p>
        <code>/metrics</code> tells how much is sent, so it is only for who has the token: it is in the file{" "}
        <code>metrics-token</code> of the data directory, or <code>WAYPOST_METRICS_TOKEN</code>. Give several
        machines one token by that variable.
      </p>
      <Shell lines={READ} answers={[200]} inCheckout />
      <p>
        Scrape each process by its own address, not through what shares requests out between them. No label
        names an organization, a key or a number.
      </p>
      <Shell lines={SCRAPE} />

      <Heading id="alerts">Alerts</Heading>
      <p>What to be told of, and what to do then. The rules below are these, for Prometheus.</p>
      <Table
        isStacked
        head={["Alert", "What to do"]}
        rows={alerts.map(({ name, remedy }) => ({
          key: name,
          cells: [<code key="name">{name}</code>, <Prose key="remedy" text={remedy} />],
        }))}
      />
      <Shell lines={alertRules} />

      <Heading id="metrics">Every metric</Heading>
      <p>
        Those of the installation are read from the database, at most every ten seconds, so all processes say
        the same: take their <code>max</code>, never their sum. What can’t be read within two seconds is left
        out, and <code>waypost_installation_up</code> says so. All others are of the process that is asked.
        Node’s and the process’s own (<code>nodejs_</code>, <code>process_</code>) come on top, the delay of
        the event loop and memory among them.
      </p>
      <Table
        isStacked
        head={["Metric", "Tells", "Labels", "Of"]}
        rows={metrics.map(({ name, help, labels, isOfInstallation }) => ({
          key: name,
          cells: [
            <code key="name">{name}</code>,
            <Prose key="help" text={help} />,
            labels.join(", "),
            isOfInstallation ? "installation" : "process",
          ],
        }))}
      />
    </Article>
  );
}
