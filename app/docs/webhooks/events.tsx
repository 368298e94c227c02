import type { Documentation } from "@/server/boot/documentation";
import { Fold, Heading, Prose, Table } from "../parts/article";
import { Code } from "../parts/code";
import { documentation } from "../parts/documentation";

type Facts = Documentation["webhooks"];

/** Each event type, with an example. */
export async function EventTypes() {
  const { events } = (await documentation()).webhooks;
  return events.map(({ type, description, example }) => (
    <section key={type} aria-label={type}>
      <Heading id={type} level={3}>
        {type}
      </Heading>
      <p>
        <Prose text={description} />
      </p>
      <Example title="Example" value={example} />
    </section>
  ));
}

function Example({ title, value }: { title: string; value: object }) {
  return (
    <Fold title={title}>
      <Code language="json" text={JSON.stringify(value, null, 2)} />
    </Fold>
  );
}

export async function StateFields() {
  return <Fields of={(await documentation()).webhooks.fields.ofState} />;
}

export async function ReceivedFields() {
  return <Fields of={(await documentation()).webhooks.fields.ofReceived} />;
}

export async function PreferenceFields() {
  return <Fields of={(await documentation()).webhooks.fields.ofPreference} />;
}

export async function ContactChangeFields() {
  return <Fields of={(await documentation()).webhooks.fields.ofContactChange} />;
}

export async function CommonContentFields() {
  return <Fields of={(await documentation()).webhooks.fields.ofEveryContent} />;
}

/** Every kind of content that customers send, with its fields and examples. */
export async function Contents() {
  const { contents } = (await documentation()).webhooks;
  return contents.map(({ types, description, fields, examples }) => (
    <section key={types.join()} aria-label={`Content: ${types.join(", ")}`}>
      <p>
        {types.map((type, index) => (
          <span key={type}>
            {index === 0 ? null : ", "}
            <code>{type}</code>
          </span>
        ))}
        : {description}.
      </p>
      {fields.length === 0 ? null : <Fields of={fields} />}
      {examples.map((example, index) => (
        <Example key={types[index]} title={`Example: ${types[index]}`} value={example} />
      ))}
    </section>
  ));
}

function Fields({ of: fields }: { of: Facts["fields"]["ofState"] }) {
  return (
    <Table
      isStacked
      head={["Field", "Type", "Description"]}
      rows={fields.map(({ name, type, description }) => ({
        key: name,
        cells: [<code key="name">{name}</code>, type, <Prose key="means" text={description ?? ""} />],
      }))}
    />
  );
}
