import type { Documentation } from "@/server/boot/documentation";
import { Prose, Table } from "../parts/article";
import { Code } from "../parts/code";
import { documentation } from "../parts/documentation";
import { spanWords } from "./spans";

/** When each attempt of a delivery is made. */
export async function Attempts() {
  const { retrySeconds } = (await documentation()).webhooks;
  return (
    <Table
      head={["Attempt", "Wait after the previous attempt"]}
      rows={[
        { key: "1", cells: ["1", "immediately"] },
        ...retrySeconds.map((seconds, index) => ({
          key: String(index + 2),
          cells: [String(index + 2), spanWords(seconds)],
        })),
      ]}
    />
  );
}

export async function DeliveryFilters() {
  return <Meanings head="Parameter" of={(await documentation()).webhooks.filters} />;
}

export async function DeliveryStates() {
  return <Meanings head="State" of={(await documentation()).webhooks.states} />;
}

export async function ErrorClasses() {
  return <Meanings head="error_class" of={(await documentation()).webhooks.errorClasses} />;
}

function Meanings({ head, of: words }: { head: string; of: Documentation["webhooks"]["states"] }) {
  return (
    <Table
      head={[head, "Meaning"]}
      rows={words.map(({ name, means }) => ({
        key: name,
        cells: [<code key="name">{name}</code>, <Prose key="means" text={means} />],
      }))}
    />
  );
}

/** The deliveries that a program fetches, with their events. */
export async function PulledDeliveries() {
  const { deliveriesExample } = (await documentation()).webhooks;
  return <Code language="json" text={JSON.stringify(deliveriesExample, null, 2)} body />;
}
