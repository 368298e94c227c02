import Link from "next/link";
import type { Documentation } from "@/server/boot/documentation";
import { Fold, Heading, Prose, Table } from "../parts/article";
import { Shell } from "../parts/code";

type Facts = Documentation["webhooks"];

/** Every event type with an example and the fields of its data. */
export function Events({ facts: { events, fields, contents } }: { facts: Facts }) {
  return (
    <>
      <Heading id="events">Events</Heading>
      <p>
        Every body is{" "}
        <code>&#123; &quot;id&quot;, &quot;type&quot;, &quot;timestamp&quot;, &quot;data&quot; &#125;</code>.
        The <code>id</code> is the same as in the <code>webhook-id</code> header:{" "}
        <a href="#order">process each id once</a>. New fields can be added: ignore fields that you don’t know.
        You find the same description in the <Link href="/docs/api">API reference</Link> and, in
        machine-readable form, under <code>webhooks</code> in the OpenAPI document.
      </p>
      {events.map(({ type, description, example }) => (
        <section key={type} aria-label={type}>
          <Heading id={type} level={3}>
            {type}
          </Heading>
          <p>
            <Prose text={description} />
          </p>
          <Fold title="Example">
            <Shell lines={JSON.stringify(example, null, 2)} />
          </Fold>
        </section>
      ))}
      <Heading id="fields" level={3}>
        Fields
      </Heading>
      <p>
        The <code>data</code> of a state change contains what <code>GET /messages/&#123;id&#125;</code>{" "}
        returns at that moment, without the content of the message, plus these fields:
      </p>
      <Fields of={fields.ofState} />
      <p>
        The <code>data</code> of <code>message.received</code> contains these fields:
      </p>
      <Fields of={fields.ofReceived} />
      <Contents of={contents} />
      <p>Content of every kind can also have these fields:</p>
      <Fields of={fields.ofEveryContent} />
    </>
  );
}

function Contents({ of: contents }: { of: Facts["contents"] }) {
  return (
    <>
      <Heading id="contents" level={3}>
        What customers send
      </Heading>
      <p>
        In <code>message.received</code>, <code>content.type</code> is the kind of content. It determines the
        other fields of <code>content</code>. New kinds can be added: treat a kind that you don’t know as{" "}
        <code>unknown</code>.
      </p>
      {contents.map(({ types, description, fields, examples }) => (
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
            <Fold key={types[index]} title={`Example: ${types[index]}`}>
              <Shell lines={JSON.stringify(example, null, 2)} />
            </Fold>
          ))}
        </section>
      ))}
    </>
  );
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
