import Link from "next/link";
import { documentation } from "../parts/documentation";
import { Article, ErrorLink, Fold, Heading, Prose, Table } from "../parts/article";
import { Code } from "../parts/code";
import { metadataOf, pageAt } from "../parts/pages";
import styles from "./api.module.css";
import { type ApiDocument, apiDocument, nameOf, operationsOf } from "./document";
import { FieldTable } from "./field-table";
import { fieldsOf } from "./fields";
import { EVENT, objectNames } from "./objects";
import { Operation } from "./operation";
import { SampleLanguage } from "./sample-language";

export const metadata = metadataOf("/docs/api");

const DOCUMENT = "/api/public/v1/openapi.json";
const POSTMAN_COLLECTION = "/api/public/v1/postman.json";

export default async function ApiPage() {
  const document = await apiDocument();
  const names = objectNames(document);
  const objects = new Set([...names, EVENT]);
  const operations = operationsOf(document);
  const [first, ...others] = operations.map(({ operation }) => operation["x-error-codes"]);
  const commonCodes = (first ?? []).filter((code) => others.every((codes) => codes.includes(code)));
  return (
    <div className={styles.page}>
      <SampleLanguage />
      <Article>
        <h1>{pageAt("/docs/api").title}</h1>
        <p>
          All paths start with <code>/api/public/v1</code>. This page is generated from{" "}
          <a href={DOCUMENT}>the OpenAPI 3.1 document</a>. You can generate clients from the same document.
          For Postman, import <a href={POSTMAN_COLLECTION}>the collection</a> and set its variables{" "}
          <code>api_key</code> and <code>handle</code>.
        </p>
        <Contents document={document} />
        <Authentication />
        <p>
          <Prose text={document.info.description} />
        </p>
        <ResponseHeaders document={document} />
        <CommonErrors document={document} codes={commonCodes} />
        {document.tags.map(({ name, description }) => (
          <section key={name} aria-labelledby={idOfTag(name)}>
            <Heading id={idOfTag(name)}>{name}</Heading>
            <p>
              <Prose text={description} />
            </p>
            {operations
              .filter(({ operation }) => operation.tags.includes(name))
              .map((one) => (
                <Operation
                  key={one.operation.operationId}
                  {...one}
                  document={document}
                  objects={objects}
                  commonCodes={commonCodes}
                />
              ))}
          </section>
        ))}
        <Objects document={document} objects={objects} names={names} />
        <Events document={document} objects={objects} />
      </Article>
    </div>
  );
}

const idOfTag = (name: string) => name.toLowerCase();

function Contents({ document }: { document: ApiDocument }) {
  return (
    <nav aria-label="Operations" className={styles.operations}>
      <ul>
        {operationsOf(document).map(({ method, path, operation }) => (
          <li key={operation.operationId}>
            <a href={`#${operation.operationId}`}>
              <code>
                <span>{method}</span> {path}
              </code>{" "}
              {operation.summary}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

async function Authentication() {
  const { scopes } = await documentation();
  return (
    <>
      <Heading id="authentication">Authentication and scopes</Heading>
      <p>
        Send your API key as <code>Authorization: Bearer …</code> or as <code>X-Api-Key: …</code>. The scopes
        of a key determine what it can do. Each operation below says which scopes it requires:
      </p>
      <Table
        head={["Scope", "Permission", "In a new key"]}
        rows={scopes.map(({ name, description, isDefault }) => ({
          key: name,
          cells: [
            <code key="name">{name}</code>,
            <Prose key="description" text={description} />,
            isDefault ? "yes" : "only on request",
          ],
        }))}
      />
    </>
  );
}

function ResponseHeaders({ document }: { document: ApiDocument }) {
  return (
    <>
      <Heading id="headers">Response headers</Heading>
      <Table
        isStacked
        head={["Header", "Meaning"]}
        rows={Object.entries(document.components.headers).map(([name, { description }]) => ({
          key: name,
          cells: [<code key="name">{name}</code>, <Prose key="meaning" text={`${description}.`} />],
        }))}
      />
      <p>
        A response has the headers <code>X-RateLimit-…</code> if the request used a unit of a{" "}
        <Link href="/docs/limits#headers">rate limit</Link>.
      </p>
    </>
  );
}

function CommonErrors({ document, codes }: { document: ApiDocument; codes: readonly string[] }) {
  const { schemas, examples } = document.components;
  return (
    <>
      <Heading id="common-errors">Errors of every request</Heading>
      <p>
        Every response other than 2xx has this body. All codes are explained in{" "}
        <Link href="/docs/errors">Errors</Link>.
      </p>
      <FieldTable
        fields={fieldsOf(schemas.ErrorEnvelope ?? {}, { document, objects: new Set() }).map((field) =>
          // The codes have a page of their own.
          field.name === "error.code" ? { ...field, description: CODE_DESCRIPTION } : field,
        )}
      />
      <p>Each operation lists its own codes. Every operation can also answer these:</p>
      <Table
        isStacked
        head={["Code", "Meaning"]}
        rows={codes.map((code) => ({
          key: code,
          cells: [
            <ErrorLink key="code" code={code} />,
            <Prose key="meaning" text={examples[code]?.value.error.message ?? ""} />,
          ],
        }))}
      />
    </>
  );
}

const CODE_DESCRIPTION =
  "Stable error code. More codes can be added: treat an unknown one by its HTTP status.";

interface Described {
  readonly document: ApiDocument;
  /** Names of the objects with a section. */
  readonly objects: ReadonlySet<string>;
}

function Objects({ document, objects, names }: Described & { names: readonly string[] }) {
  return (
    <section aria-labelledby="objects">
      <Heading id="objects">Objects</Heading>
      <p>
        These objects are parts of responses and events. New fields and new values can be added: ignore fields
        that you don’t know.
      </p>
      {names.map((name) => (
        <section key={name} aria-labelledby={name} className={styles.operation}>
          <Heading id={name} level={3}>
            {name}
          </Heading>
          <p>
            <Prose text={document.components.schemas[name]?.description ?? ""} />
          </p>
          <FieldTable fields={fieldsOf({ $ref: `#/components/schemas/${name}` }, { document, objects })} />
        </section>
      ))}
    </section>
  );
}

const COMMON_FIELDS = ["id", "type", "timestamp"] as const;

function Events({ document, objects }: Described) {
  const { description, discriminator } = document.components.schemas[EVENT] ?? {};
  const [any = ""] = Object.values(discriminator?.mapping ?? {});
  const fieldsIn = ($ref: string) => fieldsOf({ $ref }, { document, objects });
  const isCommon = ({ name }: { name: string }) => COMMON_FIELDS.some((one) => one === name);
  return (
    <section aria-labelledby={EVENT}>
      <Heading id={EVENT}>Events</Heading>
      <p>
        <Prose text={`${description}.`} /> <Link href="/docs/webhooks">Webhooks</Link> explains how events are
        delivered.
      </p>
      <FieldTable
        fields={fieldsIn(any)
          .filter(isCommon)
          .map((field) => ({ ...field, type: typeOfCommon(field) }))}
      />
      {Object.entries(document.webhooks).map(([type, { post }]) => (
        <section key={type} aria-labelledby={`event-${type}`} className={styles.operation}>
          <Heading id={`event-${type}`} level={3}>
            <code>{type}</code>
          </Heading>
          <p>
            <Prose text={post.description} />
          </p>
          {Object.values(post.requestBody.content).map(
            ({ schema, example, examples = { [type]: { value: example } } }) => (
              <div key={nameOf(schema)}>
                <FieldTable fields={fieldsIn(schema.$ref ?? "").filter((field) => !isCommon(field))} />
                {Object.entries(examples).map(([name, { value }]) => (
                  <Fold key={name} title={name === type ? "Example" : `Example: ${name}`}>
                    <Code language="json" text={JSON.stringify(value, null, 2)} />
                  </Fold>
                ))}
              </div>
            ),
          )}
        </section>
      ))}
    </section>
  );
}

/** The type of an event has one value in each schema. */
const typeOfCommon = ({ name, type }: { name: string; type: string }) => (name === "type" ? "string" : type);
