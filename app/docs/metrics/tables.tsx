import { Prose, Table } from "../parts/article";
import { Code } from "../parts/code";
import { documentation } from "../parts/documentation";

/** The recommended alerts, as a table and as rules for Prometheus. */
export async function Alerts() {
  const { alerts, alertRules } = await documentation();
  return (
    <>
      <Table
        isStacked
        head={["Alert", "What to do"]}
        rows={alerts.map(({ name, remedy }) => ({
          key: name,
          cells: [<code key="name">{name}</code>, <Prose key="remedy" text={remedy} />],
        }))}
      />
      <Code language="yaml" text={alertRules} />
    </>
  );
}

export async function Metrics() {
  const { metrics } = await documentation();
  return (
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
  );
}
