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
      lead="Each process exposes its own metrics, and metrics of the whole installation from the database, to Prometheus."
    >
      <Heading id="reading">Read the metrics</Heading>
      <p>
        <code>/metrics</code> shows how much is sent, so it requires a token. The token is in the file{" "}
        <code>metrics-token</code> in the data directory, or in <code>WAYPOST_METRICS_TOKEN</code>. Use this
        variable to give several machines the same token.
      </p>
      <Shell lines={READ} answers={[200]} inCheckout />
      <p>
        Scrape each process at its own address, not through a load balancer. No label contains an
        organization, a key or a phone number.
      </p>
      <Shell lines={SCRAPE} />

      <Heading id="alerts">Alerts</Heading>
      <p>
        The table lists the recommended alerts and what to do about each. Below it, the same alerts as
        Prometheus rules.
      </p>
      <Table
        isStacked
        head={["Alert", "What to do"]}
        rows={alerts.map(({ name, remedy }) => ({
          key: name,
          cells: [<code key="name">{name}</code>, <Prose key="remedy" text={remedy} />],
        }))}
      />
      <Shell lines={alertRules} />

      <Heading id="metrics">All metrics</Heading>
      <p>
        Metrics of the installation are read from the database, at most every ten seconds. All processes
        report the same values: use their <code>max</code>, never their sum. A metric that can’t be read
        within two seconds is left out, and <code>waypost_installation_up</code> reports this. All other
        metrics concern only the process that you scrape. There are also the default metrics of Node.js and of
        the process (<code>nodejs_</code>, <code>process_</code>), including event loop delay and memory.
      </p>
      <Table
        isStacked
        head={["Metric", "Description", "Labels", "Scope"]}
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
