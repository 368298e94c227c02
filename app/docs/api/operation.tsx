import type { SampleRequest } from "@/app/ui/request-samples";
import { ErrorLink, Fold, Heading, Prose, Table } from "../parts/article";
import { Code } from "../parts/code";
import styles from "./api.module.css";
import type { Answer, ApiDocument, DescribedOperation, Schema } from "./document";
import { nameOf, resolve } from "./document";
import { FieldTable } from "./field-table";
import { fieldsOf, parametersOf } from "./fields";
import { sampleRequestOf } from "./sample-request";
import { Samples } from "./samples";

interface Shown extends DescribedOperation {
  readonly document: ApiDocument;
  /** Names of the objects with a section. */
  readonly objects: ReadonlySet<string>;
  /** Codes of every operation, which have one section for all. */
  readonly commonCodes: readonly string[];
}

/** Everything about one operation. Its anchor is its operationId. */
export function Operation(shown: Shown) {
  const { operation, method, path } = shown;
  const id = operation.operationId;
  return (
    <section aria-labelledby={id} className={styles.operation}>
      <Heading id={id} level={3}>
        {operation.summary}
      </Heading>
      <p className={styles.route}>
        <code>
          {method} {path}
        </code>
      </p>
      {operation.description
        .split("\n\n")
        .filter((paragraph) => !paragraph.startsWith("Error codes:"))
        .map((paragraph) => (
          <p key={paragraph}>
            <Prose text={paragraph} />
          </p>
        ))}
      <Parameters {...shown} />
      <Body {...shown} />
      <Answers {...shown} />
      <Errors {...shown} />
    </section>
  );
}

function Parameters({ operation, document }: Shown) {
  const { operationId, parameters = [] } = operation;
  if (parameters.length === 0) return null;
  return (
    <>
      <Heading id={`${operationId}-parameters`} level={4}>
        Parameters
      </Heading>
      <FieldTable head="Parameter" fields={parametersOf(parameters, document)} />
    </>
  );
}

/** The fields of the body, and a sample: for a body of several types, a part for each. */
function Body(shown: Shown) {
  const { operation, document } = shown;
  const { operationId, requestBody } = operation;
  const [contentType = "", content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const request = sampleRequestOf(shown);
  if (!content) return <Sample id={operationId} request={request} />;
  const heading = (
    <Heading id={`${operationId}-body`} level={4}>
      Body
    </Heading>
  );
  if (contentType !== "application/json")
    return (
      <>
        {heading}
        <p>
          <Prose text={`${requestBody?.description}.`} />
        </p>
        <Sample id={operationId} request={request} />
      </>
    );
  const schema = resolve(content.schema, document);
  if (schema.discriminator) {
    const examples = Object.values(content.examples ?? {}).map(({ value }) => value);
    return (
      <>
        {heading}
        <Variants {...shown} schema={schema} examples={examples} />
      </>
    );
  }
  return (
    <>
      {heading}
      <FieldTable fields={fieldsOf(schema, { document, objects: NONE })} />
      <Sample id={operationId} request={request} />
    </>
  );
}

/** The objects of a request are shown within it. */
const NONE: ReadonlySet<string> = new Set();
interface VariantsProps extends Shown {
  readonly schema: Schema;
  readonly examples: readonly unknown[];
}

function Variants({ operation, document, method, path, schema, examples }: VariantsProps) {
  const { propertyName = "", mapping = {} } = schema.discriminator ?? {};
  const variants = Object.entries(mapping).map(([type, $ref]) => {
    const fields = fieldsOf({ $ref }, { document, objects: NONE });
    return { type, fields: fields.filter(({ name }) => name !== propertyName) };
  });
  const isCommon = (name: string) =>
    variants.every(({ fields }) => fields.some((field) => field.name === name));
  const { operationId } = operation;
  return (
    <>
      <p>
        <Prose text={`${schema.description}. These fields are the same for every \`${propertyName}\`:`} />
      </p>
      <FieldTable fields={(variants[0]?.fields ?? []).filter(({ name }) => isCommon(name))} />
      {variants.map(({ type, fields }) => (
        <section key={type} aria-labelledby={`${operationId}-${type}`}>
          <Heading id={`${operationId}-${type}`} level={4}>
            Body with <code>{`"${propertyName}": "${type}"`}</code>
          </Heading>
          <FieldTable fields={fields.filter(({ name }) => !isCommon(name))} />
          <Samples
            id={`${operationId}-${type}`}
            request={{
              operationId,
              method,
              path,
              body: examples.find((one) => isOfType(one, propertyName, type)),
            }}
          />
        </section>
      ))}
    </>
  );
}

function isOfType(example: unknown, property: string, type: string): boolean {
  return typeof example === "object" && example !== null && Reflect.get(example, property) === type;
}

function Sample({ id, request }: { id: string; request: SampleRequest }) {
  return (
    <>
      <Heading id={`${id}-sample`} level={4}>
        Sample request
      </Heading>
      <Samples id={id} request={request} />
    </>
  );
}

function Answers(shown: Shown) {
  const { operation } = shown;
  const successes = Object.entries(operation.responses).filter(([status]) => status < "300");
  return (
    <>
      <Heading id={`${operation.operationId}-response`} level={4}>
        Response
      </Heading>
      <ul>
        {successes.map(([status, { description }]) => (
          <li key={status}>
            <strong>{status}</strong>: {description}.
          </li>
        ))}
      </ul>
      <AnswerBody {...shown} answers={successes} />
    </>
  );
}

function AnswerBody({
  answers,
  document,
  objects,
}: Shown & { answers: readonly (readonly [string, Answer])[] }) {
  const bodies = answers.flatMap(([status, { content = {} }]) =>
    Object.values(content).map((body) => ({ status, ...body })),
  );
  const [first] = bodies;
  if (!first) return null;
  const name = nameOf(first.schema);
  return (
    <>
      {name !== null && objects.has(name) ? (
        <p>
          The body is a <a href={`#${name}`}>{name}</a>.
        </p>
      ) : (
        <FieldTable fields={fieldsOf(first.schema, { document, objects })} />
      )}
      {bodies.map(({ status, example }) => (
        <Fold key={status} title={`Example of a ${status}`}>
          <Code language="json" text={JSON.stringify(example, null, 2)} />
        </Fold>
      ))}
    </>
  );
}

function Errors({ operation, document, commonCodes }: Shown) {
  const codes = operation["x-error-codes"].filter((code) => !commonCodes.includes(code));
  const statusOf = (code: string) =>
    Object.entries(operation.responses).find(([, { content = {} }]) =>
      Object.values(content).some(({ examples = {} }) => code in examples),
    )?.[0] ?? "";
  return (
    <>
      <Heading id={`${operation.operationId}-errors`} level={4}>
        Errors
      </Heading>
      {codes.length === 0 ? null : (
        <Table
          isStacked
          head={["Code", "Status", "Meaning"]}
          rows={codes.map((code) => ({
            key: code,
            cells: [
              <ErrorLink key="code" code={code} />,
              statusOf(code),
              <Prose key="meaning" text={document.components.examples[code]?.value.error.message ?? ""} />,
            ],
          }))}
        />
      )}
      <p>
        {codes.length === 0 ? "Only" : "Also"} the <a href="#common-errors">errors of every request</a>.
      </p>
    </>
  );
}
