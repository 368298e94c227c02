import type { Metadata } from "next";
import Link from "next/link";
import { getRuntime } from "@/app/runtime";
import { pageAt } from "../parts/pages";
import article from "../parts/article.module.css";
import { Prose, Table } from "../parts/article";
import { Reference } from "./reference";
import styles from "./api.module.css";

export const metadata: Metadata = { title: "API reference" };

const DOCUMENT = "/api/public/v1/openapi.json";

export default async function ApiPage() {
  const { scopes } = (await getRuntime()).documentation;
  return (
    <div className={styles.page}>
      <h1 className={article.title}>{pageAt("/docs/api").title}</h1>
      <p className={article.lead}>
        All paths are below <code>/api/public/v1</code>. The page is made from{" "}
        <a href={DOCUMENT}>the OpenAPI 3.1 document</a>, and so is what generators make of it.
      </p>
      <div className={article.body}>
        <p>
          Send your key as <code>Authorization: Bearer …</code> or as <code>X-Api-Key: …</code>. What each
          code of a refusal means is on <Link href="/docs/errors">Errors</Link>. A key may do what its scopes
          say; each operation below names those that it needs:
        </p>
        <Table
          head={["Scope", "Lets a key", "In a new key"]}
          rows={scopes.map(({ name, description, isDefault }) => ({
            key: name,
            cells: [
              <code key="name">{name}</code>,
              <Prose key="description" text={description} />,
              isDefault ? "yes" : "only if asked for",
            ],
          }))}
        />
      </div>
      <Reference documentUrl={DOCUMENT} />
    </div>
  );
}
