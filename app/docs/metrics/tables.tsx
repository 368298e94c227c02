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

/** The metrics of the whole installation, or those of a process. */
export async function Metrics({ of }: { of: "installation" | "process" }) {
  const { metrics } = await documentation();
  const shown = metrics.filter(({ isOfInstallation }) => isOfInstallation === (of === "installation"));
  return (
    <Table
      isStacked
      head={["Metric", "Description", "Labels"]}
      rows={shown.map(({ name, help, labels }) => ({
        key: name,
        cells: [<code key="name">{name}</code>, <Prose key="help" text={help} />, labels.join(", ")],
      }))}
    />
  );
}
