import Link from "next/link";
import { getRuntime } from "@/app/runtime";
import { metadataOf, pageAt } from "../parts/pages";
import article from "../parts/article.module.css";
import { Prose, Table } from "../parts/article";
import { Reference } from "./reference";
import styles from "./api.module.css";

export const metadata = metadataOf("/docs/api");

const DOCUMENT = "/api/public/v1/openapi.json";
const POSTMAN_COLLECTION = "/api/public/v1/postman.json";

export default async function ApiPage() {
  const { scopes } = (await getRuntime()).documentation;
  return (
    <div className={styles.page}>
      <h1 className={article.title}>{pageAt("/docs/api").title}</h1>
      <p className={article.lead}>
        All paths start with <code>/api/public/v1</code>. This page is generated from{" "}
        <a href={DOCUMENT}>the OpenAPI 3.1 document</a>. You can generate clients from the same document. For
        Postman, import <a href={POSTMAN_COLLECTION}>the collection</a> and set its variables{" "}
        <code>api_key</code> and <code>handle</code>.
      </p>
      <div className={article.body}>
        <p>
          Send your API key as <code>Authorization: Bearer …</code> or as <code>X-Api-Key: …</code>. All error
          codes are explained in <Link href="/docs/errors">Errors</Link>. The scopes of a key determine what
          it can do. Each operation below lists the scopes that it requires:
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
      </div>
      <Reference documentUrl={DOCUMENT} />
    </div>
  );
}
